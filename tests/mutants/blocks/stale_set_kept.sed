# file: ut_input_vc.v
# what: a candidate set stays when the state of the routing family changes
# expect: ^input_port .*: (bid_ivc_o|routed)
s/(depends \& stale_state_i)/(1'b0 \& depends \& stale_state_i)/
