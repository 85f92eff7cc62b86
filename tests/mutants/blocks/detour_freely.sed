# file: ut_route_detour_cube.v
# what: VIN2 is offered where it is a detour
# expect: ^route_unit detour_cube .*: (cand_o|preferred_o)
s/left & (bad ^ (bad - ONE))/left/
