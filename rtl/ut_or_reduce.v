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
  genvar n;
  generate
    for (n = 0; n < N; n = n + 1) begin : g_row
      wire [W-1:0] upto;  // or of this row and the lower ones
      if (n == 0) begin : g_or
        assign upto = rows_i[0+:W];
      end else begin : g_or
        assign upto = g_row[n-1].upto | rows_i[n*W+:W];
      end
    end
  endgenerate
  assign or_o = g_row[N-1].upto;
endmodule
`default_nettype wire
