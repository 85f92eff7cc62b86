// SPDX-License-Identifier: Apache-2.0
// ut_transpose - a matrix of ROWS x COLUMNS items of W bits, row by row, becomes one column by column.  Wires only.
// Twin: an index that is computed the other way round
`default_nettype none
module ut_transpose #(
    parameter ROWS = 8,
    parameter COLUMNS = 8,
    parameter W = 1
) (
    input wire  [ROWS*COLUMNS*W-1:0] rows_i,
    output wire [ROWS*COLUMNS*W-1:0] columns_o
);
  genvar r, c;
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : g_row
      for (c = 0; c < COLUMNS; c = c + 1) begin : g_column
        assign columns_o[(c*ROWS+r)*W+:W] = rows_i[(r*COLUMNS+c)*W+:W];
      end
    end
  endgenerate
endmodule
`default_nettype wire
