# file: ut_rr_arbiter.v
# what: the turn never moves on
s/mask_q <= above;/mask_q <= mask_q;/
