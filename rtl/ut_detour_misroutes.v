// SPDX-License-Identifier: Apache-2.0
// ut_detour_misroutes - counts the misrouted hops of a packet, and tells in which dimensions it may take another one (DETOUR
// section 3: "the number of misrouting hops along each dimension cannot be greater than a fixed number").
//
// The switch that a hop led to counts it, since it can tell by the arrival port: the packet needs the way back.  So the
// header does not depend on the output that is chosen.  A packet that has taken a detour around bad nodes is not misrouted
// any more.  Dimension 0 has no count: no misrouted hop leads there.  HOPS 0: no hop is misrouted, the header is left alone.
// Combinational.
// Twin: csim/switch/detour_misroutes.h
`default_nettype none
`include "layout.vh"
module ut_detour_misroutes #(
    parameter D = 2,    // dimensions
    parameter HOPS = 1  // misrouted hops in each dimension
) (
    input wire  [ 23:0] rt_i,
    input wire  [D-1:0] away_i,    // the dimension of the last hop, if it led away from the destination
    input wire          detour_i,  // the packet is routed to a detour here
    output wire [D-1:0] may_o,     // dimensions
    output wire [ 23:0] rt_o
);
  localparam [31:0] MOST = HOPS;
  genvar d;
  generate
    if (HOPS != 0) begin : g_count
      wire detoured = rt_i[`UT_RT_AWAY_DETOURED_LSB];
      assign may_o[0] = 1'b0;
      assign rt_o[`UT_RT_AWAY_HOPS_LSB-1:0] = {{`UT_RT_AWAY_HOPS_LSB - 1{1'b0}}, detoured | detour_i};
      for (d = 1; d < D; d = d + 1) begin : g_dimension
        localparam LSB = `UT_RT_AWAY_HOPS_LSB + 2 * (d - 1);
        wire [1:0] was = rt_i[LSB+:2];
        wire [1:0] hops = was + {1'b0, away_i[d] & was < MOST[1:0]};
        assign may_o[d] = ~detoured & hops < MOST[1:0];
        assign rt_o[LSB+:2] = hops;
      end
      if (`UT_RT_AWAY_HOPS_LSB + 2 * (D - 1) < 24) begin : g_others
        assign rt_o[23:`UT_RT_AWAY_HOPS_LSB+2*(D-1)] = 0;
      end
    end else begin : g_count
      assign may_o = {D{1'b0}};
      assign rt_o = rt_i;
    end
  endgenerate
  // verilator lint_off UNUSEDSIGNAL
  wire unused = &{1'b0, rt_i, away_i, detour_i, MOST};  // dimension 0, and dimensions that are not there
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
