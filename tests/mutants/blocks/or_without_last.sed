# file: ut_or_reduce.v
# what: the last row is left out
# expect: ^selectors .*: or_reduce
s/assign or_o = upto\[(N-1)\*W+:W\]/assign or_o = upto[(N-2)*W+:W]/
