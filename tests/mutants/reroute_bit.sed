# file: ut_reroute_vector.v
# what: U-turns never set the re-route bit of the last up port
# expect: switch 0\.[0-3] u_vector\.vector_q
# cycles: 301 700
s/wire \[K-1:0\] set = set_i\[PO-1:K\];/wire [K-1:0] set = {1'b0, set_i[PO-2:K]};/
