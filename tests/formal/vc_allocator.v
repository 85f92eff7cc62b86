// SPDX-License-Identifier: Apache-2.0
// vc_allocator - proof of ut_vc_allocator: an output VC is given to one packet at a time, to one that bids for it, and only where
// there is space.  The assertions inside the module are proven, too; nothing is assumed but that space means credits.
`include "parameters.vh"
module vc_allocator #(
    parameter PI = 3,
    parameter PO = 3,
    parameter V = 2,
    parameter LEVELS = 2,
    parameter BITS = 0,
    parameter ALIKE = 1,
    parameter SINGLE = 0,
    parameter ARBITRATION = 0,  // with ranks they are whatever they are
    parameter SELECTION = 0
) (
    input clk_i
);
  localparam NI = PI * V;
  localparam NO = PO * V;
  localparam RW = `UT_ARBITRATION_RANK(ARBITRATION) > 0 ? `UT_ARBITRATION_RANK(ARBITRATION) : 1;
  localparam AW = LEVELS > 0 ? LEVELS : BITS > 0 ? BITS : 1;
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst_i = ~started_q;
  (* anyseq *)wire [NI-1:0] bid;
  (* anyseq *)wire [NI*NO-1:0] cand, bubble, preferred;
  (* anyseq *)wire [NO-1:0] space, space2;
  (* anyseq *)wire [AW*NO-1:0] amount;
  (* anyseq *)wire [NI*RW-1:0] rank;
  (* anyseq *)wire [15:0] seed;
  wire [NI-1:0] grant;
  wire [NI*NO-1:0] choice;
  wire [NO-1:0] taken;
  ut_vc_allocator #(
      .PI(PI),
      .PO(PO),
      .V(V),
      .LEVELS(LEVELS),
      .BITS(BITS),
      .ALIKE(ALIKE),
      .SINGLE(SINGLE),
      .LOCAL(0),
      .ARBITRATION(ARBITRATION),
      .SELECTION(SELECTION)
  ) u_allocator (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .bid_i(bid),
      .cand_i(cand),
      .bubble_i(bubble),
      .preferred_i(preferred),
      .rank_i(rank),
      .seed_i(seed),
      .space_i(space),
      .space2_i(space2),
      .amount_i(amount),
      .grant_o(grant),
      .choice_o(choice),
      .taken_o(taken)
  );
  // ---- what is assumed of candidates: VCs that are alike are candidates together, and need no space for two; with SINGLE there
  // is one port, and one class of VCs
  genvar g;
  generate
    for (g = 0; g < NI; g = g + 1) begin : g_row
      wire [NO-1:0] mine = cand[g*NO+:NO];
      wire [PO-1:0] first = mine[PO-1:0];
      wire [NO-1:0] others = mine & ({NO{1'b1}} << ALIKE * PO);
      always @* begin
        assume (mine[ALIKE*PO-1:0] == {ALIKE{first}});
        assume (ALIKE == 1 || bubble[g*NO+:ALIKE*PO] == 0);
        assume (preferred[g*NO+:ALIKE*PO] == {ALIKE{preferred[g*NO+:PO]}});
        assume (SINGLE == 0 || ($onehot0(first) && $onehot0(others) && ~(|first & |others)));
      end
    end
  endgenerate

  // ---- any two input VCs, and any one
  (* anyconst *)wire [NI-1:0] a, b;  // one-hot
  always @* assume ($onehot(a) && $onehot(b));
  integer i;
  reg [NO-1:0] gets_a, gets_b, may_a, may_all;
  always @* begin
    gets_a = {NO{1'b0}};
    gets_b = {NO{1'b0}};
    may_a  = {NO{1'b0}};
    may_all = {NO{1'b0}};
    for (i = 0; i < NI; i = i + 1) begin
      if (a[i] & grant[i]) gets_a = choice[i*NO+:NO];
      if (b[i] & grant[i]) gets_b = choice[i*NO+:NO];
      if (a[i]) may_a = cand[i*NO+:NO] & space & (space2 | ~bubble[i*NO+:NO]);
      if (grant[i]) may_all = may_all | choice[i*NO+:NO];
    end
  end
  always @*
    if (started_q) begin
      one_owner: assert (a == b || (gets_a & gets_b) == 0);
      granted_asked: assert ((grant & ~bid) == 0);
      one_of_its_candidates: assert (~|(a & grant) || ($onehot(gets_a) && (gets_a & ~may_a) == 0));
      taken_is_given: assert (taken == may_all);
      somebody_gets: assert (~(|(a & bid) && |may_a) || |taken);
      cover ($countones(grant) == 3);
    end
endmodule
