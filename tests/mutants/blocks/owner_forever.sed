# file: ut_output_unit.v
# what: the tail leaves, and its VC stays owned
# expect: ^output_unit .*: owned_q
s/ \& ~(send \& kind_i\[1\])//
