# file: ut_switch_allocator.v
# what: all VCs of a port that has won send
s/pick_o\[i\*V+:V\] & {V{won\[i\]}}/{V{won[i]}}/
