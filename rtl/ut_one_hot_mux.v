// SPDX-License-Identifier: Apache-2.0
// ut_one_hot_mux - selects the row of W bits, of N, that select_i names; 0 if it names none.  Combinational, AND-OR.
//
// select_i is one-hot or 0; the instantiating module guarantees that.
// Twin: an index
`default_nettype none
`include "simulated.vh"
module ut_one_hot_mux #(
    parameter N = 8,
    parameter W = 64
) (
    input wire  [N*W-1:0] rows_i,
    input wire  [  N-1:0] select_i,
    output wire [  W-1:0] row_o
);
  function [W-1:0] chosen(input [N*W-1:0] rows, input [N-1:0] one_hot);
    integer n;
    begin
      chosen = {W{1'b0}};
      `UT_IF_SIMULATED(|one_hot)
        for (n = N - 1; n >= 0; n = n - 1) chosen = chosen | (rows[n*W+:W] & {W{one_hot[n]}});
    end
  endfunction
  assign row_o = chosen(rows_i, select_i);
endmodule
`default_nettype wire
