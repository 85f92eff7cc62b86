// output_unit - an output port: which of its VCs are owned, their credits, the output register.
//
// take_i: VCs that the VC allocator gives away in this cycle; valid_i: a flit leaves through vc_i (one-hot).  A VC is
// free again in the cycle after its tail has left.  While the link is down it has no credits and no owners; when it
// comes back it starts from zero credits, and the receiver advertises its free space (docs/faults.md).  Payload of the
// output register is not reset.
// Twin: csim/switch/output_unit.h
module output_unit #(
    parameter V = 1,
    parameter VW = 1,
    parameter DEPTH = 4,
    parameter W = 64,
    parameter WORMHOLE = 0,
    parameter MAX_PACKET = 2,
    parameter EMPTY_BELOW = 0,         // VCs below this one (wormhole): a packet gets one only when its buffer is empty
    parameter RING_FROM = V,          // VCs from this one on are channels of rings: there ...
    parameter RING_ROOM = MAX_PACKET,  // ... a packet that goes on in its ring needs so much room
    parameter CW = $clog2(DEPTH + 1)
) (
    input             clk_i,
    input             rst_i,
    input             link_up_i,
    input  [   V-1:0] credit_i,
    input  [   V-1:0] take_i,
    input             valid_i,
    input  [   V-1:0] vc_i,
    input  [     1:0] kind_i,
    input             bad_i,
    input  [   W-1:0] data_i,
    output            up_o,
    output [   V-1:0] room_o,      // free, up, room for one packet (wormhole: one flit, or EMPTY_BELOW)
    output [   V-1:0] room2_o,     // free, up, room for two packets: that and one more
    output [   V-1:0] sendable_o,  // up, and a credit for the next flit of the packet that owns the VC
    output [V*CW-1:0] credits_o,
    output            valid_o,
    output [  VW-1:0] vc_o,
    output [     1:0] kind_o,
    output            bad_o,
    output [   W-1:0] data_o,
    output            error_o
);
  localparam [31:0] FULL = DEPTH;

  reg up_q  /*verilator public_flat_rd*/;
  reg valid_q  /*verilator public_flat_rd*/;
  reg [VW-1:0] vc_q  /*verilator public_flat_rd*/;
  reg [1:0] kind_q  /*verilator public_flat_rd*/;
  reg bad_q  /*verilator public_flat_rd*/;
  reg [W-1:0] data_q  /*verilator public_flat_rd*/;

  wire [V-1:0] error;
  genvar v, b;
  generate
    for (v = 0; v < V; v = v + 1) begin : g_vc
      localparam [31:0] NEED = WORMHOLE != 0 ? (v < EMPTY_BELOW ? DEPTH : 1) : v >= RING_FROM ? RING_ROOM : MAX_PACKET;
      localparam [31:0] NEED2 = WORMHOLE != 0 ? 1 : NEED + MAX_PACKET;
      reg owned_q  /*verilator public_flat_rd*/;
      reg [CW-1:0] credits_q  /*verilator public_flat_rd*/;
      wire send = valid_i & vc_i[v];
      wire free = up_q & ~owned_q;
      assign room_o[v] = free & credits_q >= NEED[CW-1:0];
      // Two packets may be more than the buffer can ever hold: then the rule forbids the move for good.
      assign room2_o[v] = NEED2 <= FULL ? free & credits_q >= NEED2[CW-1:0] : 1'b0;
      // Under VCT the room for the whole packet was there when the VC was taken.
      assign sendable_o[v] = WORMHOLE != 0 ? up_q & |credits_q : up_q;
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

  wire [VW-1:0] vc_d;  // vc_i as a number
  generate
    for (b = 0; b < VW; b = b + 1) begin : g_encode
      wire [V-1:0] bits;
      for (v = 0; v < V; v = v + 1) begin : g_bit
        assign bits[v] = vc_i[v] & ((v >> b) & 1) != 0;
      end
      assign vc_d[b] = |bits;
    end
  endgenerate

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
endmodule
