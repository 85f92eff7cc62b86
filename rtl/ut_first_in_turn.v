// ut_first_in_turn - of a set of lines the first one by a rotating priority: the lowest one in mask_i, else the lowest one.
//
// lines_from gives the grant and, in above_o, the lines behind it: the next mask.  With the mask and without are under
// way side by side while it is found out which one counts. Combinational.
// Twin: csim/switch/rr_arbiter.h, ut_rr_pick and ut_rr_after
`default_nettype none
module ut_first_in_turn #(
    parameter N = 8
) (
    input wire  [N-1:0] set_i,
    input wire  [N-1:0] mask_i,
    output wire [N-1:0] first_o,  // one-hot, or 0 of the empty set
    output wire [N-1:0] above_o
);
  wire [N-1:0] masked = set_i & mask_i;
  wire [N-1:0] from_masked, from_any;
  ut_lines_from #(
      .N(N)
  ) u_masked (
      .set_i(masked),
      .from_o(from_masked)
  );
  ut_lines_from #(
      .N(N)
  ) u_any (
      .set_i(set_i),
      .from_o(from_any)
  );
  wire [N-1:0] from = |masked ? from_masked : from_any;
  assign above_o = from << 1;
  assign first_o = from & ~above_o;
endmodule
`default_nettype wire
