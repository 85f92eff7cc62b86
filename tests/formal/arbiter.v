// SPDX-License-Identifier: Apache-2.0
// arbiter - proof of ut_rr_arbiter: one grant, to one who asks, and nobody waits longer than N - 1 grants to others.
//
// Free: who asks, and whether a grant is used.  Assumed of who is watched: it asks until it has been served.
// The assertions inside the module are proven too (rtl/assertions.vh).
// see mask = u_arbiter.g_mask.mask
module arbiter #(
    parameter N = 4,
    parameter WORDS = 1
) (
    input clk_i
);
  localparam CW = $clog2(N) + 2;
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst_i = ~started_q;

  (* anyseq *)wire [N-1:0] req;
  (* anyseq *)wire advance;
  wire [N-1:0] gnt, see_mask;
  ut_rr_arbiter #(
      .LINES(N / WORDS),
      .WORDS(WORDS)
  ) u_arbiter (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .req_i(req),
      .advance_i(advance),
      .gnt_o(gnt)
  );

  // ---- one of them is watched: how many grants others have used since it asks
  (* anyconst *)wire [N-1:0] who;  // one-hot
  wire asks = |(req & who), served = |(gnt & who) & advance;
  reg waits_q;
  reg [CW-1:0] lost_q;
  always @(posedge clk_i)
    if (rst_i) begin
      waits_q <= 1'b0;
      lost_q  <= {CW{1'b0}};
    end else begin
      waits_q <= asks & ~served;
      lost_q  <= asks & ~served ? lost_q + {{CW - 1{1'b0}}, advance} : {CW{1'b0}};
    end
  always @* assume ($onehot(who));
  always @* if (waits_q) assume (asks);

  // Lines that come before it: those in the mask below it, or, where it is not in the mask, all in the mask and those below it.
  wire [N-1:0] below = who - {{N - 1{1'b0}}, 1'b1};
  wire [N-1:0] before = |(see_mask & who) ? see_mask & below : see_mask | below;
  always @*
    if (started_q) begin
      one_grant: assert ($onehot0(gnt));
      grant_asked: assert ((gnt & ~req) == 0 && |gnt == |req);
      served_in_turn: assert (lost_q < N);
      turn_comes_nearer: assert (lost_q + $countones(before) < N);  // what makes the induction close
      cover (lost_q == N - 1 && served);  // the bound is reached
    end
endmodule
