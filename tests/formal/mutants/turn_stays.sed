# file: ut_turn.v
# what: the turn never moves on
s/turn_q <= turn_d;/turn_q <= turn_q;/
