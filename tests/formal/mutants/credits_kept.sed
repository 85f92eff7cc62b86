# file: ut_output_unit.v
# what: credits and owners outlive the link
s/if (rst_i | ~up_q) begin/if (rst_i) begin/
