# file: ut_vc_allocator.v
# what: a packet without a choice moves the priority of its port
# expect: ^vc_allocator .*: select_q
s/grant_o\[i\*V+:V\] & several/grant_o[i*V+:V]/
