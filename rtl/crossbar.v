// crossbar - NX inputs to PO outputs, W bits, AND-OR.
//
// select_i: one-hot crossbar input of each output, or 0.  Combinational.
// Twin: csim/switch/switch_allocator.h, ut_traverse
module crossbar #(
    parameter NX = 8,
    parameter PO = 8,
    parameter W  = 64
) (
    input  [ NX*W-1:0] data_i,
    input  [PO*NX-1:0] select_i,
    output [ PO*W-1:0] data_o
);
  genvar i, o;
  generate
    for (o = 0; o < PO; o = o + 1) begin : g_out
      for (i = 0; i < NX; i = i + 1) begin : g_in
        wire [W-1:0] sum;
        if (i == 0) begin : g_or
          assign sum = data_i[i*W+:W] & {W{select_i[o*NX+i]}};
        end else begin : g_or
          assign sum = g_in[i-1].sum | (data_i[i*W+:W] & {W{select_i[o*NX+i]}});
        end
      end
      assign data_o[o*W+:W] = g_in[NX-1].sum;
    end
  endgenerate
endmodule
