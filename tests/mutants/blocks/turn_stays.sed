# file: ut_turn.v
# what: who was granted keeps the first turn
# expect: ^rr_arbiter .*: mask
s/turn_d = from << 1/turn_d = from/
