# file: ut_fifo.v
# what: a flit that leaves is not counted
s/pop_i ? count_q - {{CW - 1{1.b0}}, ~push_i}/pop_i ? count_q/
