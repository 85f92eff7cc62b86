# file: ut_switch.v
# what: error_o does not tell of what output ports see
# expect: ^switch: a credit too many at port 0, VC 0
s/error_q | g_in\[PI-1\].any_error | g_out\[PO-1\].any_error/error_q | g_in[PI-1].any_error/
