// SPDX-License-Identifier: Apache-2.0
// ut_output_queue - the queues of an output port, one a VC, between crossbar and output register (OUTPUT_DEPTH).
//
// Handshake: push_i, one-hot or 0, puts a flit into the queue of a VC at the clock edge; there must be a free place
// (count_o).  send_o, one-hot or 0, names the VC whose front flit leaves at the clock edge, and spends a credit: a head when
// the buffer behind the link has space for its packet (ut_packet_space), under virtual cut-through with all that follows it;
// under wormhole each flit needs a credit.  Round-robin over the VCs that may send.  A flit that is pushed in cycle t may
// leave in t+1.  While the link is down (up_i is 0) the queues are emptied.  Payload is not reset.
// Twin: spec/output_queue.c
`default_nettype none
`include "assertions.vh"
`include "parameters.vh"
module ut_output_queue #(
    // rtl/parameters.tsv: begin
    parameter V = 1,
    parameter DEPTH = 4,
    parameter OUTPUT_DEPTH = 0,
    parameter W = 64,
    parameter MAX_PACKET = 2,
    parameter MIN_PACKET = MAX_PACKET,
    parameter SWITCHING = 0,
    parameter ESCAPES = 1,
    // rtl/parameters.tsv: end
    parameter BUBBLE = 0,
    parameter PREFERRED = 0,
    parameter ATOMIC = 0,
    parameter DATELINE = 0,
    parameter CW = $clog2(DEPTH + 1),
    parameter PW = $clog2(OUTPUT_DEPTH + 1)
) (
    input wire             clk_i,
    input wire             rst_i,
    input wire             up_i,
    input wire  [V*CW-1:0] credits_i,  // over (vc, bit)
    input wire  [   V-1:0] push_i,
    input wire  [     1:0] kind_i,
    input wire             bad_i,
    input wire  [   W-1:0] data_i,
    output wire [V*PW-1:0] count_o,    // flits, over (vc, bit)
    output wire [   V-1:0] send_o,
    output wire [     1:0] kind_o,
    output wire            bad_o,
    output wire [   W-1:0] data_o,
    output wire            error_o     // a push into a full queue
);
  wire [V*(W+3)-1:0] front;  // over (vc, bit): tag and data
  wire [V-1:0] ready;
  genvar v;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_fifo
      wire [CW-1:0] credits = credits_i[v*CW+:CW];
      wire [2:0] tag;
      wire [W-1:0] data;
      wire nonempty, space, error, any_error;  // a chain, as in ut_output_unit
      ut_fifo #(
          .DEPTH(OUTPUT_DEPTH),
          .W(W)
      ) u_fifo (
          .clk_i(clk_i),
          .rst_i(rst_i | ~up_i),
          .push_i(push_i[v]),
          .data_i(data_i),
          .tag_i({bad_i, kind_i}),
          .pop_i(send_o[v]),
          .data_o(data),
          .tag_o(tag),
          .nonempty_o(nonempty),
          .count_o(count_o[v*PW+:PW]),
          .error_o(error)
      );
      // verilator lint_off UNUSEDSIGNAL
      wire space2;  // packets do not enter a ring here
      // verilator lint_on UNUSEDSIGNAL
      ut_packet_space #(
          .V(V),
          .VC(v),
          .DEPTH(DEPTH),
          .MAX_PACKET(MAX_PACKET),
          .MIN_PACKET(MIN_PACKET),
          .SWITCHING(SWITCHING),
          .BUBBLE(BUBBLE),
          .PREFERRED(PREFERRED),
          .ATOMIC(ATOMIC),
          .DATELINE(DATELINE),
          .ESCAPES(ESCAPES)
      ) u_space (
          .credits_i(credits),
          .all_i(1'b1),
          .space_o(space),
          .space2_o(space2)
      );
      assign ready[v] = up_i & nonempty & (tag[0] ? space : SWITCHING == `UT_SWITCHING_VCT | |credits);
      assign front[v*(W+3)+:W+3] = {tag, data};
      if (v == 0) begin : g_error
        assign any_error = error;
      end else begin : g_error
        assign any_error = error | g_fifo[v-1].any_error;
      end
    end
  endgenerate
  assign error_o = g_fifo[V-1].any_error;

  ut_rr_arbiter #(
      .LINES(V)
  ) u_link (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .req_i(ready),
      .advance_i(1'b1),
      .gnt_o(send_o)
  );
  ut_one_hot_mux #(
      .N(V),
      .W(W + 3)
  ) u_front (
      .rows_i(front),
      .select_i(send_o),
      .row_o({bad_o, kind_o, data_o})
  );

  // ---- assertions
  // A flit for a link that is down would still be in the queue when the link comes back.
  `UT_ASSERT(down_gets_nothing, up_i || push_i == 0)
  // A flit without a credit would meet a full buffer behind the link.
  `UT_ASSERT_EACH(v, V, flit_has_credit, !send_o[v] || |credits_i[v*CW+:CW])
  // A full queue accepts nothing, even if its front flit leaves: the place is free in the next cycle.
  `UT_ASSERT_EACH(v, V, queue_has_place, !push_i[v] || 32'd0 + count_o[v*PW+:PW] < OUTPUT_DEPTH)
endmodule
`default_nettype wire
