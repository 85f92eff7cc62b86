# file: ut_route_fattree.v
# what: a packet in the re-routing layer that comes from below leaves it too early (REROUTE VI.A, step 2b)
# scenario: s/reroute_adaptive_link/reroute_det_link/
# expect: switch 1\.[0-3] in[0-3]\.(switch_arbiter\.turn_q|vc[01]\..*)
# cycles: 301 700
s/assign layer = mine & ~from_above ? in_layer : {astray, ~astray};/assign layer = {astray, ~astray};/
