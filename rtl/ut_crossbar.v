// SPDX-License-Identifier: Apache-2.0
// ut_crossbar - NX inputs to PO outputs, W bits, AND-OR.
//
// select_i: one-hot crossbar input of each output, or 0.  Combinational.
// Twin: csim/switch/switch_allocator.h, ut_traverse
`default_nettype none
module ut_crossbar #(
    parameter NX = 8,
    parameter PO = 8,
    parameter W  = 64
) (
    input wire  [ NX*W-1:0] data_i,
    input wire  [PO*NX-1:0] select_i,
    output wire [ PO*W-1:0] data_o
);
  genvar o;
  generate
    for (o = 0; o < PO; o = o + 1) begin : g_out
      ut_one_hot_mux #(
          .N(NX),
          .W(W)
      ) u_mux (
          .rows_i(data_i),
          .select_i(select_i[o*NX+:NX]),
          .row_o(data_o[o*W+:W])
      );
    end
  endgenerate
endmodule
`default_nettype wire
