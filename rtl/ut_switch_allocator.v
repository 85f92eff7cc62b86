// SPDX-License-Identifier: Apache-2.0
// ut_switch_allocator - separable, input-first, round-robin: selects the flits that cross the crossbar in this cycle.
//
// With one VC the owner of the output VC crosses, and there is no arbiter.
// XBAR 0: one crossbar input per port; the port first picks one of its VCs (its pointer moves only if that one also
// wins its output), then each output port grants one input port.  XBAR 1: one crossbar input per input VC, outputs
// grant directly.  Vectors run over (ip, ivc); the outputs' arbiters, where they see VCs, over (ivc, ip).  With LOCAL
// they grant requests of terminals first (ut_local_first), and among these, as the first stage does, those of the highest rank
// (ARBITRATION: ut_arbitration_policy, ut_request_filter).
// Twin: csim/switch/switch_allocator.h
`default_nettype none
`include "assertions.vh"
`include "parameters.vh"
module ut_switch_allocator #(
    // rtl/parameters.tsv: begin
    parameter PI = 8,
    parameter PO = 8,
    parameter V = 1,
    parameter XBAR = 0,
    parameter ARBITRATION = 0,
    // rtl/parameters.tsv: end
    parameter LOCAL = 0,  // number of terminals' input ports, the last ones, whose requests go first
    parameter XV = XBAR != 0 ? V : 1,  // crossbar inputs of a port
    parameter NX = XV * PI,
    parameter RANK = `UT_ARBITRATION_RANK(ARBITRATION),  // bits
    parameter RW = RANK > 0 ? RANK : 1
) (
    input wire               clk_i,
    input wire               rst_i,
    input wire  [  PI*V-1:0] request_i,
    input wire  [PI*V*RW-1:0] rank_i,   // ranks, over (ip, ivc, bit)
    input wire  [PI*V*PO-1:0] target_i,  // one-hot output port of each input VC
    output wire [  PI*V-1:0] pop_o,      // winners
    output wire [  PI*V-1:0] pick_o,     // XBAR 0: the VC that its port has picked, whether it wins or not
    output wire [ PO*NX-1:0] select_o,   // crossbar setting: one-hot crossbar input of each output port
    output wire [    PO-1:0] valid_o     // output ports that receive a flit
);
  wire [NX*PO-1:0] target, target_xp;  // of the crossbar inputs, 0 without a request; by port, by VC
  wire [PO*NX-1:0] req, gnt;  // over (op, ivc, ip)
  wire [NX-1:0] won;
  wire [NX*RW-1:0] rank, rank_xp;  // of the crossbar inputs; by port, by VC

  genvar i, o;
  generate
    if (XBAR != 0 || V == 1) begin : g_first
      assign pick_o = request_i;
      assign pop_o  = V == 1 ? request_i : won;
      assign rank   = rank_i;
      for (i = 0; i < NX; i = i + 1) begin : g_in
        assign target[i*PO+:PO] = target_i[i*PO+:PO] & {PO{request_i[i]}};
      end
    end else begin : g_first
      for (i = 0; i < PI; i = i + 1) begin : g_in
        assign pop_o[i*V+:V] = pick_o[i*V+:V] & {V{won[i]}};
        wire [V-1:0] first;
        ut_request_filter #(
            .N(V),
            .RANK(RANK)
        ) u_filter (
            .req_i(request_i[i*V+:V]),
            .rank_i(rank_i[i*V*RW+:V*RW]),
            .req_o(first)
        );
        ut_rr_arbiter #(
            .LINES(V)
        ) u_arbiter (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .req_i(first),
            .advance_i(won[i]),
            .gnt_o(pick_o[i*V+:V])
        );
        ut_one_hot_mux #(
            .N(V),
            .W(PO)
        ) u_target (
            .rows_i(target_i[i*V*PO+:V*PO]),
            .select_i(pick_o[i*V+:V]),
            .row_o(target[i*PO+:PO])
        );
        ut_one_hot_mux #(
            .N(V),
            .W(RW)
        ) u_rank (
            .rows_i(rank_i[i*V*RW+:V*RW]),
            .select_i(pick_o[i*V+:V]),
            .row_o(rank[i*RW+:RW])
        );
      end
    end
  endgenerate

  ut_transpose #(
      .ROWS(PI),
      .COLUMNS(XV),
      .W(PO)
  ) u_by_vc (
      .rows_i(target),
      .columns_o(target_xp)
  );
  ut_transpose #(
      .ROWS(PI),
      .COLUMNS(XV),
      .W(RW)
  ) u_rank_by_vc (
      .rows_i(rank),
      .columns_o(rank_xp)
  );
  ut_transpose #(
      .ROWS(NX),
      .COLUMNS(PO)
  ) u_requests (
      .rows_i(target_xp),
      .columns_o(req)
  );
  generate
    for (o = 0; o < PO; o = o + 1) begin : g_out
      if (V == 1) begin : g_owner  // one packet owns the only output VC: there is no other request
        assign gnt[o*NX+:NX] = req[o*NX+:NX];
      end else begin : g_owner
        wire [NX-1:0] kept, first;  // after LOCAL, after ARBITRATION
        ut_local_first #(
            .PI(PI),
            .WORDS(XV),
            .LOCAL(LOCAL)
        ) u_local (
            .req_i(req[o*NX+:NX]),
            .req_o(kept)
        );
        ut_request_filter #(
            .N(NX),
            .RANK(RANK)
        ) u_filter (
            .req_i(kept),
            .rank_i(rank_xp),
            .req_o(first)
        );
        ut_rr_arbiter #(
            .LINES(PI),
            .WORDS(XV)
        ) u_arbiter (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .req_i(first),
            .advance_i(1'b1),
            .gnt_o(gnt[o*NX+:NX])
        );
      end
      assign valid_o[o] = |req[o*NX+:NX];
      ut_transpose #(
          .ROWS(XV),
          .COLUMNS(PI)
      ) u_by_port (
          .rows_i(gnt[o*NX+:NX]),
          .columns_o(select_o[o*NX+:NX])
      );
    end
  endgenerate
  ut_or_reduce #(
      .N(PO),
      .W(NX)
  ) u_won (
      .rows_i(select_o),
      .or_o(won)
  );

  generate
    if (V == 1) begin : g_unused
      // verilator lint_off UNUSEDSIGNAL
      wire unused = &{1'b0, clk_i, rst_i, won, rank_xp};  // there is nothing to arbitrate, so there is no state
      // verilator lint_on UNUSEDSIGNAL
    end
  endgenerate

  // ---- assertions
  // A grant without a request would lose a flit, or send one that does not exist.
  `UT_ASSERT(winners_asked, (pop_o & ~request_i) == 0)
  // Exactly the winners cross: otherwise a flit would be lost in the crossbar, or duplicated.
  `UT_ASSERT(winners_cross, $countones(pop_o) == $countones(select_o) && $countones(pop_o) == $countones(valid_o))
  // Two inputs at one output would be mixed; with one VC this also says that an output VC has one owner.
  `UT_ASSERT_EACH(o, PO, one_input, $onehot0(select_o[o*NX+:NX]))
endmodule
`default_nettype wire
