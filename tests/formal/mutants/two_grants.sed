# file: ut_first_in_turn.v
# what: all lines from the first one on are granted
s/first_o = .*;/first_o = set_i;/
