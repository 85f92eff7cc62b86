# file: ut_or_reduce.v
# what: the last row is left out
# expect: ^selectors .*: or_reduce
s/n = N - 1; n >= 0/n = N - 2; n >= 0/
