// ut_policy_fullest_first - arbitration: the packet whose buffer has most flits goes first.
//
// The rank is the count of the buffer: no register.  Twin: spec/policy_fullest_first.c
`default_nettype none
module ut_policy_fullest_first #(
    parameter CW = 3,
    parameter RANK = 8
) (
    // verilator lint_off UNUSEDSIGNAL
    input wire             clk_i,
    input wire             rst_i,
    input wire  [     2:0] above_i,
    input wire             local_i,
    input wire             nonempty_i,
    input wire             gone_i,
    // verilator lint_on UNUSEDSIGNAL
    input wire  [  CW-1:0] count_i,
    output wire [RANK-1:0] rank_o
);
  // verilator lint_off UNUSEDSIGNAL
  wire [RANK+CW-1:0] count = {{RANK{1'b0}}, count_i};
  // verilator lint_on UNUSEDSIGNAL
  assign rank_o = count[RANK-1:0];
endmodule
`default_nettype wire
