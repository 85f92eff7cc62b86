// SPDX-License-Identifier: Apache-2.0
// ut_rr_arbiter - round-robin arbiter over N requests, WORDS words of LINES.
//
// Handshake: gnt_o is one-hot (or 0 without a request) in the cycle of req_i.  The pointer (ut_rr_pointer) moves behind the
// granted request only if advance_i says that the grant was used: a request that wins here and loses later keeps its turn.
// Request 0 is first after reset.
// Twin: csim/switch/rr_arbiter.h
`default_nettype none
`include "assertions.vh"
module ut_rr_arbiter #(
    parameter LINES = 8,  // 1 and more; one request in all has no state
    parameter WORDS = 1,
    parameter N = LINES * WORDS
) (
    input wire          clk_i,
    input wire          rst_i,
    input wire  [N-1:0] req_i,
    input wire          advance_i,
    output wire [N-1:0] gnt_o
);
  generate
    if (N == 1) begin : g_mask
      // verilator lint_off UNUSEDSIGNAL
      // One request needs no pointer: clock, reset and advance have nothing to do.
      wire unused = &{1'b0, clk_i, rst_i, advance_i};
      // verilator lint_on UNUSEDSIGNAL
      assign gnt_o = req_i;
    end else begin : g_mask
      wire [N-1:0] mask;
      ut_rr_pointer #(
          .LINES(LINES),
          .WORDS(WORDS)
      ) u_pointer (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .move_i(advance_i & |req_i),
          .served_i(gnt_o),
          .mask_o(mask)
      );
      ut_rr_select #(
          .N(N)
      ) u_first (
          .set_i(req_i),
          .mask_i(mask),
          .first_o(gnt_o)
      );
    end
  endgenerate

  // ---- assertions
  // Two winners would collide behind this arbiter.
  `UT_ASSERT(one_grant, $onehot0(gnt_o))
  // A line without a request never wins, and one line wins whenever there is a request.
  `UT_ASSERT(grant_answers_request, (gnt_o & ~req_i) == 0 && |gnt_o == |req_i)
endmodule
`default_nettype wire
