// SPDX-License-Identifier: Apache-2.0
// node_states_tb - states of nodes in hypercubes of 1, 4, 6 and 12 dimensions, then in grids, meshes and tori in turn.
// in: reset, straps (2), link_up, report (11), order.  out: states (2), report, stale, purge.
`include "algorithms.vh"
`include "node_states.vh"
module node_states_tb #(
    parameter S   = 10,
    parameter IN  = 16,
    parameter OUT = 5
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  // one digit a shape, four a grid, the first of them last
  localparam [4*4-1:0] CUBES = 16'hc_6_4_1;
  localparam [6*16-1:0] SIZES = {16'h2233, 16'h2343, 16'h0333, 16'h0344, 16'h0055, 16'h0045};
  genvar s, b;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer CUBE = s < 4 ? CUBES[4*(s%4)+:4] : 0;
      localparam [15:0] SIZE = s < 4 ? 16'd0 : SIZES[16*(s<4?0:s-4)+:16];
      localparam integer D = SIZE[15:12] != 0 ? 4 : SIZE[11:8] != 0 ? 3 : 2;
      localparam integer RW = CUBE != 0 ? 1 : 3 + 2 * D;
      localparam integer PO = 1 + (CUBE != 0 ? CUBE : 2 * D);
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [RW*PO-1:0] report;
      wire [RW-1:0] own;
      wire [`UT_NODE_BITS-1:0] node;
      wire stale, purge;
      for (b = 0; b < RW; b = b + 1) begin : g_report
        assign report[b*PO+:PO] = in[(4+b)*32+:PO];
      end
      ut_node_states #(
          .PO(PO),
          .RW(RW),
          .CUBE(CUBE),
          .ROUTE(s % 2 ? `UT_ROUTE_DETOUR_TORUS : `UT_ROUTE_DETOUR_MESH),
          .ALGORITHM(CUBE == 0 && s == 8 ? `UT_DETOUR_MESH_DETOUR_LOW_HIGH : `UT_DETOUR_MESH_DETOUR),
          .SIZE0(SIZE[3:0]),
          .SIZE1(SIZE[7:4]),
          .SIZE2(SIZE[11:8]),
          .SIZE3(SIZE[15:12])
      ) u_dut (
          .clk_i(clk_i),
          .rst_i(in[0]),
          .straps_i(in[1*32+:64]),
          .config_i({32'd0, in[15*32+:32]}),
          .link_up_i(in[3*32+:PO]),
          .report_i(report),
          .report_o(own),
          .node_o(node),
          .purge_o(purge),
          .stale_o(stale)
      );
      assign out_o[(s*OUT+0)*32+:64] = node;
      assign out_o[(s*OUT+2)*32+:32] = own;
      assign out_o[(s*OUT+3)*32+:32] = stale;
      assign out_o[(s*OUT+4)*32+:32] = purge;
    end
  endgenerate
endmodule
