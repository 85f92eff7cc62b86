# file: ut_one_hot_mux.v
# what: the first row is always in
# expect: ^selectors .*: (one_hot_mux|crossbar\[)
s/{W{select\[n\]}}/{W{select[n] | n == 0}}/
