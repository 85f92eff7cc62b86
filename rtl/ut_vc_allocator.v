// SPDX-License-Identifier: Apache-2.0
// ut_vc_allocator - gives free output VCs to waiting packets.
//
// A separable, input-first allocator.  Output VCs of a port that are candidates together or not at all form a VC class; in
// a cycle one VC represents its class: of those with space the one with most credits, the lowest among equals.  Each
// bidding input VC selects one class of one port (ut_vc_select).  Each class grants one of its bids round-robin: with LOCAL
// those of terminals first (ut_local_first), and among these the bids of the highest rank (ARBITRATION:
// ut_arbitration_policy, ut_request_filter).  The round-robin pointer belongs to the output VC and moves only on a grant.
//
// The pointer of the selection belongs to the input port.  It moves behind a port that was granted to a packet which could
// choose between ports (the lowest such input VC, if several are granted in one cycle): a packet without a choice would set
// it back, and the ports behind its own would carry more than others.  It starts at the opposite port, so that the inputs
// spread over the outputs.  SELECTION may have another mask of ports in its place (ut_selection_policy).  With SINGLE a
// packet has one class to select, and there is no such pointer.
//
// With UGAL a packet with candidates of both phases, on the first VIA VCs and on those behind them, goes minimally, on the
// latter, if a candidate there has UGAL credits, its VC owned or not, and else on the former (Singh, 2005, who compares
// products of queue and hops).
//
// Matrices run over (ip, ivc, ovc, op), vectors of output VCs over (ovc, op), vectors of classes over (class, op), and the
// arbiters over (ivc, ip).
// Twin: csim/switch/vc_allocator.h
`default_nettype none
`include "assertions.vh"
`include "parameters.vh"
module ut_vc_allocator #(
    // rtl/parameters.tsv: begin
    parameter PI = 8,
    parameter PO = 8,
    parameter V = 1,
    parameter VIA = 0,
    parameter UGAL = 0,
    parameter ARBITRATION = 0,
    parameter SELECTION = 0,
    // rtl/parameters.tsv: end
    parameter LEVELS = 2,  // thresholds of the credits
    parameter BITS = 0,    // bits of the counts, if these are compared; neither levels nor bits: all counts are equal
    parameter ALIKE = 1,   // VCs from VC 0 on that form one class; each other VC is a class of its own
    parameter SINGLE = 0,  // 1: a packet has one class to select from
    parameter LEAST = 1,   // credits that an output VC with space has at least
    parameter LOCAL = 0,   // number of terminals' input ports, the last ones, whose requests go first
    parameter RANK = `UT_ARBITRATION_RANK(ARBITRATION),  // bits of a packet's rank
    parameter RW = RANK > 0 ? RANK : 1,
    parameter AW = LEVELS > 0 ? LEVELS : BITS > 0 ? BITS : 1  // bits that tell how many credits an output VC has
) (
    input wire                   clk_i,
    input wire                   rst_i,
    input wire  [      PI*V-1:0] bid_i,
    input wire  [ PI*V*V*PO-1:0] cand_i,
    input wire  [ PI*V*V*PO-1:0] bubble_i,
    input wire  [ PI*V*V*PO-1:0] preferred_i,
    input wire  [   PI*V*RW-1:0] rank_i,       // ranks, over (ip, ivc, bit)
    input wire  [          15:0] seed_i,       // of random selection, during reset
    input wire  [      V*PO-1:0] space_i,
    input wire  [      V*PO-1:0] space2_i,
    input wire  [   AW*V*PO-1:0] amount_i,     // bit by bit for all output VCs
    output wire [      PI*V-1:0] grant_o,
    output wire [ PI*V*V*PO-1:0] choice_o,     // one-hot for every input VC that was granted
    output wire [      V*PO-1:0] taken_o       // output VCs that were granted
);
  localparam NI = V * PI;
  localparam NO = V * PO;
  // verilator lint_off UNUSEDSIGNAL
  // A class needs the candidates of one of its VCs; a packet with a single class has nothing to compare.
  // Only some selection policies have a seed.
  wire unused_classes = &{1'b0, cand_i, bubble_i, preferred_i, space2_i, amount, seed_i, enough};
  // verilator lint_on UNUSEDSIGNAL
  localparam C = V - ALIKE + 1;  // classes
  localparam NT = C * PO;  // classes of all ports

  // ---- output VCs of minimal paths, and those of them that have enough credits for UGAL
  localparam [NO-1:0] BEHIND = {NO{1'b1}} << (VIA * PO);
  wire [NO-1:0] enough;
  genvar i, o, v, b, s, n;
  generate
    if (UGAL != 0) begin : g_enough
      localparam [31:0] ENOUGH = UGAL;
      localparam STEP = UGAL > LEAST ? UGAL - LEAST - 1 : 0;  // the threshold that is UGAL
      for (n = 0; n < NO; n = n + 1) begin : g_vc
        if (BITS != 0) begin : g_credits
          wire [BITS-1:0] credits;
          for (b = 0; b < BITS; b = b + 1) begin : g_bit
            assign credits[b] = amount_i[b*NO+n];
          end
          assign enough[n] = BEHIND[n] & {{32 - BITS{1'b0}}, credits} >= ENOUGH;
        end else if (STEP >= LEVELS) begin : g_credits
          assign enough[n] = 1'b0;
        end else begin : g_credits
          assign enough[n] = BEHIND[n] & amount_i[STEP*NO+n];
        end
      end
    end else begin : g_enough
      assign enough = {NO{1'b0}};
    end
  endgenerate

  // ---- the output VC that represents its class
  wire [NO-1:0] best;
  wire [NT-1:0] space, space2;
  wire [AW*NT-1:0] amount;
  generate
    if (ALIKE > 1) begin : g_best
      localparam NA = ALIKE * PO;
      wire [AW*NA-1:0] amounts;
      for (b = 0; b < AW; b = b + 1) begin : g_bit
        assign amounts[b*NA+:NA] = amount_i[b*NO+:NA];
        // the class has the most credits of any of its VCs
        ut_or_reduce #(
            .N(ALIKE),
            .W(PO)
        ) u_amount (
            .rows_i(amounts[b*NA+:NA] & (BITS != 0 ? best[NA-1:0] : space_i[NA-1:0])),
            .or_o(amount[b*NT+:PO])
        );
      end
      ut_vc_select #(
          .PO(PO),
          .V(ALIKE),
          .LEVELS(LEVELS),
          .BITS(BITS),
          .EACH(1)
      ) u_select (
          .cand_i({NA{1'b1}}),
          .bubble_i({NA{1'b0}}),
          .preferred_i({NA{1'b0}}),
          .space_i(space_i[NA-1:0]),
          .space2_i(space2_i[NA-1:0]),
          .amount_i(amounts),
          .mask_i({PO{1'b1}}),
          .choice_o(best[NA-1:0])
      );
      ut_or_reduce #(
          .N(ALIKE),
          .W(PO)
      ) u_space (
          .rows_i(space_i[NA-1:0]),
          .or_o(space[PO-1:0])
      );
      assign space2[PO-1:0] = {PO{1'b0}};  // not needed for a class
    end else begin : g_alone
      assign best[PO-1:0]  = {PO{1'b1}};
      assign space[PO-1:0]  = space_i[PO-1:0];
      assign space2[PO-1:0] = space2_i[PO-1:0];
      for (b = 0; b < AW; b = b + 1) begin : g_bit
        assign amount[b*NT+:PO] = amount_i[b*NO+:PO];
      end
    end
    if (V > ALIKE) begin : g_others
      assign best[NO-1:ALIKE*PO] = {NO - ALIKE * PO{1'b1}};
      assign space[NT-1:PO]  = space_i[NO-1:ALIKE*PO];
      assign space2[NT-1:PO] = space2_i[NO-1:ALIKE*PO];
      for (b = 0; b < AW; b = b + 1) begin : g_bit
        assign amount[b*NT+PO+:NT-PO] = amount_i[b*NO+ALIKE*PO+:NT-PO];
      end
    end
  endgenerate

  // ---- bids
  wire [NI*NT-1:0] ask, ask_ivc;  // by port, by VC
  wire [NT*NI-1:0] req, gnt;
  generate
    for (i = 0; i < PI; i = i + 1) begin : g_in
      wire [V*PO-1:0] port;  // the port that each VC picks
      wire [V-1:0] several;  // VCs with candidates at several ports
      wire [PO-1:0] priority_mask;
      for (v = 0; v < V; v = v + 1) begin : g_vc
        localparam ME = i * V + v;
        // the candidates of a class are those of its last VC
        wire [NT-1:0] cand;
        if (UGAL != 0) begin : g_way
          wire [NO-1:0] all = cand_i[ME*NO+:NO];
          wire either = |(all & BEHIND) & |(all & ~BEHIND);
          assign cand = all & ({NO{~either}} | (|(all & enough) ? BEHIND : ~BEHIND));
        end else begin : g_way
          assign cand = cand_i[ME*NO+(ALIKE-1)*PO+:NT];
        end
        wire [NT-1:0] choice;
        if (SINGLE != 0) begin : g_choice
          assign choice = cand & space & (space2 | ~bubble_i[ME*NO+(ALIKE-1)*PO+:NT]);
        end else begin : g_choice
          ut_vc_select #(
              .PO(PO),
              .V (C),
              .LEVELS(LEVELS),
              .BITS(BITS)
          ) u_select (
              .cand_i(cand),
              .bubble_i(bubble_i[ME*NO+(ALIKE-1)*PO+:NT]),
              .preferred_i(preferred_i[ME*NO+(ALIKE-1)*PO+:NT]),
              .space_i(space),
              .space2_i(space2),
              .amount_i(amount),
              .mask_i(priority_mask),
              .choice_o(choice)
          );
        end
        for (o = 0; o < V; o = o + 1) begin : g_ovc
          localparam CLASS = o < ALIKE ? 0 : o - ALIKE + 1;
          assign choice_o[ME*NO+o*PO+:PO] = choice[CLASS*PO+:PO] & best[o*PO+:PO];
        end
        assign ask[ME*NT+:NT] = choice & {NT{bid_i[ME]}};
        ut_or_reduce #(
            .N(C),
            .W(PO)
        ) u_port (
            .rows_i(choice),
            .or_o(port[v*PO+:PO])
        );
        wire [PO-1:0] ports;
        ut_or_reduce #(
            .N(C),
            .W(PO)
        ) u_ports (
            .rows_i(cand_i[ME*NO+(ALIKE-1)*PO+:NT]),
            .or_o(ports)
        );
        assign several[v] = |(ports & (ports - {{PO - 1{1'b0}}, 1'b1}));
      end

      // ---- the port that was granted to a packet with a choice: to the lowest such VC
      wire [PO-1:0] granted;
      if (SINGLE == 0) begin : g_granted
        wire [V-1:0] from;  // that VC, and those above it
        ut_lines_from #(
            .N(V)
        ) u_lowest (
            .set_i(grant_o[i*V+:V] & several),
            .from_o(from)
        );
        ut_one_hot_mux #(
            .N(V),
            .W(PO)
        ) u_granted (
            .rows_i(port),
            .select_i(from & ~(from << 1)),
            .row_o(granted)
        );
      end else begin : g_granted
        assign granted = {PO{1'b0}};
      end

      // ---- ports that come first; each block stands by itself, since `else if` gets generated names in a netlist
      if (SINGLE == 0 && `UT_SELECTION_BITS(SELECTION) == 0) begin : g_turn
        localparam [PO-1:0] START = {PO{1'b1}} << ((i + PO / 2) % PO);
        reg [PO-1:0] select_q  /*verilator public_flat_rd*/;
        assign priority_mask = select_q;
        always @(posedge clk_i)
          if (rst_i) select_q <= START;
          else if (|granted) select_q <= ~(granted | (granted - {{PO - 1{1'b0}}, 1'b1}));
      end
      if (SINGLE == 0 && `UT_SELECTION_BITS(SELECTION) != 0) begin : g_selection
        ut_selection_policy #(
            .PO(PO),
            .SELECTION(SELECTION),
            .PORT(i)
        ) u_policy (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .seed_i(seed_i),
            .granted_i(granted),
            .mask_o(priority_mask)
        );
      end
      if (SINGLE != 0) begin : g_no_turn
        // verilator lint_off UNUSEDSIGNAL
        wire unused = &{1'b0, port, several, priority_mask, granted};
        // verilator lint_on UNUSEDSIGNAL
        assign priority_mask = {PO{1'b1}};
      end
    end
  endgenerate

  // ---- grants
  ut_transpose #(
      .ROWS(PI),
      .COLUMNS(V),
      .W(NT)
  ) u_by_vc (
      .rows_i(ask),
      .columns_o(ask_ivc)
  );
  ut_transpose #(
      .ROWS(NI),
      .COLUMNS(NT)
  ) u_requests (
      .rows_i(ask_ivc),
      .columns_o(req)
  );
  wire [NI*RW-1:0] rank;  // by VC
  ut_transpose #(
      .ROWS(PI),
      .COLUMNS(V),
      .W(RW)
  ) u_rank (
      .rows_i(rank_i),
      .columns_o(rank)
  );
  generate
    for (o = 0; o < NO; o = o + 1) begin : g_owner
      localparam CLASS = o < ALIKE * PO ? o % PO : o - (ALIKE - 1) * PO;
      wire [NI-1:0] mask;
      assign taken_o[o] = best[o] & |req[CLASS*NI+:NI];
      ut_rr_pointer #(
          .LINES(PI),
          .WORDS(V)
      ) u_pointer (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .move_i(taken_o[o]),
          .served_i(gnt[CLASS*NI+:NI]),
          .mask_o(mask)
      );
    end
    for (s = 0; s < NT; s = s + 1) begin : g_class
      localparam FIRST = s < PO ? s : s + (ALIKE - 1) * PO;  // of the output VCs of the class
      localparam VCS = s < PO ? ALIKE : 1;
      wire [NI-1:0] kept, first;  // after LOCAL, after ARBITRATION
      for (v = 0; v < VCS; v = v + 1) begin : g_turn
        wire [NI-1:0] mask;  // the pointer of the VC that represents the class
        if (VCS == 1) begin : g_or
          assign mask = g_owner[FIRST].mask;
        end else if (v == 0) begin : g_or
          assign mask = g_owner[FIRST].mask & {NI{best[FIRST]}};
        end else begin : g_or
          assign mask = g_turn[v-1].mask | (g_owner[v*PO+FIRST].mask & {NI{best[v*PO+FIRST]}});
        end
      end
      ut_local_first #(
          .PI(PI),
          .WORDS(V),
          .LOCAL(LOCAL)
      ) u_local (
          .req_i(req[s*NI+:NI]),
          .req_o(kept)
      );
      ut_request_filter #(
          .N(NI),
          .RANK(RANK)
      ) u_filter (
          .req_i(kept),
          .rank_i(rank),
          .req_o(first)
      );
      ut_rr_select #(
          .N(NI)
      ) u_first (
          .set_i(first),
          .mask_i(g_turn[VCS-1].mask),
          .first_o(gnt[s*NI+:NI])
      );
    end
  endgenerate
  wire [NI-1:0] grant_ivc;  // by VC
  ut_or_reduce #(
      .N(NT),
      .W(NI)
  ) u_grants (
      .rows_i(gnt),
      .or_o(grant_ivc)
  );
  ut_transpose #(
      .ROWS(V),
      .COLUMNS(PI)
  ) u_by_port (
      .rows_i(grant_ivc),
      .columns_o(grant_o)
  );

  // ---- assertions
  // An output VC without space is not granted.
  `UT_ASSERT(taken_had_space, (taken_o & ~space_i) == 0)
  // Each output VC that is granted has one new owner.
  `UT_ASSERT(one_owner, $countones(grant_o) == $countones(taken_o))
  // A bid for two output VCs could get both, and would leave one owned for ever.
  `UT_ASSERT_EACH(i, PI * V, one_choice, !bid_i[i] || $onehot0(choice_o[i*NO+:NO]))
  // One VC represents its class: then its VCs are candidates together, and none of them needs space for two.
  `UT_ASSERT_EACH(i, PI * V, alike_together, !bid_i[i] || ALIKE == 1 ||
                  (cand_i[i*NO+:ALIKE*PO] == {ALIKE{cand_i[i*NO+:PO]}} && bubble_i[i*NO+:ALIKE*PO] == 0))
  // Only a candidate leads to the destination.
  `UT_ASSERT_EACH(i, PI * V, choice_is_candidate, (choice_o[i*NO+:NO] & ~cand_i[i*NO+:NO]) == 0)
  // A VC that does not bid would take a grant for a packet that does not exist.
  `UT_ASSERT(grant_answers_bid, (grant_o & ~bid_i) == 0)
endmodule
`default_nettype wire
