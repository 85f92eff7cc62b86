# file: ut_rr_arbiter.v
# what: the pointer stays at the granted request instead of moving behind it
# expect: switch [0-2]\.[0-3] vc_arbiter[0-3]\.mask_q
# cycles: 3 60
s/mask_q <= above;/mask_q <= above | gnt_o;/
