# file: ut_reroute_vector.v
# what: a leaf switch does not believe in faults below the switch above it
# scenario: s/reroute_adaptive_link/reroute_adaptive_switch/
# expect: switch 0\.[0-3] u_vector\.neighbour_q
# cycles: 301 310
s/(far_i\[PO-1:K\] | (fault_i\[PO-1:K\] & {K{leaf}}))/far_i[PO-1:K]/
