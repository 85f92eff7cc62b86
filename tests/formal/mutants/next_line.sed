# file: ut_first_in_turn.v
# what: the line behind the first one is granted
s/assign first_o = from & ~above_o;/assign first_o = above_o \& ~(above_o << 1);/
