# file: ut_route_fattree.v
# what: the switch above the U-turn switch does not store the arrival port (REROUTE VII.B, step 6)
# scenario: s/reroute_adaptive_link/reroute_adaptive_switch/; s/level: 1/level: 2/
# expect: switch 1\.[0-3] in[01]\.vc0\.rt_q
# cycles: 301 700
s/climb ? arrival : NONE/climb ? field : NONE/
