# file: ut_input_vc.v
# what: the first credit after the repair of a link is lost
# expect: switch (0\.1|1\.1) in[13]\.vc0\.credit_q
# cycles: 701 710
s/^  assign credit_o = credit_q;/&\n  reg once_q, before_q, back_q;\n  always @(posedge clk_i) begin\n    before_q <= up_i;\n    once_q <= ~rst_i \& (once_q | up_i);\n    back_q <= ~rst_i \& once_q \& up_i \& ~before_q;\n  end/
s/credit_q <= credit_d;/credit_q <= credit_d \& ~back_q;/
