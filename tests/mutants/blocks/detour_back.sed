# file: ut_route_detour_grid.v
# what: a detour along dimension 0 begins to the right, too, where the block reaches the border
# expect: ^route_unit detour_(mesh|torus) .*: cand_o
s/? 2'b10 : 2'b01/? 2'b01 : 2'b01/
