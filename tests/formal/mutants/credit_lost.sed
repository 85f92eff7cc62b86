# file: ut_output_unit.v
# what: a credit that arrives while a flit is sent is lost
s/credits_q - {{CW - 1{1'b0}}, ~credit_i\[v\]}/credits_q - {{CW - 1{1'b0}}, 1'b1}/
