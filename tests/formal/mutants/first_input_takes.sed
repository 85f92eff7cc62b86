# file: ut_vc_allocator.v
# what: an output VC is marked as taken only for its first input
s/assign taken_o\[o\] = |req\[o\*NI+:NI\]/assign taken_o[o] = req[o*NI]/
