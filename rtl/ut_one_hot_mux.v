// ut_one_hot_mux - of N rows of W bits the one that select_i names; 0 where it names none.  Combinational, AND-OR.
//
// select_i is one-hot or 0: whoever instantiates this module sees to it.
// Twin: an index
`default_nettype none
module ut_one_hot_mux #(
    parameter N = 8,
    parameter W = 64
) (
    input wire  [N*W-1:0] rows_i,
    input wire  [  N-1:0] select_i,
    output wire [  W-1:0] row_o
);
  genvar n;
  generate
    for (n = 0; n < N; n = n + 1) begin : g_row
      wire [W-1:0] upto;  // the chosen one of this row and the lower ones
      wire [W-1:0] masked = rows_i[n*W+:W] & {W{select_i[n]}};
      if (n == 0) begin : g_or
        assign upto = masked;
      end else begin : g_or
        assign upto = g_row[n-1].upto | masked;
      end
    end
  endgenerate
  assign row_o = g_row[N-1].upto;
endmodule
`default_nettype wire
