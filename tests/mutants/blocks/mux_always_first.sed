# file: ut_one_hot_mux.v
# what: the first row is always in
# expect: ^selectors .*: (one_hot_mux|crossbar\[)
s/{W{one_hot\[n\]}}/{W{one_hot[n] | n == 0}}/
