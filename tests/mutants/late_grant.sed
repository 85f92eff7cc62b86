# file: ut_vc_allocator.v
# what: a grant arrives one cycle late
# expect: switch 0\.[0-3] in[0-3]\.(select_q|vc0\.state_q)
# cycles: 5 30
s|^  wire \[NI-1:0\] grant_ivc;.*|&\n  wire [NI-1:0] soon;\n  reg [NI-1:0] late_q;\n  always @(posedge clk_i) late_q <= soon \& {NI{~rst_i}};\n  assign grant_o = late_q;|
s/\.columns_o(grant_o)/.columns_o(soon)/
