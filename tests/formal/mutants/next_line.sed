# file: ut_first_in_turn.v
# what: the line behind the first one is granted
s/assign first_o = \(.*\);/wire [N-1:0] first = \1;\n  assign first_o = {first[N-2:0], first[N-1]};/
