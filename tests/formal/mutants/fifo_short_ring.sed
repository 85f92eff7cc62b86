# file: ut_fifo.v
# what: the write pointer goes back to the front one place early
s/if (push_i) wr_q <= wr_q == LAST/if (push_i) wr_q <= wr_q + 1 == LAST/
