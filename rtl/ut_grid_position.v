// SPDX-License-Identifier: Apache-2.0
// ut_grid_position - where a packet's destination lies from a switch of a torus or mesh: minimal directions, and the ports
// of its terminal.
//
// Directions are ports: 2d leads on in dimension d, 2d + 1 back.  Sizes are parameters: a destination is taken apart by
// constant divisions, bit fields where sizes are powers of two.  Combinational.
// Twin: csim/switch/grid_position.h
`default_nettype none
`include "layout.vh"
module ut_grid_position #(
    parameter PI = 7,
    parameter PO = 7,
    parameter WRAP = 1,
    parameter SIZE0 = 4,
    parameter SIZE1 = 0,
    parameter SIZE2 = 0,
    parameter SIZE3 = 0,
    parameter LINKS = 1,  // links of a terminal each way, at adjacent ports
    parameter D = (SIZE0 > 0 ? 1 : 0) + (SIZE1 > 0 ? 1 : 0) + (SIZE2 > 0 ? 1 : 0) + (SIZE3 > 0 ? 1 : 0),
    parameter LOCAL = PO > 2 * D ? PO - 2 * D : 1
) (
    input wire  [   63:0] header_i,
    input wire  [   63:0] straps_i,
    output wire [2*D-1:0] minimal_o,  // where both directions of a ring are minimal, both
    output wire [2*D-1:0] next_o,     // one hop in that direction reaches the destination's coordinate
    output wire [2*D-1:0] unwrapped_o,   // the way in that direction does not cross the wrap link
    output wire [LOCAL-1:0] exit_o    // ports of the terminal, at its node; any of its links will do
);
  localparam EACH = LINKS > 0 ? LINKS : 1;
  localparam [31:0] TERMINALS = LOCAL / EACH;

  generate  // rules on the parameters
    if (SIZE0 == 1 || SIZE1 == 1 || SIZE2 == 1 || SIZE3 == 1 || SIZE0 > 256 || SIZE1 > 256 || SIZE2 > 256 || SIZE3 > 256)
      ERROR_sizes_must_be_2_to_256 u_rule ();
    if (SIZE0 == 0 || (SIZE1 == 0 && SIZE2 > 0) || (SIZE2 == 0 && SIZE3 > 0)) ERROR_grid_needs_sizes_of_its_dimensions u_rule ();
    if (PI != PO || PO > 64 || PO <= 2 * D) ERROR_torus_needs_two_ports_a_dimension_and_local_ones u_rule ();
    if (LOCAL % EACH != 0) ERROR_local_ports_must_be_all_links_of_terminals u_rule ();
  endgenerate

  wire [15:0] dst = header_i[`UT_HEADER_DST_LSB+:`UT_HEADER_DST_WIDTH];
  wire [15:0] node = dst / TERMINALS[15:0];
  wire [15:0] terminal = dst % TERMINALS[15:0];
  genvar d, p;
  generate
    for (d = 0; d < D; d = d + 1) begin : g_dimension
      localparam [31:0] SIZE = d == 0 ? SIZE0 : d == 1 ? SIZE1 : d == 2 ? SIZE2 : SIZE3;
      wire [15:0] rest;
      if (d == 0) begin : g_rest
        assign rest = node;
      end else begin : g_rest
        assign rest = g_dimension[d-1].next;
      end
      // verilator lint_off UNUSEDSIGNAL
      wire [15:0] next = rest / SIZE[15:0];  // the last dimension has none
      // verilator lint_on UNUSEDSIGNAL
      wire [15:0] at = rest % SIZE[15:0];
      wire [15:0] own = {8'd0, straps_i[8*d+:8]};
      wire above = at > own;
      wire below = at < own;
      assign unwrapped_o[2*d+:2] = {below, above};
      if (WRAP != 0) begin : g_minimal
        wire [15:0] ahead = at - own + (below ? SIZE[15:0] : 16'd0);  // hops in the plus direction
        assign minimal_o[2*d]   = |ahead & {ahead[14:0], 1'b0} <= SIZE[15:0];
        assign minimal_o[2*d+1] = |ahead & {ahead[14:0], 1'b0} >= SIZE[15:0];
        assign next_o[2*d+:2] = {ahead == SIZE[15:0] - 16'd1, ahead == 16'd1};
      end else begin : g_minimal
        assign minimal_o[2*d+:2] = {below, above};
        assign next_o[2*d+:2] = {at + 16'd1 == own, own + 16'd1 == at};
      end
    end
    for (p = 0; p < LOCAL; p = p + 1) begin : g_exit
      localparam [31:0] ME = p / EACH;
      assign exit_o[p] = terminal == ME[15:0];
    end
  endgenerate

  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, header_i, straps_i};
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
