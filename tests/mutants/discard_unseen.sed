# file: ut_switch.v
# what: discard_o does not tell of what comes in through port 1
# scenario: s/reroute_adaptive_link/fta/; s/port: 1}/port: 0}/; s/level: 1, switch: 1, port/level: 2, switch: 0, port/
# expect: switch [0-2]\.[0-3] discard_o
# cycles: 301 700
s/assign discard_o = discard_q;/assign discard_o = {discard_q[PI-1:2], 1'b0, discard_q[0]};/
