# file: ut_input_vc.v
# what: a place that a flit leaves is told of twice
s/: owed_q) :/: owed_q + 1'b1) :/
