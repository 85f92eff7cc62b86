// SPDX-License-Identifier: Apache-2.0
// rr_arbiter_tb - the arbiter with 1..32 requests, and with WORDS words of LINES requests as the allocators use it.
// in: reset, advance, request words.  out: grant words, mask words.
module rr_arbiter_tb #(
    parameter S   = 37,
    parameter IN  = 10,
    parameter OUT = 16
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  genvar s, w;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer LINES = s < 32 ? s + 1 : s == 32 ? 8 : s == 33 ? 5 : s == 34 ? 32 : s == 35 ? 10 : 32;
      localparam integer WORDS = s < 32 ? 1 : s == 32 ? 2 : s == 33 ? 3 : s == 34 ? 2 : s == 35 ? 4 : 8;
      localparam integer N = LINES * WORDS;
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [N-1:0] req, gnt, mask;
      ut_rr_arbiter #(
          .LINES(LINES),
          .WORDS(WORDS)
      ) u_dut (
          .clk_i(clk_i),
          .rst_i(in[0]),
          .req_i(req),
          .advance_i(in[32]),
          .gnt_o(gnt)
      );
      if (N == 1) begin : g_mask
        assign mask = 1'b0;
      end else begin : g_mask
        assign mask = u_dut.g_mask.mask;
      end
      for (w = 0; w < 8; w = w + 1) begin : g_word
        if (w < WORDS) begin : g_used
          assign req[w*LINES+:LINES] = in[(2+w)*32+:LINES];
          assign out_o[(s*OUT+w)*32+:32] = gnt[w*LINES+:LINES];
          assign out_o[(s*OUT+8+w)*32+:32] = mask[w*LINES+:LINES];
        end else begin : g_used
          assign out_o[(s*OUT+w)*32+:32] = 32'd0;
          assign out_o[(s*OUT+8+w)*32+:32] = 32'd0;
        end
      end
    end
  endgenerate
endmodule
