// SPDX-License-Identifier: Apache-2.0
// reroute_vector_tb - re-route vector of switches with K = 2, 3, 4, 5, 16, each without and with FAR.
// in: reset, straps (2), link_up, up, fault, set, far.  out: vector, neighbour, fault, stale, busy, timer, far.
module reroute_vector_tb #(
    parameter S   = 10,
    parameter IN  = 8,
    parameter OUT = 7
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  genvar s;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer P = s % 5 < 4 ? 2 * (s % 5) + 4 : 32;
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [P-1:0] vector, neighbour;
      wire fault, far, stale, busy;
      ut_reroute_vector #(
          .PO (P),
          .FAR(s / 5)
      ) u_dut (
          .clk_i(clk_i),
          .rst_i(in[0]),
          .straps_i(in[1*32+:64]),
          .link_up_i(in[3*32+:P]),
          .up_i(in[4*32+:P]),
          .fault_i(in[5*32+:P]),
          .far_i(in[7*32+:P]),
          .set_i(in[6*32+:P]),
          .vector_o(vector),
          .neighbour_o(neighbour),
          .fault_o(fault),
          .far_o(far),
          .stale_o(stale),
          .busy_o(busy)
      );
      assign out_o[(s*OUT+0)*32+:32] = vector;
      assign out_o[(s*OUT+1)*32+:32] = neighbour;
      assign out_o[(s*OUT+2)*32+:32] = fault;
      assign out_o[(s*OUT+3)*32+:32] = stale;
      assign out_o[(s*OUT+4)*32+:32] = busy;
      assign out_o[(s*OUT+5)*32+:32] = u_dut.timer_q;
      assign out_o[(s*OUT+6)*32+:32] = far;
    end
  endgenerate
endmodule
