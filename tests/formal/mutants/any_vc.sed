# file: ut_vc_select.v
# what: an output VC that is no candidate is chosen
s/cand_i & room_i & /room_i \& /
