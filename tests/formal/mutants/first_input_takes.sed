# file: ut_vc_allocator.v
# what: an output VC is marked as taken only for its first input
s/|req\[OUTLET\*NI+:NI\]/req[OUTLET*NI]/
