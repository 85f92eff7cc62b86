// SPDX-License-Identifier: Apache-2.0
// ut_route_table - routing by forwarding tables: (destination, input port, input VC) -> (output port, output VC).
//
//   table                   the entry; where its link is down the packet is discarded.  Written anew for the surviving
//                           network it is DDRC (REROUTE section VIII)
//   table_reroute_det_link  the entry; where its link is down, the port that reroute_det_link would take instead
//                           (REROUTE appendix B: "the ability to select an arbitrary output port in the correct
//                           direction").  With the tables of algorithm 1 it is reroute_det_link, with tables that are
//                           written anew after faults the hybrid of section IX.A
//   table_reroute_adaptive_link
//                           the entry; where its link is down any port that reroute_adaptive_link would take, and every
//                           U-turn by the re-route vector (REROUTE section VII.A): the adaptive hybrid, with one layer
//
// The entry of the packet, {valid, VC, port}, comes from ut_forwarding_tables.
// Local re-routing is that of fat trees: ports 0..K-1 lead down, K..2K-1 up.  docs/explanation/route_table.md
// Twin: csim/switch/route_table.c
`default_nettype none
`include "layout.vh"
`include "route_answer.vh"
`include "algorithms.vh"
module ut_route_table #(
    parameter PI = 8,
    parameter PO = 8,
    parameter V = 1,
    parameter ALGORITHM = 0,
    parameter EW = `UT_ENTRY_BITS(V, PO, 1, 0, 0)
) (
    input wire  [  EW-1:0] entry_i,
    input wire  [  PI-1:0] in_port_i,  // one-hot, a constant of each instance
    input wire  [   V-1:0] in_vc_i,
    input wire  [    63:0] straps_i,
    input wire  [  PO-1:0] up_i,
    input wire  [  PO-1:0] vector_i,
    input wire  [  PO-1:0] neighbour_i,
    output wire [V*PO-1:0] cand_o,
    output wire            discard_o,
    output wire            uses_state_o,
    output wire [  PO-1:0] set_o
);
  generate  // rules on the parameters
    if (ALGORITHM != `UT_TABLE_TABLE && (PI != PO || PO < 4 || PO > 64 || PO % 2 != 0))
      ERROR_fat_tree_needs_2k_ports_both_ways u_rule ();
  endgenerate

  localparam K = PO / 2;
  localparam PW = $clog2(PO);
  `include "first_from.vh"

  // ---- the entry
  genvar v, p;
  wire [PO-1:0] port;  // one-hot; 0: no route to the destination
  wire [V-1:0] vc;
  generate
    for (p = 0; p < PO; p = p + 1) begin : g_port
      localparam [31:0] ME = p;
      assign port[p] = entry_i[EW-1] & entry_i[PW-1:0] == ME[PW-1:0];
    end
    if (V > 1) begin : g_vc
      for (v = 0; v < V; v = v + 1) begin : g_one
        localparam [31:0] ME = v;
        assign vc[v] = entry_i[EW-2:PW] == ME[EW-2-PW:0];
      end
    end else begin : g_vc
      assign vc = 1'b1;
    end
  endgenerate

  // ---- if the entry's link is down
  wire [PO-1:0] ports;
  generate
    if (ALGORITHM == `UT_TABLE_TABLE) begin : g_algorithm
      assign ports = port & up_i;
      assign uses_state_o = 1'b0;
      assign set_o = {PO{1'b0}};
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, in_port_i};
      // verilator lint_on UNUSEDSIGNAL
    end else begin : g_algorithm
      wire good = |(port & up_i);
      wire leaf = ~|straps_i[`UT_LEVEL_STRAP_LEVEL_LSB+:`UT_LEVEL_STRAP_LEVEL_WIDTH];
      wire from_above = |in_port_i[PO-1:K];
      wire [K-1:0] below = up_i[K-1:0];
      wire [K-1:0] above = up_i[PO-1:K];
      wire [K-1:0] up = port[PO-1:K];
      wire [K-1:0] down = port[K-1:0];
      wire [K-1:0] back = in_port_i[K-1:0] & below;
      if (ALGORITHM == `UT_TABLE_TABLE_REROUTE_DET_LINK) begin : g_local
        // a U-turn: the first port of the sequence from the entry's on, but the arrival port; in the re-routing layer, its
        // second U-turn, from the arrival port on; without starting again
        wire again = V > 1 & in_vc_i[V-1];
        wire [K-1:0] arrival = in_port_i[PO-1:K];
        wire [K-1:0] others = above & ~arrival & ~((again ? arrival : up) - {{K - 1{1'b0}}, 1'b1});
        wire [K-1:0] next_up = from_above ? others & (~others + {{K - 1{1'b0}}, 1'b1}) : first_from(above, up);
        // the path down: back, where a packet from below came from, otherwise another down port; links to terminals have no
        // detour
        wire [K-1:0] around = leaf ? {K{1'b0}} : |back ? back : first_from(below, down);
        assign ports = good & ~(from_above & |up) ? port : {next_up & {K{|up}}, around & {K{|down}}};
        assign uses_state_o = 1'b0;
      end else begin : g_local
        // REROUTE VII.A: steps 3, 4, 5; an entry for a packet from above that leads up says no more than that.  With `repair`
        // as in ut_route_fattree.
        wire repair = straps_i[`UT_LEVEL_STRAP_REPAIR_LSB];
        wire [K-1:0] tried = (vector_i[PO-1:K] | in_port_i[PO-1:K]) & (neighbour_i[PO-1:K] | {K{~repair}});
        // steps 2a, 2b
        wire [K-1:0] around = leaf ? {K{1'b0}} : |back ? back : below;
        assign uses_state_o = from_above & |up;
        assign ports = uses_state_o ? {above & ~tried, {K{1'b0}}} :
            good ? port : {above & {K{|up}}, around & {K{|down}}};
      end
      assign set_o = in_port_i & {PO{uses_state_o}};
    end
    for (v = 0; v < V; v = v + 1) begin : g_cand
      assign cand_o[v*PO+:PO] = ports & {PO{vc[v]}};
    end
  endgenerate
  assign discard_o = ~|ports;

  // verilator lint_off UNUSEDSIGNAL
  // Words have more bits than any one switch needs.
  wire unused = &{1'b0, straps_i, in_vc_i, vector_i, neighbour_i};
  // verilator lint_on UNUSEDSIGNAL
endmodule
`default_nettype wire
