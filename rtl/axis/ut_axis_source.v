// SPDX-License-Identifier: Apache-2.0
// ut_axis_source - a terminal's sending half: AXI4-Stream frames become packets for an input port of a switch.
//
// A frame, up to tlast, becomes a packet for terminal s_axis_tdest: a header flit, in whose cycle no beat is taken, and a
// flit for each beat.  tdest must stay the same within a frame.  Under virtual cut-through a packet has at most MAX_PACKET
// flits: a longer frame becomes several packets.  Under wormhole switching frames may have any length. Back-pressure: tready
// is 1 when a flit may be sent; it does not depend on tvalid. A new packet takes the VC with most credits, then the lowest,
// as terminals of the golden model do; a credit that arrives in this cycle does not count yet.  The rest of a frame whose
// link went down is accepted and dropped.
// Twin: csim/network/terminal_cycle.h, packets are sent
`default_nettype none
`include "layout.vh"
module ut_axis_source #(
    parameter V = 1,           // VCs in which packets begin: those of the switch, or of its first virtual layer
    parameter DEPTH = 4,       // as those of the switch
    parameter W = 64,
    parameter MAX_PACKET = 2,
    parameter SWITCHING = 0,
    parameter VW = V > 1 ? $clog2(V) : 1
) (
    input  wire          clk_i,
    input  wire          rst_i,
    input  wire [  15:0] terminal_i,     // number of this terminal
    // AXI4-Stream
    input  wire          s_axis_tvalid,
    output wire          s_axis_tready,
    input  wire [ W-1:0] s_axis_tdata,
    input  wire          s_axis_tlast,
    input  wire [  15:0] s_axis_tdest,
    // link to the switch
    input  wire          link_up_i,
    output wire          valid_o,
    output wire [VW-1:0] vc_o,
    output wire [   1:0] kind_o,
    output wire          bad_o,
    output wire [ W-1:0] data_o,
    input  wire [ V-1:0] credit_i
);
  generate
    if (SWITCHING == 0 && MAX_PACKET < 2) ERROR_packet_needs_a_header_and_a_beat u_rule ();
    if (SWITCHING == 0 && DEPTH < MAX_PACKET) ERROR_vct_needs_buffer_of_one_packet u_rule ();
  endgenerate
  localparam CW = $clog2(DEPTH + 1);
  localparam [31:0] NEED = SWITCHING != 0 ? 1 : MAX_PACKET;
  localparam LW = MAX_PACKET > 2 ? $clog2(MAX_PACKET) : 1;
  localparam [31:0] BEATS = MAX_PACKET - 1;

  reg up_q;    // the link was up in the last cycle
  reg open_q;  // the header has been sent, the tail has not
  reg drop_q;  // the rest of the frame is dropped
  reg [LW-1:0] last_q;  // virtual cut-through: beats of this packet for which there is still space, minus one
  reg [7:0] tag_q;  // packets, modulo 256
  reg [V*CW-1:0] credits_q;
  reg valid_q;
  reg [VW-1:0] vc_q;
  reg [1:0] kind_q;
  reg [W-1:0] data_q;

  // ---- the VC for a new packet
  reg [CW-1:0] most;
  reg [VW-1:0] best;
  integer v;
  always @* begin
    most = credits_q[0+:CW];
    best = {VW{1'b0}};
    for (v = 1; v < V; v = v + 1)
      if (credits_q[v*CW+:CW] > most) begin
        most = credits_q[v*CW+:CW];
        best = v[VW-1:0];
      end
  end

  wire begins = s_axis_tvalid & ~open_q & ~drop_q & up_q & most >= NEED[CW-1:0];
  wire sendable = open_q & up_q & (SWITCHING == 0 | |credits_q[vc_q*CW+:CW]);
  wire takes = s_axis_tvalid & sendable;
  wire ends = s_axis_tlast | (SWITCHING == 0 & ~|last_q);
  wire sends = begins | takes;
  wire [VW-1:0] vc = begins ? best : vc_q;
  assign s_axis_tready = sendable | drop_q;

  wire [63:0] header;
  assign header[`UT_HEADER_DST_LSB+:`UT_HEADER_DST_WIDTH] = s_axis_tdest;
  assign header[`UT_HEADER_SRC_LSB+:`UT_HEADER_SRC_WIDTH] = terminal_i;
  assign header[`UT_HEADER_TAG_LSB+:`UT_HEADER_TAG_WIDTH] = tag_q;
  assign header[`UT_HEADER_RT_LSB+:`UT_HEADER_RT_WIDTH] = {`UT_HEADER_RT_WIDTH{1'b0}};

  always @(posedge clk_i) begin
    up_q <= link_up_i & ~rst_i;
    valid_q <= sends & ~rst_i;
    if (sends) begin
      vc_q   <= vc;
      kind_q <= begins ? `UT_KIND_HEAD : ends ? `UT_KIND_TAIL : `UT_KIND_BODY;
      data_q <= s_axis_tdata;
      if (begins) data_q[63:0] <= header;
    end
    if (rst_i) begin
      open_q <= 1'b0;
      drop_q <= 1'b0;
      tag_q  <= 8'd0;
    end else if (open_q & ~up_q) begin
      open_q <= 1'b0;
      drop_q <= 1'b1;
    end else begin
      open_q <= begins | (open_q & ~(takes & ends));
      drop_q <= drop_q & ~(s_axis_tvalid & s_axis_tlast);
      if (begins) tag_q <= tag_q + 8'd1;
    end
    last_q <= begins ? BEATS[LW-1:0] - {{LW - 1{1'b0}}, 1'b1} : last_q - {{LW - 1{1'b0}}, takes};
    for (v = 0; v < V; v = v + 1)
      if (rst_i | ~up_q) credits_q[v*CW+:CW] <= {CW{1'b0}};
      else
        credits_q[v*CW+:CW] <= credits_q[v*CW+:CW] + {{CW - 1{1'b0}}, credit_i[v]} -
            {{CW - 1{1'b0}}, sends & {{32 - VW{1'b0}}, vc} == v};
  end

  assign valid_o = valid_q;
  assign vc_o = vc_q;
  assign kind_o = kind_q;
  assign bad_o = 1'b0;
  assign data_o = data_q;
endmodule
`default_nettype wire
