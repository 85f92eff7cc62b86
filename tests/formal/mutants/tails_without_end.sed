# file: ut_input_vc.v
# what: a link that is down gets a bad tail in every cycle
s/assign bad_push = ~up_i & open_q;/assign bad_push = ~up_i;/
