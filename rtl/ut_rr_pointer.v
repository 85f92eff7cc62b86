// SPDX-License-Identifier: Apache-2.0
// ut_rr_pointer - round-robin pointer over N lines: a rotating priority that moves behind the line that was served.
//
// mask_o: the lines that come before the others, all above the one that was served last; all lines after reset.  The lines
// are WORDS words of LINES lines, word by word.  Where they are many, not the mask is kept but {words that come first as a
// whole, lines of the current word that come first}: fewer flip-flops, and the next value, which follows from a late grant, is
// found in a word instead of in all lines. With a served line in the last word no word comes first.
// Twin: csim/switch/rr_arbiter.h, ut_rr_after
`default_nettype none
`include "assertions.vh"
module ut_rr_pointer #(
    parameter LINES = 8,
    parameter WORDS = 1,
    parameter N = LINES * WORDS
) (
    input wire          clk_i,
    input wire          rst_i,
    input wire          move_i,
    input wire  [N-1:0] served_i,  // one-hot if move_i
    output wire [N-1:0] mask_o
);
  localparam SPLIT = WORDS > 1 && N > 8;
  localparam TW = SPLIT ? WORDS + LINES : N;

  reg  [TW-1:0] pointer_q  /*verilator public_flat_rd*/;
  wire [TW-1:0] pointer_d;
  always @(posedge clk_i)
    if (rst_i) pointer_q <= {TW{1'b1}};
    else if (move_i) pointer_q <= pointer_d;

  genvar w;
  generate
    if (SPLIT) begin : g_words
      wire [WORDS-1:0] first, word, from_word;  // word that was served
      wire [LINES-1:0] line, from_line;
      assign first = pointer_q[LINES+:WORDS];
      for (w = 0; w < WORDS; w = w + 1) begin : g_word
        wire current;
        if (w == WORDS - 1) begin : g_last
          assign current = ~first[w];
        end else begin : g_last
          assign current = ~first[w] & first[w+1];
        end
        assign mask_o[w*LINES+:LINES] = {LINES{first[w]}} | ({LINES{current}} & pointer_q[LINES-1:0]);
        assign word[w] = |served_i[w*LINES+:LINES];
      end
      ut_or_reduce #(
          .N(WORDS),
          .W(LINES)
      ) u_line (
          .rows_i(served_i),
          .or_o(line)
      );
      ut_lines_from #(
          .N(WORDS)
      ) u_words (
          .set_i(word),
          .from_o(from_word)
      );
      ut_lines_from #(
          .N(LINES)
      ) u_lines (
          .set_i(line),
          .from_o(from_line)
      );
      assign pointer_d = {from_word << 1, from_line << 1};
    end else begin : g_words
      wire [N-1:0] from;
      ut_lines_from #(
          .N(N)
      ) u_lines (
          .set_i(served_i),
          .from_o(from)
      );
      assign mask_o = pointer_q;
      assign pointer_d = from << 1;
    end
  endgenerate

  // ---- assertions
  // The mask is a tail: all lines above one in the mask are in it; otherwise the pointer would jump.
  `UT_ASSERT(mask_is_a_tail, ~|((mask_o << 1) & ~mask_o))
  // The pointer moves behind one line.
  `UT_ASSERT(one_served, !move_i || $onehot(served_i))
endmodule
`default_nettype wire
