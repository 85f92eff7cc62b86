// SPDX-License-Identifier: Apache-2.0
// ut_policy_oldest_first - arbitration: the packet that has been at the front of its buffer longest goes first.
//
// age_q counts the cycles in which a flit of the packet is in the buffer, up to all ones, from 0 in the cycle in which its
// head is at the front for the first time.  It keeps its value while the buffer is empty: a switch without flits is idle.
// Twins: spec/policy_oldest_first.c, csim/switch/policy_oldest_first.h
`default_nettype none
module ut_policy_oldest_first #(
    parameter CW = 3,
    parameter RANK = 8
) (
    input wire             clk_i,
    input wire             rst_i,
    // verilator lint_off UNUSEDSIGNAL
    input wire  [     2:0] above_i,
    input wire             local_i,
    input wire  [  CW-1:0] count_i,
    // verilator lint_on UNUSEDSIGNAL
    input wire             nonempty_i,
    input wire             gone_i,
    output wire [RANK-1:0] rank_o
);
  reg [RANK-1:0] age_q  /*verilator public_flat_rd*/;
  assign rank_o = age_q;
  always @(posedge clk_i)
    if (rst_i | gone_i) age_q <= {RANK{1'b0}};
    else if (nonempty_i & ~&age_q) age_q <= age_q + {{RANK - 1{1'b0}}, 1'b1};
endmodule
`default_nettype wire
