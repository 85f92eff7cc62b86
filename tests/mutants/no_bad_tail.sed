# file: input_vc.v
# what: a packet that a fault cuts in its middle gets no bad tail
# expect: switch (1\.1|0\.1) in[0-9]\.vc0\.(open_q|fifo\.[a-z]*_q|state_q|fifo\.tag_q.*)
s/assign bad_push = ~up_i & open_q;/assign bad_push = 1'b0 \& ~up_i \& open_q;/
