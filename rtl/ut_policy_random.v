// SPDX-License-Identifier: Apache-2.0
// ut_policy_random - selection: the first port from a random one on.
//
// lfsr_q is a shift register with feedback x^16 + x^14 + x^13 + x^11 + 1, which takes all values but 0.  It moves eight
// steps, which renews its low byte, when a packet that had a choice is granted, and otherwise keeps its value: an idle switch
// does not change.  The port that comes first is the low byte as a fraction of 256, times PO.
// Twins: spec/policy_random.c, csim/switch/policy_random.h
`default_nettype none
module ut_policy_random #(
    parameter PO   = 8,
    parameter PORT = 0
) (
    input wire           clk_i,
    input wire           rst_i,
    input wire  [  15:0] seed_i,
    input wire  [PO-1:0] granted_i,
    output wire [PO-1:0] mask_o
);
  localparam [31:0] OWN = 40503 * (PORT + 1);  // ports of a switch begin with different numbers
  localparam [31:0] PORTS = PO;

  function [15:0] eight_steps(input [15:0] value);
    integer n;
    begin
      eight_steps = value;
      for (n = 0; n < 8; n = n + 1)
        eight_steps = {eight_steps[14:0], eight_steps[15] ^ eight_steps[13] ^ eight_steps[12] ^ eight_steps[10]};
    end
  endfunction

  reg [15:0] lfsr_q  /*verilator public_flat_rd*/;
  wire [15:0] seed = seed_i ^ OWN[15:0];
  always @(posedge clk_i)
    if (rst_i) lfsr_q <= |seed ? seed : 16'd1;
    else if (|granted_i) lfsr_q <= eight_steps(lfsr_q);

  // verilator lint_off UNUSEDSIGNAL
  wire [13:0] scaled = {6'd0, lfsr_q[7:0]} * PORTS[13:0];  // below 256 * PO; the low byte is the remainder
  // verilator lint_on UNUSEDSIGNAL
  assign mask_o = {PO{1'b1}} << scaled[13:8];
endmodule
`default_nettype wire
