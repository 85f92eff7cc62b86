# file: ut_switch_allocator.v
# what: the crossbar is set by requests, not by grants
s/\.rows_i(gnt\[o\*NX+:NX\])/.rows_i(req[o*NX+:NX])/
