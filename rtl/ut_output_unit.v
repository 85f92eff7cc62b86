// SPDX-License-Identifier: Apache-2.0
// ut_output_unit - an output port: which of its VCs are owned, their credits, the output register.
//
// take_i: VCs that the VC allocator grants in this cycle; valid_i: a flit leaves through vc_i (one-hot).  A VC is free again
// in the cycle after its tail has left.  While the link is down it has no credits and no owners; when it comes back it starts
// from zero credits, and the receiver advertises its free space (docs/explanation/faults.md).  Payload of the output register
// is not reset.  The offer of a VC to waiting packets (space, space for two, thresholds that its credits reach) follows from
// owner and credits; it is computed when these change and stored in offer_q, where allocation starts.
//
// With OUTPUT_DEPTH the flit goes to the queue of its VC, and the output register takes what leaves the queues
// (ut_output_queue).  Then a packet needs free places of the queue instead of credits; a credit is spent when a flit leaves
// the queue.
// Twin: csim/switch/output_unit.h
`default_nettype none
`include "assertions.vh"
`include "parameters.vh"
module ut_output_unit #(
    // rtl/parameters.tsv: begin
    parameter V = 1,
    parameter DEPTH = 4,
    parameter OUTPUT_DEPTH = 0,
    parameter W = 64,
    parameter MAX_PACKET = 2,
    parameter MIN_PACKET = MAX_PACKET,
    parameter SWITCHING = 0,
    parameter XBAR_CYCLES = 0,
    parameter ESCAPES = 1,
    // rtl/parameters.tsv: end
    parameter VW = 1,
    parameter RING = 1,    // 0: the port leads to a terminal
    parameter BUBBLE = 0,
    parameter PREFERRED = 0,
    parameter ATOMIC = 0,
    parameter DATELINE = 0,
    parameter CW = $clog2(DEPTH + 1),
    parameter LEAST = 2,   // credits that a VC with space has at least
    parameter LEVELS = 2,  // number of thresholds above it that are compared
    parameter BITS = 0,    // bits of the counts, if these are compared: CW, or
    parameter SPACE = 0,   // 1: counts are free places of a queue
    parameter AW = LEVELS > 0 ? LEVELS : BITS > 0 ? BITS : 1
) (
    input wire             clk_i,
    input wire             rst_i,
    input wire             link_up_i,
    input wire  [   V-1:0] credit_i,
    input wire  [   V-1:0] take_i,
    input wire             valid_i,
    input wire  [   V-1:0] vc_i,
    input wire  [     1:0] kind_i,
    input wire             bad_i,
    input wire  [   W-1:0] data_i,
    output wire            up_o,
    output wire [   V-1:0] space_o,      // the link is up, the VC is free and has space for a packet (ut_packet_space)
    output wire [   V-1:0] space2_o,     // the same, and space for a second packet; only with BUBBLE
    output wire [   V-1:0] sendable_o,  // the link is up, and there is a place for the next flit of the owner
    output wire [AW*V-1:0] amount_o,    // credits, for ut_vc_select, over (bit, vc): the thresholds that they reach, or the counts
    output wire            busy_o,      // a queue holds a flit
    output wire            valid_o,
    output wire [  VW-1:0] vc_o,
    output wire [     1:0] kind_o,
    output wire            bad_o,
    output wire [   W-1:0] data_o,
    output wire            error_o
);
  localparam [31:0] FULL = DEPTH;
  localparam OW = 1 + BUBBLE + LEVELS;
  // Places that a packet needs are those of the queue, otherwise of the buffer behind the link.
  localparam PLACES = OUTPUT_DEPTH > 0 ? OUTPUT_DEPTH : DEPTH;
  localparam PW = $clog2(PLACES + 1);
  localparam [31:0] ALL = PLACES;
  localparam RULES = OUTPUT_DEPTH > 0 ? 4 : 3;

  reg up_q  /*verilator public_flat_rd*/;
  reg valid_q  /*verilator public_flat_rd*/;
  reg [VW-1:0] vc_q  /*verilator public_flat_rd*/;
  reg [1:0] kind_q  /*verilator public_flat_rd*/;
  reg bad_q  /*verilator public_flat_rd*/;
  reg [W-1:0] data_q  /*verilator public_flat_rd*/;

  // What a VC offers that has these credits and space: {thresholds, space for two, space}.
  function [OW-1:0] offered(input free, input fits, input fits2, input [CW-1:0] credits);
    integer n;
    begin
      offered = {OW{1'b0}};
      offered[BUBBLE] = free & fits2;
      offered[0] = free & fits;
      for (n = 0; n < LEVELS; n = n + 1) offered[1+BUBBLE+n] = {{32 - CW{1'b0}}, credits} > LEAST + n;
    end
  endfunction

  // ---- flits for the link
  wire out_valid, out_bad;
  wire [V-1:0] out_vc;
  wire [1:0] out_kind;
  wire [W-1:0] out_data;
  wire [V*CW-1:0] credits_each;  // over (vc, bit)
  wire [V*PW-1:0] count;  // flits in the queues
  wire queue_error;
  generate
    if (OUTPUT_DEPTH == 0) begin : g_queue
      assign out_valid = valid_i;
      assign out_vc = vc_i;
      assign out_kind = kind_i;
      assign out_bad = bad_i;
      assign out_data = data_i;
      assign count = {V * PW{1'b0}};
      assign queue_error = 1'b0;
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, credits_each, count};
      // verilator lint_on UNUSEDSIGNAL
    end else begin : g_queue
      ut_output_queue #(
          // rtl/parameters.tsv: begin
          .V(V),
          .DEPTH(DEPTH),
          .OUTPUT_DEPTH(OUTPUT_DEPTH),
          .W(W),
          .MAX_PACKET(MAX_PACKET),
          .MIN_PACKET(MIN_PACKET),
          .SWITCHING(SWITCHING),
          .ESCAPES(ESCAPES),
          // rtl/parameters.tsv: end
          .BUBBLE(BUBBLE),
          .PREFERRED(PREFERRED),
          .ATOMIC(ATOMIC),
          .DATELINE(DATELINE)
      ) u_queue (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .up_i(up_q),
          .credits_i(credits_each),
          .push_i(vc_i & {V{valid_i}}),
          .kind_i(kind_i),
          .bad_i(bad_i),
          .data_i(data_i),
          .count_o(count),
          .send_o(out_vc),
          .kind_o(out_kind),
          .bad_o(out_bad),
          .data_o(out_data),
          .error_o(queue_error)
      );
      assign out_valid = |out_vc;
    end
  endgenerate
  assign busy_o = |count;

  genvar v, s, l;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      reg owned_q  /*verilator public_flat_rd*/;
      reg [CW-1:0] credits_q  /*verilator public_flat_rd*/;
      reg [OW-1:0] offer_q  /*verilator public_flat_rd*/;
      // `send` and take_i arrive late: results with and without a flit that leaves are computed before them
      wire send = valid_i & vc_i[v];  // a flit crosses the crossbar
      wire spend = OUTPUT_DEPTH > 0 ? out_vc[v] : send;  // a flit leaves for the link
      assign credits_each[v*CW+:CW] = credits_q;
      wire [CW-1:0] credits_sent = credits_q - {{CW - 1{1'b0}}, ~credit_i[v]};
      wire [CW-1:0] credits_kept = credits_q + {{CW - 1{1'b0}}, credit_i[v]};
      wire [CW-1:0] credits_next = spend ? credits_sent : credits_kept;
      wire [PW-1:0] places, places_sent, places_kept;
      if (OUTPUT_DEPTH > 0) begin : g_places
        assign places = ALL[PW-1:0] - count[v*PW+:PW];
        assign places_sent = places - {{PW - 1{1'b0}}, ~spend};
        assign places_kept = places + {{PW - 1{1'b0}}, spend};
      end else begin : g_places
        assign places = credits_q;
        assign places_sent = credits_sent;
        assign places_kept = credits_kept;
      end
      for (s = 0; s < RULES; s = s + 1) begin : g_space  // next cycle, if no flit crosses, if one does; this cycle; empty queue
        // verilator lint_off UNUSEDSIGNAL
        wire space, space2;  // this cycle's: for an assertion only
        // verilator lint_on UNUSEDSIGNAL
        ut_packet_space #(
            .V(V),
            .VC(v),
            .DEPTH(PLACES),
            .MAX_PACKET(MAX_PACKET),
            .MIN_PACKET(MIN_PACKET),
            .SWITCHING(SWITCHING),
            .RING(RING),
            .BUBBLE(BUBBLE),
            .PREFERRED(PREFERRED),
            .ATOMIC(ATOMIC),
            .DATELINE(DATELINE),
            .ESCAPES(ESCAPES)
        ) u_space (
            .credits_i(s == 0 ? places_kept : s == 1 ? places_sent : s == 2 ? places : ALL[PW-1:0]),
            .all_i(OUTPUT_DEPTH == 0 | (s == 3 ? 1'b0 : (s == 2 ? credits_q : credits_next) == FULL[CW-1:0])),
            .space_o(space),
            .space2_o(space2)
        );
      end
      assign space_o[v]  = offer_q[0];
      assign space2_o[v] = BUBBLE != 0 ? offer_q[BUBBLE] : 1'b0;
      wire [AW-1:0] amount;
      if (LEVELS > 0) begin : g_amount
        assign amount = offer_q[OW-1-:AW];
      end else if (SPACE != 0) begin : g_amount
        assign amount = BITS != 0 ? places[AW-1:0] : {AW{1'b0}};
      end else begin : g_amount
        assign amount = BITS != 0 ? credits_q[AW-1:0] : {AW{1'b0}};
      end
      for (l = 0; l < AW; l = l + 1) begin : g_column
        assign amount_o[l*V+v] = amount[l];
      end
      // Under VCT the space for the whole packet was reserved when the VC was taken.
      // With a register in front of the crossbar, the flit that leaves now is not the one that is requested.
      assign sendable_o[v] = up_q & (SWITCHING == `UT_SWITCHING_VCT | |(places >> 1) | (places[0] & ~(XBAR_CYCLES != 0 & send)));
      wire error, any_error;  // a chain instead of a vector: a simulator then evaluates it once in a cycle, at the clock
      assign error = (spend & ~|credits_q) | (up_q & credit_i[v] & ~spend & credits_q == FULL[CW-1:0]);
      if (v == 0) begin : g_error
        assign any_error = error | queue_error;
      end else begin : g_error
        assign any_error = error | g_vc[v-1].any_error;
      end
      // When the link comes back, the buffer behind it is unknown, but the queues are empty.
      wire [OW-1:0] offer_anew;
      if (OUTPUT_DEPTH > 0) begin : g_anew
        assign offer_anew = offered(link_up_i & ~rst_i, g_space[RULES-1].space, g_space[RULES-1].space2, {CW{1'b0}});
      end else begin : g_anew
        assign offer_anew = {OW{1'b0}};
      end
      always @(posedge clk_i)
        if (rst_i | ~up_q) begin
          owned_q   <= 1'b0;
          credits_q <= {CW{1'b0}};
          offer_q   <= offer_anew;
        end else begin
          owned_q   <= (owned_q | take_i[v]) & ~(send & kind_i[1]);
          credits_q <= credits_next;
          offer_q   <= send ? offered(link_up_i & kind_i[1], g_space[1].space, g_space[1].space2, credits_sent) :
              offered(link_up_i & ~owned_q & ~take_i[v], g_space[0].space, g_space[0].space2, credits_kept);
        end
    end
  endgenerate

  wire [V*VW-1:0] number;  // of each VC
  wire [VW-1:0] vc_d;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_number
      localparam [31:0] ME = v;
      assign number[v*VW+:VW] = ME[VW-1:0];
    end
  endgenerate
  ut_one_hot_mux #(
      .N(V),
      .W(VW)
  ) u_number (
      .rows_i(number),
      .select_i(out_vc),
      .row_o(vc_d)
  );

  always @(posedge clk_i) begin
    up_q <= link_up_i & ~rst_i;
    valid_q <= out_valid & ~rst_i;
    if (out_valid) begin
      vc_q   <= vc_d;
      kind_q <= out_kind;
      bad_q  <= out_bad;
      data_q <= out_data;
    end
  end

  assign up_o = up_q;
  assign valid_o = valid_q;
  assign vc_o = vc_q;
  assign kind_o = kind_q;
  assign bad_o = bad_q;
  assign data_o = data_q;
  assign error_o = g_vc[V-1].any_error;

  // ---- assertions
  // Two VCs on the wire at once would mix two packets.
  `UT_ASSERT(one_vc_sends, !valid_i || $onehot(vc_i))
  // A VC that is owned already would get two packets.
  `UT_ASSERT_EACH(v, V, taken_was_free, !take_i[v] || (up_q && !g_vc[v].owned_q))
  // A flit of another packet would enter the owner's packet.
  `UT_ASSERT_EACH(v, V, sender_owns, !(valid_i && vc_i[v]) || g_vc[v].owned_q || take_i[v])
  // A flit without a credit would meet a full buffer.
  `UT_ASSERT_EACH(v, V, flit_has_credit, !g_vc[v].spend || |g_vc[v].credits_q)
  // More credits than places: the receiver has advertised a place twice.
  `UT_ASSERT_EACH(v, V, credits_fit, 32'd0 + g_vc[v].credits_q <= FULL)
  // The offer is stored, but follows from owner and credits.
  `UT_ASSERT_EACH(v, V, offer_follows, g_vc[v].offer_q == offered(up_q & ~g_vc[v].owned_q, g_vc[v].g_space[2].space,
                                                                  g_vc[v].g_space[2].space2, g_vc[v].credits_q))
  // A VC with space for a packet has a credit for its head, or a place of its queue.
  `UT_ASSERT_EACH(v, V, space_has_credit, !space_o[v] || |g_vc[v].places)
  // A link that is down grants nothing: its owners and credits are forgotten.
  `UT_ASSERT(down_has_no_space, up_q || ~|{space_o, space2_o, sendable_o})
  // Space for two packets implies space for one.
  `UT_ASSERT(space2_is_space, BUBBLE == 0 || (space2_o & ~space_o) == 0)
endmodule
`default_nettype wire
