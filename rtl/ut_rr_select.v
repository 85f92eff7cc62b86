// SPDX-License-Identifier: Apache-2.0
// ut_rr_select - of a set of lines the first one by a rotating priority: the lowest one in mask_i, else the lowest one.
//
// mask_i is a tail: with a line all lines above it are in it.  A line in the mask is the first one if none below it in the
// mask is in the set; another line, if also no line in the mask is in the set, and none below it at all.  That takes an AND, a
// prefix of ORs and an AND behind the set, which is late; there is no choice between two results. Combinational.
// Twin: csim/switch/rr_arbiter.h, ut_rr_pick
`default_nettype none
`include "simulated.vh"
module ut_rr_select #(
    parameter N = 8
) (
    input wire  [N-1:0] set_i,
    input wire  [N-1:0] mask_i,
    output wire [N-1:0] first_o  // one-hot; 0 of the empty set
);
  function [N-1:0] blocked(input [N-1:0] lines, input [N-1:0] mask);
    integer j;
    reg [N-1:0] above;
    begin
      blocked = {N{1'b0}};
      if (|lines)
        `UT_IF_SIMULATED(|(lines & (lines - {{N - 1{1'b0}}, 1'b1})))  // a single line is the first, whatever the pointer
          for (j = 0; j < N; j = j + 1) begin
            above = {N{1'b1}} << j << 1;
            if (lines[j]) blocked = blocked | (mask[j] ? above | ~mask : above & ~mask);
          end
    end
  endfunction
  assign first_o = set_i & ~blocked(set_i, mask_i);
endmodule
`default_nettype wire
