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
    if (N == 1) begin : g_or
      assign or_o = rows_i;
    end else begin : g_or
      wire [N*W-1:0] upto  /*verilator split_var*/;  // of each row and the lower ones
      assign upto[0+:W] = rows_i[0+:W];
      for (n = 1; n < N; n = n + 1) begin : g_row
        assign upto[n*W+:W] = upto[(n-1)*W+:W] | rows_i[n*W+:W];
      end
      assign or_o = upto[(N-1)*W+:W];
    end
  endgenerate
endmodule
`default_nettype wire
