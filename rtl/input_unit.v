// input_unit - an input port: accepts flits from the link, V input VCs, and the turn of its VCs at the route unit.
//
// A flit that is valid in cycle t is accepted if the link is up in t and was up in t-1; it is in its buffer at t+1.
// Vectors with suffix _ivc run over the VCs of this port.
// Twin: csim/switch/input_unit.h
module input_unit #(
    parameter PO = 8,
    parameter V = 1,
    parameter VW = 1,
    parameter DEPTH = 4,
    parameter W = 64,
    parameter WORMHOLE = 0,
    parameter ROUTE_CYCLES = 0,
    parameter ALLOC_CYCLES = 1,
    parameter VECTOR = 0,
    parameter REWRITES = 0,
    parameter STRIPS = 0,
    parameter BUBBLE = 0,
    parameter PREFERRED = 0
) (
    input               clk_i,
    input               rst_i,
    // link
    input               link_up_i,
    input               valid_i,
    input  [    VW-1:0] vc_i,
    input  [       1:0] kind_i,
    input               bad_i,
    input  [     W-1:0] data_i,
    output [     V-1:0] credit_o,
    // route unit
    output              route_o,          // the route unit has work
    output [     W-1:0] header_o,
    output [     V-1:0] routed_ivc_o,     // whose, one-hot
    input  [  V*PO-1:0] cand_i,
    input  [  V*PO-1:0] bubble_i,
    input  [  V*PO-1:0] preferred_i,
    input  [      23:0] rt_i,
    input               strip_i,
    input               discard_i,
    input               uses_state_i,
    input               stale_link_i,
    input               stale_state_i,
    // VC allocator; matrices run over (ivc, ovc, op)
    output [     V-1:0] bid_ivc_o,
    output [V*V*PO-1:0] cand_o,
    output [V*V*PO-1:0] bubble_o,
    output [V*V*PO-1:0] preferred_o,
    input  [     V-1:0] grant_ivc_i,
    input  [V*V*PO-1:0] choice_i,
    // switch allocator and crossbar
    input  [  V*PO-1:0] sendable_i,
    input  [    PO-1:0] out_up_i,
    output [     V-1:0] request_ivc_o,
    output [  V*PO-1:0] target_o,         // over (ivc, op)
    output [   V*V-1:0] vc_o,             // over (ivc, ovc)
    output [   V*2-1:0] kind_o,
    output [     V-1:0] bad_o,
    output [   V*W-1:0] data_o,
    input  [     V-1:0] pop_ivc_i,
    output              discard_o,
    output              busy_o,
    output              error_o
);
  reg up_q  /*verilator public_flat_rd*/;
  always @(posedge clk_i) up_q <= link_up_i & ~rst_i;
  wire accept = valid_i & link_up_i & up_q;

  wire [V-1:0] want, discard, busy, error;
  wire [V*W-1:0] front;
  rr_arbiter #(
      .N(V)
  ) u_route_arbiter (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .req_i(want),
      .advance_i(1'b1),
      .gnt_o(routed_ivc_o)
  );
  assign route_o   = |want;
  assign discard_o = |discard;
  assign busy_o    = |busy;
  assign error_o   = |error;

  genvar v;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      localparam [VW-1:0] ME = v;
      wire [W-1:0] header;
      if (v == 0) begin : g_header
        assign header = front[0+:W] & {W{V == 1 | routed_ivc_o[0]}};
      end else begin : g_header
        assign header = g_vc[v-1].header | (front[v*W+:W] & {W{routed_ivc_o[v]}});
      end
      input_vc #(
          .PO(PO),
          .V(V),
          .DEPTH(DEPTH),
          .W(W),
          .WORMHOLE(WORMHOLE),
          .ROUTE_CYCLES(ROUTE_CYCLES),
          .ALLOC_CYCLES(ALLOC_CYCLES),
          .VECTOR(VECTOR),
          .REWRITES(REWRITES),
          .STRIPS(STRIPS),
          .BUBBLE(BUBBLE),
          .PREFERRED(PREFERRED)
      ) u_vc (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .up_i(up_q),
          .push_i(accept & vc_i == ME),
          .push_kind_i(kind_i),
          .push_data_i(data_i),
          .push_bad_i(bad_i),
          .credit_o(credit_o[v]),
          .want_o(want[v]),
          .front_o(front[v*W+:W]),
          .routed_i(routed_ivc_o[v]),
          .cand_i(cand_i),
          .bubble_i(bubble_i),
          .preferred_i(preferred_i),
          .rt_i(rt_i),
          .strip_i(strip_i),
          .discard_i(discard_i),
          .uses_state_i(uses_state_i),
          .stale_link_i(stale_link_i),
          .stale_state_i(stale_state_i),
          .bid_o(bid_ivc_o[v]),
          .cand_o(cand_o[v*V*PO+:V*PO]),
          .bubble_o(bubble_o[v*V*PO+:V*PO]),
          .preferred_o(preferred_o[v*V*PO+:V*PO]),
          .grant_i(grant_ivc_i[v]),
          .choice_i(choice_i[v*V*PO+:V*PO]),
          .sendable_i(sendable_i),
          .out_up_i(out_up_i),
          .request_o(request_ivc_o[v]),
          .target_o(target_o[v*PO+:PO]),
          .vc_o(vc_o[v*V+:V]),
          .kind_o(kind_o[v*2+:2]),
          .bad_o(bad_o[v]),
          .data_o(data_o[v*W+:W]),
          .pop_i(pop_ivc_i[v]),
          .discard_o(discard[v]),
          .busy_o(busy[v]),
          .error_o(error[v])
      );
    end
  endgenerate
  assign header_o = g_vc[V-1].header;
endmodule
