# file: ut_switch_allocator.v
# what: an output sends only what comes from its first input
s/assign valid_o\[o\] = |req\[o\*NX+:NX\]/assign valid_o[o] = req[o*NX]/
