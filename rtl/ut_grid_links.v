// SPDX-License-Identifier: Apache-2.0
// ut_grid_links - the ports of a switch of a torus or mesh that have a link: a mesh ends at its borders.  Combinational.
// Twin: ut_grid_links in csim/switch/grid_position.h
`default_nettype none
module ut_grid_links #(
    parameter WRAP = 0,
    parameter SIZE0 = 4,
    parameter SIZE1 = 4,
    parameter SIZE2 = 0,
    parameter SIZE3 = 0,
    parameter D = (SIZE0 > 0 ? 1 : 0) + (SIZE1 > 0 ? 1 : 0) + (SIZE2 > 0 ? 1 : 0) + (SIZE3 > 0 ? 1 : 0)
) (
    input wire  [   63:0] straps_i,
    output wire [2*D-1:0] exists_o
);
  genvar d;
  generate
    for (d = 0; d < D; d = d + 1) begin : g_dimension
      localparam [31:0] SIZE = d == 0 ? SIZE0 : d == 1 ? SIZE1 : d == 2 ? SIZE2 : SIZE3;
      wire [15:0] own = {8'd0, straps_i[8*d+:8]};
      assign exists_o[2*d] = WRAP != 0 | own + 16'd1 < SIZE[15:0];
      assign exists_o[2*d+1] = WRAP != 0 | |own;
    end
  endgenerate
  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, straps_i};
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
