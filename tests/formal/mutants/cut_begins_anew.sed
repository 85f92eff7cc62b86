# file: ut_input_vc.v
# what: the rest of a packet that was cut is taken for a new packet
s/nonempty & kind\[0\] ? `UT_VC_STATE_IDLE : `UT_VC_STATE_DRAIN/`UT_VC_STATE_IDLE/
