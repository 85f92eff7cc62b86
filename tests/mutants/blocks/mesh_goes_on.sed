# file: ut_grid_position.v
# what: meshes: a packet goes on behind the column of its destination
# expect: ^route_unit mesh .*: (cand_o|preferred_o|verdict)
s/= at > own;/= at >= own;/
