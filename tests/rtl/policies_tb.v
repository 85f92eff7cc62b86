// SPDX-License-Identifier: Apache-2.0
// policies_tb - each arbitration policy for VC 1 of 4, each selection policy for input port 3 of a switch with 5 output ports (those
// with a register), and the filter with 6 requests of 3 bits, 10 of 8 and 4 without ranks.
// in: reset, nonempty, count, gone, seed, granted, requests, ranks (10; of the seventh bit 0 also says that the port is local).  out: the rank, the mask, or the requests.
`include "parameters.vh"
module policies_tb #(
    parameter A   = `UT_ARBITRATION_POLICIES,
    parameter B   = `UT_SELECTION_POLICIES,
    parameter S   = A + B + 3,
    parameter IN  = 17,
    parameter OUT = 1
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  genvar s, i;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [31:0] out;
      assign out_o[s*32+:32] = out;
      if (s < A) begin : g_kind
        localparam RANK = `UT_ARBITRATION_RANK(s) > 0 ? `UT_ARBITRATION_RANK(s) : 1;
        wire [RANK-1:0] rank;
        assign out = {{32 - RANK{1'b0}}, rank};
        ut_arbitration_policy #(
            .ARBITRATION(s),
            .CW(4),
            .RANK(RANK)
        ) u_dut (
            .clk_i(clk_i),
            .rst_i(in[0]),
            .above_i(3'd2),
            .local_i(in[13*32]),
            .nonempty_i(in[1*32]),
            .count_i(in[2*32+:4]),
            .gone_i(in[3*32]),
            .rank_o(rank)
        );
      end else if (s < A + B) begin : g_kind
        wire [4:0] mask;
        assign out = {27'd0, mask};
        if (`UT_SELECTION_BITS(s - A) != 0) begin : g_register
          ut_selection_policy #(
              .PO(5),
              .SELECTION(s - A),
              .PORT(3)
          ) u_dut (
              .clk_i(clk_i),
              .rst_i(in[0]),
              .seed_i(in[4*32+:16]),
              .granted_i(in[5*32+:5]),
              .mask_o(mask)
          );
        end else begin : g_register
          assign mask = 5'd0;
        end
      end else begin : g_kind
        localparam N = s == A + B ? 6 : s == A + B + 1 ? 10 : 4;
        localparam RANK = s == A + B ? 3 : s == A + B + 1 ? 8 : 0;
        localparam RW = RANK > 0 ? RANK : 1;
        wire [N*RW-1:0] rank;
        wire [N-1:0] kept;
        assign out = {{32 - N{1'b0}}, kept};
        for (i = 0; i < N; i = i + 1) begin : g_line
          assign rank[i*RW+:RW] = in[(7+i)*32+:RW];
        end
        ut_request_filter #(
            .N(N),
            .RANK(RANK)
        ) u_dut (
            .req_i(in[6*32+:N]),
            .rank_i(rank),
            .req_o(kept)
        );
      end
    end
  endgenerate
endmodule
