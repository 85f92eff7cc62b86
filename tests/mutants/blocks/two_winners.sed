# file: ut_switch_allocator.v
# what: the crossbar is set by requests, not by grants: two inputs to one output
# expect: (^switch_allocator .*: (pop_o|select_o)|assertion failed: .*winners)
s/\.rows_i(gnt\[o\*NX+:NX\])/.rows_i(req[o*NX+:NX])/
