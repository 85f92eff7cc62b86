// SPDX-License-Identifier: Apache-2.0
// ut_or_reduce - the OR of N rows of W bits.  Combinational.
// Twin: the operator |= in a loop
`default_nettype none
module ut_or_reduce #(
    parameter N = 8,
    parameter W = 1
) (
    input wire  [N*W-1:0] rows_i,
    output wire [  W-1:0] or_o
);
  function [W-1:0] any(input [N*W-1:0] rows);
    integer n;
    begin
      any = {W{1'b0}};
      for (n = N - 1; n >= 0; n = n - 1) any = any | rows[n*W+:W];
    end
  endfunction
  assign or_o = any(rows_i);
endmodule
`default_nettype wire
