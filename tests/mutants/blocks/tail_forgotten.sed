# file: ut_input_vc.v
# what: wormhole: a bad tail that finds no room is forgotten
# expect: ^input_port .* wormhole: .*: (cut_q|busy_o|open_q|owed_q|credit_q)
s/cut_q <= due \& ~bad_push/cut_q <= 1'b0/
