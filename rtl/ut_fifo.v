// SPDX-License-Identifier: Apache-2.0
// ut_fifo - circular buffer of one input VC: DEPTH flits of W data bits and a 3-bit tag {bad, kind}.
//
// Handshake: push_i writes at the clock edge and needs count_o < DEPTH; pop_i removes the front at the clock edge and needs
// nonempty_o.  Both may happen in one cycle.  A flit that is pushed in cycle t is at the front in t+1 at the earliest.
// Payload is not reset: places outside the pointers are never read.  Data and tag are two memories, so that a simulator
// stores the data in whole words.
// Twin: csim/switch/input_unit.h
`default_nettype none
`include "assertions.vh"
module ut_fifo #(
    parameter DEPTH = 4,
    parameter W = 64,
    parameter CW = $clog2(DEPTH + 1)
) (
    input wire           clk_i,
    input wire           rst_i,
    input wire           push_i,
    input wire  [ W-1:0] data_i,
    input wire  [   2:0] tag_i,
    input wire           pop_i,
    output wire [ W-1:0] data_o,
    output wire [   2:0] tag_o,
    output wire          nonempty_o,
    output wire [CW-1:0] count_o,
    output wire          error_o      // a push into a full or a pop from an empty buffer
);
  localparam AW = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam [31:0] LAST = DEPTH - 1;
  localparam [31:0] FULL = DEPTH;

  reg [W-1:0] data_q[0:DEPTH-1]  /*verilator public_flat_rd*/;
  reg [2:0] tag_q[0:DEPTH-1]  /*verilator public_flat_rd*/;
  reg [AW-1:0] rd_q  /*verilator public_flat_rd*/;
  reg [AW-1:0] wr_q  /*verilator public_flat_rd*/;
  reg [CW-1:0] count_q  /*verilator public_flat_rd*/;

  assign data_o = data_q[rd_q];
  assign tag_o = tag_q[rd_q];
  assign nonempty_o = |count_q;
  assign count_o = count_q;
  assign error_o = (push_i & count_q == FULL[CW-1:0]) | (pop_i & ~nonempty_o);

  always @(posedge clk_i) begin
    if (push_i) begin
      data_q[wr_q] <= data_i;
      tag_q[wr_q]  <= tag_i;
    end
    if (rst_i) begin
      rd_q <= {AW{1'b0}};
      wr_q <= {AW{1'b0}};
      count_q <= {CW{1'b0}};
    end else begin
      if (push_i) wr_q <= wr_q == LAST[AW-1:0] ? {AW{1'b0}} : wr_q + {{AW - 1{1'b0}}, 1'b1};
      if (pop_i) rd_q <= rd_q == LAST[AW-1:0] ? {AW{1'b0}} : rd_q + {{AW - 1{1'b0}}, 1'b1};
      // pop_i arrives late: both possible counts are computed before it
      count_q <= pop_i ? count_q - {{CW - 1{1'b0}}, ~push_i} : count_q + {{CW - 1{1'b0}}, push_i};
    end
  end

  // ---- assertions
  // Credits count the free places: a sender that obeys them never writes into a full buffer.
  `UT_ASSERT(push_has_space, !push_i || count_q != FULL[CW-1:0])
  // Only the front of a buffer that holds something can leave.
  `UT_ASSERT(pop_has_flit, !pop_i || nonempty_o)
  // Pointers and count are three registers for two facts: read pointer and count lead to the write pointer.
  `UT_ASSERT(pointers_agree, 32'd0 + rd_q + count_q == 32'd0 + wr_q || 32'd0 + rd_q + count_q == FULL + wr_q)
endmodule
`default_nettype wire
