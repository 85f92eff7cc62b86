# file: ut_input_vc.v
# what: a packet that a fault cuts in its middle gets no bad tail
# expect: switch (0\.1|1\.1) in[13]\.vc0\.open_q
# scenario: s/at: 300/at: 301/
# cycles: 302 304
s/assign bad_push = ~up_i & open_q;/assign bad_push = 1'b0 \& ~up_i \& open_q;/
