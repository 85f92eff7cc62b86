# file: ut_turn.v
# what: the pointer stays at the granted request instead of moving behind it
# expect: switch [0-2]\.[0-3] vc_arbiter[0-3]\.turn_q
# cycles: 3 60
s/turn_d = from << 1/turn_d = from/
