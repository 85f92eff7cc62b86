// ut_first_in_turn - of a set of lines the first one by a rotating priority: the lowest one in mask_i, else the lowest one.
//
// mask_i is a tail: with a line all lines above it are in it.  A line in the mask is the first one if none below it in the
// mask is in the set; another line, if also no line in the mask is in the set, and none below it at all.  That takes an AND, a
// prefix of ORs and an AND behind the set, which is late; there is no choice between two results.  Each line asks every other
// one, which is the shortest way, but their pairs grow with the square.  So many lines are cut into words: a line asks those of
// its word one by one, and of another word whether any line is in the set, or any of those in the mask.  Combinational.
// Twin: csim/switch/rr_arbiter.h, ut_rr_pick
`default_nettype none
module ut_first_in_turn #(
    parameter N = 8
) (
    input wire  [N-1:0] set_i,
    input wire  [N-1:0] mask_i,
    output wire [N-1:0] first_o  // one-hot, or 0 of the empty set
);
  localparam WORDS = N > 16 ? (N + 7) / 8 : 1;
  localparam LINES = (N + WORDS - 1) / WORDS;  // of a word
  localparam PADDED = WORDS * LINES;

  function [LINES-1:0] blocked(input [LINES-1:0] lines, input [LINES-1:0] mask);
    integer j;
    reg [LINES-1:0] above;
    begin
      blocked = {LINES{1'b0}};
      if (|lines) for (j = 0; j < LINES; j = j + 1) begin
        above = {LINES{1'b1}} << j << 1;
        if (lines[j]) blocked = blocked | (mask[j] ? above | ~mask : above & ~mask);
      end
    end
  endfunction

  genvar w;
  generate
    if (WORDS == 1) begin : g_words
      assign first_o = set_i & ~blocked(set_i, mask_i);
    end else begin : g_words
      wire [PADDED-1:0] set, mask;
      // verilator lint_off UNUSEDSIGNAL
      wire [PADDED-1:0] chosen;  // lines that fill up the last word are never in the set
      // verilator lint_on UNUSEDSIGNAL
      wire [WORDS-1:0] some, some_masked;  // of each word
      assign set = {{PADDED - N{1'b0}}, set_i};
      assign mask = {{PADDED - N{1'b1}}, mask_i};
      for (w = 0; w < WORDS; w = w + 1) begin : g_word
        localparam [WORDS-1:0] BELOW = ~({WORDS{1'b1}} << w);
        wire [LINES-1:0] my_set = set[w*LINES+:LINES];
        wire [LINES-1:0] my_mask = mask[w*LINES+:LINES];
        assign some[w] = |my_set;
        assign some_masked[w] = |(my_set & my_mask);
        wire in_front = |(some & BELOW) | |some_masked;  // of those that are not in the mask
        wire in_front_masked = |(some_masked & BELOW);  // then all lines of this word are in the mask
        wire [LINES-1:0] late = blocked(my_set, my_mask) | {LINES{in_front_masked}} | (~my_mask & {LINES{in_front}});
        assign chosen[w*LINES+:LINES] = my_set & ~late;
      end
      assign first_o = chosen[N-1:0];
    end
  endgenerate
endmodule
`default_nettype wire
