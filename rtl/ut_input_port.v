// SPDX-License-Identifier: Apache-2.0
// ut_input_port - an input port: accepts flits from the link, V input VCs, and one route unit that they share.
//
// A flit that is valid in cycle t is accepted if the link is up in t and was up in t-1; it is in its buffer at t+1.
// Vectors with suffix _ivc run over the VCs of this port.  XBAR 0: the port has one crossbar input, to which pick_ivc_i
// (one-hot, or 0) connects one of the VCs.  XBAR 1: one for each VC.
// Twin: csim/switch/input_unit.h
`default_nettype none
`include "algorithms.vh"
`include "layout.vh"
`include "node_states.vh"
`include "parameters.vh"
`include "route_answer.vh"
`include "assertions.vh"
module ut_input_port #(
    // rtl/parameters.tsv: begin
    parameter PI = 8,
    parameter PO = 8,
    parameter V = 1,
    parameter DEPTH = 4,
    parameter W = 64,
    parameter SWITCHING = 0,
    parameter ROUTE = 0,
    parameter ALGORITHM = 2,
    parameter ROUTE_CYCLES = 0,
    parameter ALLOC_CYCLES = 1,
    parameter XBAR_CYCLES = 0,
    parameter XBAR = 0,
    parameter SIZE0 = 0,
    parameter SIZE1 = 0,
    parameter SIZE2 = 0,
    parameter SIZE3 = 0,
    parameter ESCAPES = 1,
    parameter DETERMINISTIC = 0,
    parameter MISROUTE = 0,
    parameter RADIX = 0,
    parameter PARALLEL = 0,
    parameter DUAL_HOMED = 0,
    parameter HALF_CROSSBAR = 0,
    parameter LINKS = 1,
    parameter DESTINATIONS = 0,
    parameter GROUPS = 0,
    parameter VC_MAP = 0,
    parameter VIA = 0,
    parameter CUBE = 0,
    parameter ROOT = 0,
    parameter EXCLUSIONS = 0,
    parameter VIN1_VCS = 1,
    parameter MISROUTE_HOPS = 0,
    parameter ARBITRATION = 0,
    // rtl/parameters.tsv: end
    parameter VW = 1,
    parameter RW = `UT_ARBITRATION_RANK(ARBITRATION) > 0 ? `UT_ARBITRATION_RANK(ARBITRATION) : 1,
    parameter XV = XBAR != 0 ? V : 1,  // crossbar inputs
    parameter XW = EXCLUSIONS != 0 ? 32 * (PO / 2) * EXCLUSIONS : 1,  // bits of exclusion intervals
    parameter EW = `UT_ENTRY_BITS(V, PO, DESTINATIONS, GROUPS, VC_MAP + `UT_ALG_PREFERRED(ROUTE, ALGORITHM), VIA)  // of a forwarding table's answer
) (
    input wire               clk_i,
    input wire               rst_i,
    // link
    input wire               link_up_i,
    input wire               valid_i,
    input wire  [    VW-1:0] vc_i,
    input wire  [       1:0] kind_i,
    input wire               bad_i,
    input wire  [     W-1:0] data_i,
    output wire [     V-1:0] credit_o,
    // route unit
    input wire  [    PI-1:0] port_i,         // this port, one-hot, a constant of each instance
    input wire  [      63:0] straps_i,
    output wire [      15:0] dst_o,          // of the packet that is routed, its rt field and its VC: where its entry is
    output wire [      23:0] rt_o,
    output wire [     V-1:0] routed_ivc_o,
    input wire  [    EW-1:0] entry_i,        // of the forwarding table
    input wire  [    PO-1:0] vector_i,
    input wire  [    PO-1:0] neighbour_i,
    input wire  [`UT_NODE_BITS-1:0] node_i,
    input wire  [    XW-1:0] intervals_i,    // of the up ports: ut_exclusions
    input wire               purge_i,
    input wire               stale_link_i,
    input wire               stale_state_i,
    output wire [    PO-1:0] set_o,          // bits of the re-route vector to set in this cycle
    // VC allocator; matrices run over (ivc, ovc, op)
    output wire [     V-1:0] bid_ivc_o,
    output wire [V*V*PO-1:0] cand_o,
    output wire [V*V*PO-1:0] bubble_o,
    output wire [V*V*PO-1:0] preferred_o,
    output wire [  V*RW-1:0] rank_o,         // over (ivc, bit): ranks of the packets; the highest rank wins
    input wire  [     V-1:0] grant_ivc_i,
    input wire  [V*V*PO-1:0] choice_i,
    // switch allocator and crossbar
    input wire  [  V*PO-1:0] sendable_i,
    input wire  [    PO-1:0] out_up_i,
    output wire [     V-1:0] request_ivc_o,
    output wire [  V*PO-1:0] target_o,       // over (ivc, op)
    input wire  [     V-1:0] pop_ivc_i,
    input wire  [     V-1:0] pick_ivc_i,
    output wire [  V*PO-1:0] way_o,          // over (ivc, op): where flits cross in this cycle
    output wire [XV*(V+3)-1:0] tag_o,        // tags at the crossbar inputs: {output VC, bad, kind}
    output wire [  XV*W-1:0] data_o,
    // observation
    output wire              discard_o,
    output wire              busy_o,
    output wire              error_o
);
  localparam TW = V + 3;

  reg up_q  /*verilator public_flat_rd*/;
  always @(posedge clk_i) up_q <= link_up_i & ~rst_i;
  wire accept = valid_i & link_up_i & up_q;

  // ---- the route unit serves one VC in a cycle
  wire [V-1:0] want, routed, discard, busy;
  wire [V*W-1:0] front;
  wire [W-1:0] header;
  wire [`UT_ANSWER_BITS(V, PO)-1:0] answer;
  wire [PO-1:0] ever;
  ut_rr_arbiter #(
      .LINES(V)
  ) u_route_arbiter (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .req_i(want),
      .advance_i(1'b1),
      .gnt_o(routed)
  );
  ut_one_hot_mux #(
      .N(V),
      .W(W)
  ) u_header (
      .rows_i(front),
      .select_i(routed | {V{V == 1}}),
      .row_o(header)
  );
  ut_route_unit #(
      // rtl/parameters.tsv: begin
      .PI(PI),
      .PO(PO),
      .V(V),
      .ROUTE(ROUTE),
      .ALGORITHM(ALGORITHM),
      .SIZE0(SIZE0),
      .SIZE1(SIZE1),
      .SIZE2(SIZE2),
      .SIZE3(SIZE3),
      .ESCAPES(ESCAPES),
      .DETERMINISTIC(DETERMINISTIC),
      .MISROUTE(MISROUTE),
      .RADIX(RADIX),
      .PARALLEL(PARALLEL),
      .DUAL_HOMED(DUAL_HOMED),
      .HALF_CROSSBAR(HALF_CROSSBAR),
      .LINKS(LINKS),
      .DESTINATIONS(DESTINATIONS),
      .GROUPS(GROUPS),
      .VC_MAP(VC_MAP),
      .VIA(VIA),
      .CUBE(CUBE),
      .ROOT(ROOT),
      .EXCLUSIONS(EXCLUSIONS),
      .VIN1_VCS(VIN1_VCS),
      .MISROUTE_HOPS(MISROUTE_HOPS),
      // rtl/parameters.tsv: end
      .EW(EW)
  ) u_route (
      .header_i(header[63:0]),
      .entry_i(entry_i),
      .in_port_i(port_i),
      .in_vc_i(routed),
      .straps_i(straps_i),
      .up_i(out_up_i),
      .vector_i(vector_i),
      .neighbour_i(neighbour_i),
      .node_i(node_i),
      .intervals_i(intervals_i),
      .ever_o(ever),
      .answer_o(answer)
  );
  assign dst_o = header[`UT_HEADER_DST_LSB+:`UT_HEADER_DST_WIDTH];
  assign rt_o = header[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH];
  assign routed_ivc_o = routed;
  assign set_o = answer[`UT_ANSWER_SET(V, PO)] & {PO{|want}};
  // verilator lint_off UNUSEDSIGNAL
  wire unused_header = &{1'b0, header};  // only the low 64 bits of a head carry its header word
  // verilator lint_on UNUSEDSIGNAL

  // ---- VCs
  // in direct networks ports of the network come first
  localparam NETWORK = CUBE + 2 * ((SIZE0 > 0 ? 1 : 0) + (SIZE1 > 0 ? 1 : 0) + (SIZE2 > 0 ? 1 : 0) + (SIZE3 > 0 ? 1 : 0));
  wire local_port = NETWORK != 0 && |(port_i >> NETWORK);
  wire [V-1:0] leave;
  wire [V*TW-1:0] tag;
  wire [V*W-1:0] data;
  genvar v;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      localparam [VW-1:0] ME = v;
      wire error, any_error;  // a chain instead of a vector: a simulator then evaluates it once in a cycle, at the clock
      ut_input_vc #(
          // rtl/parameters.tsv: begin
          .PO(PO),
          .V(V),
          .DEPTH(DEPTH),
          .W(W),
          .ROUTE_CYCLES(ROUTE_CYCLES),
          .ALLOC_CYCLES(ALLOC_CYCLES),
          .XBAR_CYCLES(XBAR_CYCLES),
          .ARBITRATION(ARBITRATION),
          // rtl/parameters.tsv: end
          .WORMHOLE(SWITCHING),
          .VECTOR(`UT_ALG_VECTOR(ROUTE, ALGORITHM)),
          .STATES(`UT_ALG_STATES(ROUTE, ALGORITHM)),
          .REWRITES(`UT_ALG_REWRITES(ROUTE, ALGORITHM) | MISROUTE | (MISROUTE_HOPS != 0 ? 1 : 0)),
          .STRIPS(ESCAPES > 1),
          .BUBBLE(`UT_ALG_BUBBLE(ROUTE, ALGORITHM)),
          .PREFERRED(`UT_ALG_PREFERRED(ROUTE, ALGORITHM)),
          .VC(v)
      ) u_vc (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .local_i(local_port),
          .up_i(up_q),
          .push_i(accept & vc_i == ME),
          .push_kind_i(kind_i),
          .push_data_i(data_i),
          .push_bad_i(bad_i),
          .credit_o(credit_o[v]),
          .want_o(want[v]),
          .front_o(front[v*W+:W]),
          .routed_i(routed[v]),
          .ever_i(ever),
          .answer_i(answer),
          .purge_i(purge_i),
          .stale_link_i(stale_link_i),
          .stale_state_i(stale_state_i),
          .bid_o(bid_ivc_o[v]),
          .cand_o(cand_o[v*V*PO+:V*PO]),
          .bubble_o(bubble_o[v*V*PO+:V*PO]),
          .preferred_o(preferred_o[v*V*PO+:V*PO]),
          .rank_o(rank_o[v*RW+:RW]),
          .grant_i(grant_ivc_i[v]),
          .choice_i(choice_i[v*V*PO+:V*PO]),
          .sendable_i(sendable_i),
          .out_up_i(out_up_i),
          .request_o(request_ivc_o[v]),
          .target_o(target_o[v*PO+:PO]),
          .tag_o(tag[v*TW+:TW]),
          .data_o(data[v*W+:W]),
          .pop_i(pop_ivc_i[v]),
          .leave_o(leave[v]),
          .way_o(way_o[v*PO+:PO]),
          .discard_o(discard[v]),
          .busy_o(busy[v]),
          .error_o(error)
      );
      if (v == 0) begin : g_error
        assign any_error = error;
      end else begin : g_error
        assign any_error = error | g_vc[v-1].any_error;
      end
    end
  endgenerate
  assign discard_o = |discard;
  assign busy_o = |busy;

  // ---- a flit that names no VC of this port is lost.  With one VC nothing is named
  wire lost;
  generate
    if (V > 1 && 1 << VW != V) begin : g_lost
      localparam [31:0] LAST = V - 1;
      assign lost = accept & vc_i > LAST[VW-1:0];
    end else begin : g_lost
      assign lost = 1'b0;
    end
  endgenerate
  assign error_o = g_vc[V-1].any_error | lost;

  // ---- crossbar inputs
  generate
    if (XBAR != 0 || V == 1) begin : g_xbar
      assign tag_o  = tag;
      assign data_o = data;
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, pick_ivc_i, leave};
      // verilator lint_on UNUSEDSIGNAL
    end else begin : g_xbar
      wire [V-1:0] pick = XBAR_CYCLES != 0 ? leave : pick_ivc_i;
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, pick_ivc_i, leave};
      // verilator lint_on UNUSEDSIGNAL
      ut_one_hot_mux #(
          .N(V),
          .W(TW)
      ) u_tag (
          .rows_i(tag),
          .select_i(pick),
          .row_o(tag_o)
      );
      ut_one_hot_mux #(
          .N(V),
          .W(W)
      ) u_data (
          .rows_i(data),
          .select_i(pick),
          .row_o(data_o)
      );
    end
  endgenerate

  // ---- assertions
  // The route unit works for one VC at a time.
  `UT_ASSERT(one_vc_routed, $onehot0(routed))
  // One crossbar input carries one flit: rows of two VCs would be mixed.
  `UT_ASSERT(one_vc_crosses, XBAR != 0 || V == 1 || ($onehot0(pick_ivc_i) && $onehot0(leave)))
  `UT_ASSERT(pick_crosses, (pop_ivc_i & ~pick_ivc_i) == 0)
  // Synthesis leaves out the ports that this input is never routed to.
  `UT_ASSERT(candidates_ever, ~|routed || (answer[`UT_ANSWER_CAND(V, PO)] & ~{V{ever}}) == 0)
  // A flit names a VC of this port: any other one would be lost.
  `UT_ASSERT(vc_exists, !accept || 32'd0 + vc_i < V)
endmodule
`default_nettype wire
