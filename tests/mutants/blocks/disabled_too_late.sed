# file: ut_node_states.v
# what: an unsafe node with one safe neighbour in a plane is not disabled
# expect: ^node_states .*: node_o
s/few\[PLANE\] = ~|(left & (left - 4'd1))/few[PLANE] = ~|left/
