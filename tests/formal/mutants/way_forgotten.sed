# file: ut_input_vc.v
# what: a flit that leaves overwrites the output VC of its packet
s/else if (routed_i) cand_q <= cand;/else if (routed_i | pop_i) cand_q <= cand;/
