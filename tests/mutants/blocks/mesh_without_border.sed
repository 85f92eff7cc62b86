# file: ut_grid_links.v
# what: the last node of a mesh's dimension has a link onwards
# expect: ^route_unit detour_mesh .*: cand_o
s/own + 16'd1 < SIZE/own + 16'd1 <= SIZE/
