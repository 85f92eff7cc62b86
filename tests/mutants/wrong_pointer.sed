# file: rr_arbiter.v
# what: the pointer stays at the granted request instead of moving behind it
# expect: switch [0-2]\.[0-3] (vc_arbiter|out)[0-3](\.switch_arbiter)?\.mask_q
# cycles: 3 60
s/mask_q <= ~(gnt_o | (gnt_o - \(.*\)));/mask_q <= ~(gnt_o - \1);/
