// SPDX-License-Identifier: Apache-2.0
// fifo - proof of ut_fifo: count, order, no flit lost or doubled; no overflow or underflow under its assumption.
//
// Assumed: who pushes has space, who pops has a flit (the proofs of `input` and `output`).  A flit is picked at any time and
// followed: it leaves as it came, behind exactly those that were before it.
// see rd = u_fifo.rd_q
// see wr = u_fifo.wr_q
// see data[i*W+W-1:i*W] = u_fifo.data_q[i] for i < DEPTH
// see tag[i*3+2:i*3] = u_fifo.tag_q[i] for i < DEPTH
module fifo #(
    parameter DEPTH = 4,
    parameter W = 2
) (
    input clk_i
);
  localparam CW = $clog2(DEPTH + 1);
  localparam AW = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam [31:0] FULL = DEPTH;
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst_i = ~started_q;

  (* anyseq *)wire push, pop, pick;
  (* anyseq *)wire [W-1:0] data;
  (* anyseq *)wire [2:0] tag;
  wire [W-1:0] out_data;
  wire [2:0] out_tag;
  wire nonempty, error;
  wire [CW-1:0] count;
  wire [AW-1:0] see_rd, see_wr;
  wire [W*DEPTH-1:0] see_data;
  wire [3*DEPTH-1:0] see_tag;
  ut_fifo #(
      .DEPTH(DEPTH),
      .W(W)
  ) u_fifo (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .push_i(push),
      .data_i(data),
      .tag_i(tag),
      .pop_i(pop),
      .data_o(out_data),
      .tag_o(out_tag),
      .nonempty_o(nonempty),
      .count_o(count),
      .error_o(error)
  );
  reg [CW-1:0] held_q;  // flits that came and did not leave
  always @* begin
    assume (~push | held_q != FULL[CW-1:0]);
    assume (~pop | held_q != 0);
  end

  // ---- the flit that is followed: how many are before it
  reg followed_q;
  reg [CW-1:0] ahead_q;
  reg [W+2:0] flit_q;
  wire picked = push & pick & ~followed_q;
  always @(posedge clk_i)
    if (rst_i) begin
      held_q <= {CW{1'b0}};
      followed_q <= 1'b0;
    end else begin
      held_q <= held_q + {{CW - 1{1'b0}}, push} - {{CW - 1{1'b0}}, pop};
      if (picked) begin
        followed_q <= 1'b1;
        ahead_q <= held_q - {{CW - 1{1'b0}}, pop};
        flit_q <= {tag, data};
      end else if (followed_q & pop) begin
        followed_q <= ahead_q != 0;
        ahead_q <= ahead_q - {{CW - 1{1'b0}}, 1'b1};
      end
    end

  integer s;
  reg [W+2:0] stored;  // at the place of the flit that is followed
  always @* begin
    stored = {W + 3{1'b0}};
    for (s = 0; s < DEPTH; s = s + 1)
      if (s == see_rd + ahead_q || s + DEPTH == see_rd + ahead_q) stored = {see_tag[3*s+:3], see_data[W*s+:W]};
  end
  always @*
    if (started_q) begin
      no_error: assert (~error);
      counts: assert (count == held_q && nonempty == (held_q != 0) && held_q <= FULL[CW-1:0]);
      in_order: assert (!(followed_q && ahead_q == 0) || {out_tag, out_data} == flit_q);
      // what makes the induction close
      pointers: assert (see_rd < FULL && see_wr < FULL && (see_rd + held_q == see_wr || see_rd + held_q == see_wr + FULL));
      stored_where: assert (!followed_q || (ahead_q < held_q && stored == flit_q));
      cover (followed_q && ahead_q + 1 == FULL[CW-1:0]);
    end
endmodule
