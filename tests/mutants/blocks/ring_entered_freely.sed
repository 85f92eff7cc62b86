# file: ut_route_torus.v
# what: a packet enters a ring without a bubble, if it changes the VC there
# expect: ^route_unit torus .*: bubble_o
s/{2 \* D{in_vc_i\[v\]}}/{2 * D{1'b1}}/
