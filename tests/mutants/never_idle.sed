# file: ut_switch.v
# what: idle_o stays low while the link of port 0 is up
# expect: switch [0-2]\.[0-3] idle_o
# cycles: 1 100
s/assign idle_o = ~(/assign idle_o = ~(out_up_i[0] | /
