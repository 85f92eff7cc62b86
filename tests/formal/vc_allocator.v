// vc_allocator - proof of ut_vc_allocator: an output VC is given to one packet at a time, to one that bids for it, and only where
// there is room.  The assertions inside the module are proven, too; nothing is assumed but that room means credits.
module vc_allocator #(
    parameter PI = 3,
    parameter PO = 3,
    parameter V = 2,
    parameter DEPTH = 4
) (
    input clk_i
);
  localparam NI = PI * V;
  localparam NO = PO * V;
  localparam CW = $clog2(DEPTH + 1);
  reg started_q = 1'b0;
  always @(posedge clk_i) started_q <= 1'b1;
  wire rst_i = ~started_q;
  (* anyseq *)wire [NI-1:0] bid;
  (* anyseq *)wire [NI*NO-1:0] cand, bubble, preferred;
  (* anyseq *)wire [NO-1:0] room, room2;
  (* anyseq *)wire [PO*V*CW-1:0] credits;
  wire [NI-1:0] grant;
  wire [NI*NO-1:0] choice;
  wire [NO-1:0] taken;
  ut_vc_allocator #(
      .PI(PI),
      .PO(PO),
      .V(V),
      .CW(CW),
      .DEPTH(DEPTH),
      .LEAST(2),
      .LOCAL(0)
  ) u_allocator (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .bid_i(bid),
      .cand_i(cand),
      .bubble_i(bubble),
      .preferred_i(preferred),
      .room_i(room),
      .room2_i(room2),
      .credits_i(credits),
      .grant_o(grant),
      .choice_o(choice),
      .taken_o(taken)
  );
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
      if (a[i]) may_a = cand[i*NO+:NO] & room & (room2 | ~bubble[i*NO+:NO]);
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
