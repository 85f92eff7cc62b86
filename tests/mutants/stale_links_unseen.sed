# file: ut_switch.v
# what: nobody hears that the state of a link has changed: candidate sets stay as they are
# expect: switch [0-2]\.[0-3] stale_link_q
# cycles: 1 1
s/stale_link_q <= out_up_i != out_up \& ~rst_i;/stale_link_q <= 1'b0 \& (out_up_i != out_up);/
