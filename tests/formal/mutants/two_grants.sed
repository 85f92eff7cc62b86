# file: ut_first_in_turn.v
# what: all lines from the first one on are granted
s/assign first_o = from & ~above_o;/assign first_o = from;/
