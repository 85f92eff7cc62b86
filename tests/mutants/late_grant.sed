# file: vc_allocator.v
# what: a grant arrives one cycle late
# expect: switch 0\.[0-3] (in[0-9].select_q|in[0-9].vc0.(state_q|credit_q|owed_q|fifo\.[a-z]*_q)|out[0-9].(valid_q|vc0.[a-z]*_q))
s|^  assign grant_o = \(.*\);|  reg [NI-1:0] late_q;\n  always @(posedge clk_i) late_q <= \1 \& {NI{~rst_i}};\n  assign grant_o = late_q;|
