// ut_rr_arbiter - round-robin arbiter over N requests.
//
// Handshake: gnt_o is one-hot (or 0 without a request) in the cycle of req_i.  The pointer moves behind the granted
// request only where advance_i says that the grant was used, so that a request which wins here and loses later keeps
// its turn. State: mask_q, the requests that come before the others; all ones after reset, so that request 0 is first.
// Twin: csim/switch/rr_arbiter.h
`default_nettype none
`include "assertions.vh"
module ut_rr_arbiter #(
    parameter N = 8  // requests, 1 and more; 1 has no state
) (
    input wire          clk_i,
    input wire          rst_i,
    input wire  [N-1:0] req_i,
    input wire          advance_i,
    output wire [N-1:0] gnt_o
);
  generate
    if (N == 1) begin : g_wire
      // verilator lint_off UNUSEDSIGNAL
      // One request needs no turn: clock, reset and advance have nothing to do.
      wire unused = &{1'b0, clk_i, rst_i, advance_i};
      // verilator lint_on UNUSEDSIGNAL
      assign gnt_o = req_i;
    end else begin : g_mask
      reg  [N-1:0] mask_q  /*verilator public_flat_rd*/;
      wire [N-1:0] above;
      ut_first_in_turn #(
          .N(N)
      ) u_first (
          .set_i(req_i),
          .mask_i(mask_q),
          .first_o(gnt_o),
          .above_o(above)
      );
      always @(posedge clk_i)
        if (rst_i) mask_q <= {N{1'b1}};
        else if (advance_i & |req_i) mask_q <= above;
      // All lines above one that comes first come first too: else the turn would jump.
      `UT_ASSERT(mask_is_a_tail, ~|((mask_q << 1) & ~mask_q))
    end
  endgenerate

  // ---- assertions
  // Two winners would collide behind this arbiter.
  `UT_ASSERT(one_grant, $onehot0(gnt_o))
  // Who did not ask must not win, and somebody wins where somebody asks: nothing waits for nothing.
  `UT_ASSERT(grant_answers_request, (gnt_o & ~req_i) == 0 && |gnt_o == |req_i)
endmodule
`default_nettype wire
