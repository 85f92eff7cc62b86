# file: ut_first_in_turn.v
# what: the lowest line comes first, whoever has its turn
# expect: ^selectors .*: first_in_turn: first_o
s/from = |masked ?/from = 1'b0 ?/
