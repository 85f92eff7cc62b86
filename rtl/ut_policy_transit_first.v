// SPDX-License-Identifier: Apache-2.0
// ut_policy_transit_first - arbitration: packets from other switches go before those of terminals.
//
// The rank is a constant of the port: no register.  The Rotary Rule of the Alpha 21364: packets in the network leave it
// before new ones enter.  Twins: spec/policy_transit_first.c, csim/switch/policy_transit_first.h
`default_nettype none
module ut_policy_transit_first #(
    parameter CW = 3,
    parameter RANK = 1
) (
    input wire             local_i,
    // verilator lint_off UNUSEDSIGNAL
    input wire             clk_i,
    input wire             rst_i,
    input wire  [     2:0] above_i,
    input wire             nonempty_i,
    input wire  [  CW-1:0] count_i,
    input wire             gone_i,
    // verilator lint_on UNUSEDSIGNAL
    output wire [RANK-1:0] rank_o
);
  assign rank_o = {RANK{~local_i}};
endmodule
`default_nettype wire
