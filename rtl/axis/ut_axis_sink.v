// SPDX-License-Identifier: Apache-2.0
// ut_axis_sink - a terminal's receiving half: packets from an output port of a switch become AXI4-Stream frames.
//
// The header flit is removed; m_axis_tid is the terminal that sent the packet.  Frames do not interleave: while one is
// transferred, the others wait in the buffers of their VCs, of DEPTH flits each.  A flit that finds its buffer empty and the
// receiver ready passes in the same cycle.  Back-pressure: a credit goes back when a flit leaves its buffer. m_axis_tuser on
// the last beat: a fault has cut the packet, beats are missing; the data of this beat means nothing.
// Twin: csim/network/terminal_cycle.h, packets are received; of credits and cuts rtl/ut_input_vc.v
`default_nettype none
`include "layout.vh"
module ut_axis_sink #(
    parameter V = 1,  // as those of the switch
    parameter DEPTH = 4,
    parameter W = 64,
    parameter VW = V > 1 ? $clog2(V) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    // link from the switch
    input  wire          link_up_i,
    input  wire          valid_i,
    input  wire [VW-1:0] vc_i,
    input  wire [   1:0] kind_i,
    input  wire          bad_i,
    input  wire [ W-1:0] data_i,
    output wire [ V-1:0] credit_o,
    // AXI4-Stream
    output wire          m_axis_tvalid,
    input  wire          m_axis_tready,
    output wire [ W-1:0] m_axis_tdata,
    output wire          m_axis_tlast,
    output wire [  15:0] m_axis_tid,
    output wire          m_axis_tuser,
    output wire          error_o         // the switch has sent a flit without a credit; stays 1 until reset
);
  localparam CW = $clog2(DEPTH + 1);
  localparam [31:0] FULL = DEPTH;

  reg  up_q;
  reg  [15:0] source_q;  // of the frame that is being transferred
  reg  open_q;
  reg  [V-1:0] owner_q;  // its VC, one-hot
  wire accept = valid_i & link_up_i & up_q;

  // ---- VCs: the front flit of each, which may be the one that is arriving
  wire [V-1:0] there, turn, pop, error;
  wire [V*W-1:0] data;
  wire [V*3-1:0] tag;
  genvar v;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      localparam [31:0] ME = v;
      wire comes = accept & (V == 1 | vc_i == ME[VW-1:0]);
      reg arriving_q;  // a head has arrived, its tail has not
      reg cut_q;  // and will not arrive; there was no space for a bad tail
      reg credit_q;
      reg [CW-1:0] pending_credits_q;  // free places that the sender has not been told of
      wire nonempty, full;
      wire [CW-1:0] count;
      wire [W-1:0] front;
      wire [2:0] front_tag;
      wire due = (~up_q | cut_q) & arriving_q;
      wire bad_tail = due & ~full;
      wire dead = ~up_q | cut_q;
      wire push = bad_tail | (comes & (nonempty | ~pop[v]));
      assign full = count == FULL[CW-1:0];
      wire [CW-1:0] count_d = count + {{CW - 1{1'b0}}, push} - {{CW - 1{1'b0}}, pop[v] & nonempty};
      ut_fifo #(
          .DEPTH(DEPTH),
          .W(W)
      ) u_fifo (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .push_i(push),
          .data_i(data_i),
          .tag_i(bad_tail ? {1'b1, `UT_KIND_TAIL} : {bad_i, kind_i}),
          .pop_i(pop[v] & nonempty),
          .data_o(front),
          .tag_o(front_tag),
          .nonempty_o(nonempty),
          .count_o(count),
          .error_o(error[v])
      );
      assign there[v] = nonempty | comes;
      assign data[v*W+:W] = nonempty ? front : data_i;
      assign tag[v*3+:3] = nonempty ? front_tag : {bad_i, kind_i};
      assign credit_o[v] = credit_q;
      always @(posedge clk_i)
        if (rst_i) begin
          arriving_q <= 1'b0;
          cut_q <= 1'b0;
          credit_q <= 1'b0;
          pending_credits_q <= FULL[CW-1:0];
        end else begin
          if (comes | bad_tail) arriving_q <= ~bad_tail & (arriving_q | kind_i[0]) & ~kind_i[1];
          cut_q <= due & ~bad_tail;
          credit_q <= ~dead & (pop[v] | |pending_credits_q);
          pending_credits_q <= dead ? FULL[CW-1:0] - count_d : pop[v] ? pending_credits_q : pending_credits_q - {{CW - 1{1'b0}}, |pending_credits_q};
        end
    end
  endgenerate

  // ---- one frame after the other
  ut_rr_arbiter #(
      .LINES(V)
  ) u_pointer (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .req_i(there),
      .advance_i(~open_q),
      .gnt_o(turn)
  );
  wire [V-1:0] chosen = open_q ? owner_q & there : turn;
  wire [W-1:0] flit;
  wire [2:0] flit_tag;
  ut_one_hot_mux #(
      .N(V),
      .W(W)
  ) u_flit (
      .rows_i(data),
      .select_i(chosen | {V{V == 1}}),
      .row_o(flit)
  );
  ut_one_hot_mux #(
      .N(V),
      .W(3)
  ) u_tag (
      .rows_i(tag),
      .select_i(chosen | {V{V == 1}}),
      .row_o(flit_tag)
  );
  wire is_there = |chosen;
  wire head = flit_tag[0];
  wire tail = flit_tag[1];
  assign m_axis_tvalid = is_there & ~head;
  assign m_axis_tdata = flit;
  assign m_axis_tlast = tail;
  assign m_axis_tuser = tail & flit_tag[2];
  assign m_axis_tid = source_q;
  wire gone = is_there & (head | m_axis_tready);
  assign pop = gone ? chosen : {V{1'b0}};

  reg error_q;
  assign error_o = error_q;
  always @(posedge clk_i) begin
    up_q <= link_up_i & ~rst_i;
    error_q <= ~rst_i & (error_q | |error);
    if (gone & head) source_q <= flit[`UT_HEADER_SRC_LSB+:`UT_HEADER_SRC_WIDTH];
    if (rst_i) open_q <= 1'b0;
    else if (gone) open_q <= ~tail;
    if (gone & head) owner_q <= chosen;
  end
endmodule
`default_nettype wire
