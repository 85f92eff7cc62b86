# file: ut_route_table.v
# what: the configuration port writes the table of the next VC
# scenario: s/reroute_adaptive_link, /table_reroute_det_link, manager_switch_cycles: 3, /; s/depth_flits/vcs: 2, depth_flits/
# expect: switch [0-2]\.[0-3] in[0-3]\.table_q.*
# cycles: 1 1
s/STEP \* {29'd0, config_i/STEP * {29'd0, ~config_i/
