// SPDX-License-Identifier: Apache-2.0
// ut_lines_from - the lowest line of a set and all lines above it; 0 of the empty set.
//
// A prefix of ORs in log2(N) steps: what an arbiter needs, both the grant (from & ~(from << 1)) and its next mask (from << 1),
// without the carry of a subtraction. Combinational.
// Twin: csim/switch/mask.h, ut_first and ut_above
`default_nettype none
module ut_lines_from #(
    parameter N = 8
) (
    input wire  [N-1:0] set_i,
    output wire [N-1:0] from_o
);
  localparam STEPS = $clog2(N);
  genvar s;
  generate
    for (s = 0; s <= STEPS; s = s + 1) begin : g_step
      wire [N-1:0] from;
      if (s == 0) begin : g_or
        assign from = set_i;
      end else begin : g_or
        assign from = g_step[s-1].from | (g_step[s-1].from << (1 << (s - 1)));
      end
    end
  endgenerate
  assign from_o = g_step[STEPS].from;
endmodule
`default_nettype wire
