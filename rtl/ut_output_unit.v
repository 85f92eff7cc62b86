// ut_output_unit - an output port: which of its VCs are owned, their credits, the output register.
//
// take_i: VCs that the VC allocator gives away in this cycle; valid_i: a flit leaves through vc_i (one-hot).  A VC is
// free again in the cycle after its tail has left.  While the link is down it has no credits and no owners; when it
// comes back it starts from zero credits, and the receiver advertises its free space (docs/faults.md).  Payload of the
// output register is not reset.
// Twin: csim/switch/output_unit.h
`default_nettype none
`include "assertions.vh"
module ut_output_unit #(
    parameter V = 1,
    parameter VW = 1,
    parameter DEPTH = 4,
    parameter W = 64,
    parameter MAX_PACKET = 2,
    parameter MIN_PACKET = MAX_PACKET,
    parameter SWITCHING = 0,
    parameter BUBBLE = 0,
    parameter PREFERRED = 0,
    parameter ALONE = 0,
    parameter ESCAPES = 1,
    parameter CW = $clog2(DEPTH + 1)
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
    output wire [   V-1:0] room_o,      // free, up, room for a packet (ut_room)
    output wire [   V-1:0] room2_o,     // free, up, room for two packets: that and one more
    output wire [   V-1:0] sendable_o,  // up, and a credit for the next flit of the packet that owns the VC
    output wire [V*CW-1:0] credits_o,
    output wire            valid_o,
    output wire [  VW-1:0] vc_o,
    output wire [     1:0] kind_o,
    output wire            bad_o,
    output wire [   W-1:0] data_o,
    output wire            error_o
);
  localparam [31:0] FULL = DEPTH;

  reg up_q  /*verilator public_flat_rd*/;
  reg valid_q  /*verilator public_flat_rd*/;
  reg [VW-1:0] vc_q  /*verilator public_flat_rd*/;
  reg [1:0] kind_q  /*verilator public_flat_rd*/;
  reg bad_q  /*verilator public_flat_rd*/;
  reg [W-1:0] data_q  /*verilator public_flat_rd*/;

  wire [V-1:0] error;
  genvar v;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      reg owned_q  /*verilator public_flat_rd*/;
      reg [CW-1:0] credits_q  /*verilator public_flat_rd*/;
      wire send = valid_i & vc_i[v];
      ut_room #(
          .V(V),
          .VC(v),
          .DEPTH(DEPTH),
          .MAX_PACKET(MAX_PACKET),
          .MIN_PACKET(MIN_PACKET),
          .SWITCHING(SWITCHING),
          .BUBBLE(BUBBLE),
          .PREFERRED(PREFERRED),
          .ALONE(ALONE),
          .ESCAPES(ESCAPES)
      ) u_room (
          .free_i(up_q & ~owned_q),
          .credits_i(credits_q),
          .room_o(room_o[v]),
          .room2_o(room2_o[v])
      );
      // Under VCT the room for the whole packet was there when the VC was taken.
      assign sendable_o[v] = SWITCHING != 0 ? up_q & |credits_q : up_q;
      assign credits_o[v*CW+:CW] = credits_q;
      assign error[v] = (send & ~|credits_q) | (up_q & credit_i[v] & ~send & credits_q == FULL[CW-1:0]);
      always @(posedge clk_i)
        if (rst_i | ~up_q) begin
          owned_q   <= 1'b0;
          credits_q <= {CW{1'b0}};
        end else begin
          owned_q   <= (owned_q | take_i[v]) & ~(send & kind_i[1]);
          // `send` is late: both counts are there before it
          credits_q <= send ? credits_q - {{CW - 1{1'b0}}, ~credit_i[v]} : credits_q + {{CW - 1{1'b0}}, credit_i[v]};
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
      .select_i(vc_i),
      .row_o(vc_d)
  );

  always @(posedge clk_i) begin
    up_q <= link_up_i & ~rst_i;
    valid_q <= valid_i & ~rst_i;
    if (valid_i) begin
      vc_q   <= vc_d;
      kind_q <= kind_i;
      bad_q  <= bad_i;
      data_q <= data_i;
    end
  end

  assign up_o = up_q;
  assign valid_o = valid_q;
  assign vc_o = vc_q;
  assign kind_o = kind_q;
  assign bad_o = bad_q;
  assign data_o = data_q;
  assign error_o = |error;

  // ---- assertions
  // More than one VC on the wire would mix two packets.
  `UT_ASSERT(one_vc_sends, !valid_i || $onehot(vc_i))
  // A VC that is owned already would get two packets.
  `UT_ASSERT_EACH(v, V, taken_was_free, !take_i[v] || (up_q && !g_vc[v].owned_q))
  // A flit of somebody else would end up in the owner's packet.
  `UT_ASSERT_EACH(v, V, sender_owns, !(valid_i && vc_i[v]) || g_vc[v].owned_q || take_i[v])
  // A flit without a credit would find the buffer full.
  `UT_ASSERT_EACH(v, V, flit_has_credit, !(valid_i && vc_i[v]) || |g_vc[v].credits_q)
  // More credits than places: the receiver advertised something twice.
  `UT_ASSERT_EACH(v, V, credits_fit, 32'd0 + g_vc[v].credits_q <= FULL)
  // Where a packet may go there is a credit for its head.
  `UT_ASSERT_EACH(v, V, room_has_credit, !room_o[v] || |g_vc[v].credits_q)
  // A down link gives nothing away: its owners and credits are forgotten.
  `UT_ASSERT(down_has_no_room, up_q || ~|{room_o, room2_o, sendable_o})
  // Room for two packets is room for one.  Wormhole switching has no use for the first.
  `UT_ASSERT(room2_is_room, SWITCHING != 0 || (room2_o & ~room_o) == 0)
endmodule
`default_nettype wire
