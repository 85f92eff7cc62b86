// SPDX-License-Identifier: Apache-2.0
// fifo_tb - the buffer in depths 1, 2, 3, 4, 5, 8, 16 with flits of 64 and 128 bits.
// in: reset, push, pop, tag, data.  out: data, tag, nonempty, count, error, rd, wr, all tags,
// all data (4 words a flit).
module fifo_tb #(
    parameter S   = 14,
    parameter IN  = 8,
    parameter OUT = 90
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  genvar s, d;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer SIZE = s % 7;
      localparam integer DEPTH = SIZE < 5 ? SIZE + 1 : SIZE == 5 ? 8 : 16;
      localparam integer W = s < 7 ? 64 : 128;
      localparam integer CW = $clog2(DEPTH + 1);
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [W-1:0] data;
      wire [2:0] tag;
      wire [CW-1:0] count;
      wire nonempty, error;
      ut_fifo #(
          .DEPTH(DEPTH),
          .W(W)
      ) u_dut (
          .clk_i(clk_i),
          .rst_i(in[0]),
          .push_i(in[32]),
          .data_i(in[4*32+:W]),
          .tag_i(in[3*32+:3]),
          .pop_i(in[64]),
          .data_o(data),
          .tag_o(tag),
          .nonempty_o(nonempty),
          .count_o(count),
          .error_o(error)
      );
      assign out_o[(s*OUT+0)*32+:128] = data;
      assign out_o[(s*OUT+4)*32+:32] = tag;
      assign out_o[(s*OUT+5)*32+:32] = nonempty;
      assign out_o[(s*OUT+6)*32+:32] = count;
      assign out_o[(s*OUT+7)*32+:32] = error;
      assign out_o[(s*OUT+8)*32+:32] = u_dut.rd_q;
      assign out_o[(s*OUT+9)*32+:32] = u_dut.wr_q;
      for (d = 0; d < 16; d = d + 1) begin : g_slot
        if (d < DEPTH) begin : g_used
          assign out_o[(s*OUT+10+d)*32+:32] = u_dut.tag_q[d];
          assign out_o[(s*OUT+26+4*d)*32+:128] = u_dut.data_q[d];
        end else begin : g_used
          assign out_o[(s*OUT+10+d)*32+:32] = 32'd0;
          assign out_o[(s*OUT+26+4*d)*32+:128] = 128'd0;
        end
      end
    end
  endgenerate
endmodule
