// SPDX-License-Identifier: Apache-2.0
// vc_allocator_tb - the allocator with its selection functions; P ports and V VCs, buffers of 4, 5 and 16 flits behind
// the outputs; in shapes 7 and 8 some input ports go first; the last one is as wide as the widest switch of shapes.tsv.  In some shapes VCs are alike, in one nobody has a choice.
// in: reset, bid, space, space2, bits of all credits (5), then rows of input VCs (30 each): cand, bubble, preferred.
// out: grant, taken, any, select_q (10), rows of choice (30), arbiters' masks of output VCs (30).
module vc_allocator_tb #(
    parameter S   = 10,
    parameter IN  = 99,
    parameter OUT = 73
) (
    input                 clk_i,
    input  [ S*IN*32-1:0] in_i,
    output [S*OUT*32-1:0] out_o
);
  genvar s, i, o;
  generate
    for (s = 0; s < S; s = s + 1) begin : g_shape
      localparam integer P = s < 3 ? 4 : s < 6 ? 8 : s == 9 ? 10 : 6;
      localparam integer V = s == 6 ? 4 : s == 8 ? 1 : s == 9 ? 3 : s % 3 + 1;
      localparam integer DEPTH = s % 3 == 0 ? 4 : s % 3 == 1 ? 5 : 16;
      localparam integer NI = V * P;
      localparam integer ALIKE = s == 1 || s == 4 || s == 5 ? 2 : s == 6 ? 3 : 1;
      localparam integer SINGLE = s == 1;
      // credits are random, whether there is space or not: thresholds from 1 on
      localparam integer BITS = DEPTH < 8 ? 0 : $clog2(DEPTH + 1);
      localparam integer LEVELS = BITS > 0 ? 0 : DEPTH;
      localparam integer AW = LEVELS + BITS;
      wire [IN*32-1:0] in = in_i[s*IN*32+:IN*32];
      wire [NI-1:0] bid, grant, taken;  // rows of the bench run over (ivc, ip), those of the allocator over (ip, ivc)
      wire [NI*NI-1:0] cand, bubble, preferred, choice;
      wire [AW*NI-1:0] amount;
      ut_vc_allocator #(
          .PI(P),
          .PO(P),
          .V (V),
          .LEVELS(LEVELS),
          .BITS(BITS),
          .ALIKE(ALIKE),
          .SINGLE(SINGLE),
          .LOCAL(s == 7 ? 2 : s == 8 ? 4 : 0)
      ) u_dut (
          .clk_i(clk_i),
          .rst_i(in[0]),
          .bid_i(bid),
          .cand_i(cand),
          .bubble_i(bubble),
          .preferred_i(preferred),
          .rank_i({NI{1'b0}}),  // round-robin, and the rotating priority
          .seed_i(16'd0),
          .space_i(in[2*32+:NI]),
          .space2_i(in[3*32+:NI]),
          .amount_i(amount),
          .grant_o(grant),
          .choice_o(choice),
          .taken_o(taken)
      );
      assign out_o[(s*OUT+1)*32+:32] = taken;
      wire [NI-1:0] any;
      assign out_o[(s*OUT+2)*32+:32] = any;
      for (o = 0; o < NI; o = o + 1) begin : g_amount
        wire [4:0] count = {in[8*32+o], in[7*32+o], in[6*32+o], in[5*32+o], in[4*32+o]};
        for (i = 0; i < AW; i = i + 1) begin : g_bit
          assign amount[i*NI+o] = LEVELS > 0 ? count > i : count[i];
        end
      end
      for (i = 0; i < 10; i = i + 1) begin : g_port
        if (i >= P) begin : g_used
          assign out_o[(s*OUT+3+i)*32+:32] = 32'd0;
        end else if (SINGLE == 0) begin : g_used
          assign out_o[(s*OUT+3+i)*32+:32] = u_dut.g_in[i].g_turn.select_q;
        end else begin : g_used
          assign out_o[(s*OUT+3+i)*32+:32] = 32'd0;
        end
      end
      for (i = 0; i < 30; i = i + 1) begin : g_row
        localparam ME = (i % P) * V + i / P;
        if (i < NI) begin : g_used
          assign bid[ME] = in[1*32+i];
          assign cand[ME*NI+:NI] = in[(9+i)*32+:NI];
          assign bubble[ME*NI+:NI] = in[(39+i)*32+:NI];
          assign preferred[ME*NI+:NI] = in[(69+i)*32+:NI];
          assign out_o[(s*OUT+13+i)*32+:32] = choice[ME*NI+:NI];
          assign out_o[(s*OUT+0)*32+i] = grant[ME];
          assign any[i] = |choice[ME*NI+:NI];
          assign out_o[(s*OUT+43+i)*32+:32] = u_dut.g_owner[i].mask;
        end else begin : g_used
          assign out_o[(s*OUT+0)*32+i] = 1'b0;
          assign out_o[(s*OUT+13+i)*32+:32] = 32'd0;
          assign out_o[(s*OUT+43+i)*32+:32] = 32'd0;
        end
      end
      assign out_o[(s*OUT+0)*32+30+:2] = 2'd0;
    end
  endgenerate
endmodule
