// SPDX-License-Identifier: Apache-2.0
// ut_policy_priority - arbitration: packets of lower-numbered VCs go first.
//
// The rank is a constant of the VC: no register, and synthesis leaves little of the comparison.
// Twins: spec/policy_priority.c, csim/switch/policy_priority.h
`default_nettype none
module ut_policy_priority #(
    parameter CW = 3,
    parameter RANK = 3
) (
    input wire  [     2:0] above_i,
    input wire             local_i,
    // verilator lint_off UNUSEDSIGNAL
    input wire             clk_i,
    input wire             rst_i,
    input wire             nonempty_i,
    input wire  [  CW-1:0] count_i,
    input wire             gone_i,
    // verilator lint_on UNUSEDSIGNAL
    output wire [RANK-1:0] rank_o
);
  assign rank_o = above_i;
endmodule
`default_nettype wire
