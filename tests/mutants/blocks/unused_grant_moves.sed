# file: ut_rr_arbiter.v
# what: the turn moves on though the grant was not used
# expect: ^rr_arbiter .*: mask
s/move_i(advance_i & |req_i)/move_i(|req_i)/
