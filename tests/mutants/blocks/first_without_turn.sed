# file: ut_first_in_turn.v
# what: the lowest line comes first, whoever has its turn
# expect: ^selectors .*: first_in_turn
s/blocked(set_i, mask_i)/blocked(set_i, {N{1'b1}})/
