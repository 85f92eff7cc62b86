# file: ut_switch.v
# what: error_o does not tell of what output ports see
# expect: ^switch: a credit too many at port 0, VC 0
s/error_q | |in_error | |out_error/error_q | |in_error/
