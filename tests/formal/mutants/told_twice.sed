# file: ut_input_vc.v
# what: a place that a flit leaves is told of twice
s/pop ? owed_q : owed_q/pop ? owed_q + 1'b1 : owed_q/
