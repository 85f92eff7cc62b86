# file: ut_fifo.v
# what: a push into the last place is an error
s/push_i & count_q == FULL\[CW-1:0\]/push_i \& count_q == LAST[CW-1:0]/
