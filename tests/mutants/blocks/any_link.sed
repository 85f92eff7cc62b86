# file: ut_input_port.v
# what: a flit is accepted in the first cycle of a link
# expect: ^input_port .*: (data_q|open_q|count_q)
s/valid_i \& link_up_i \& up_q/valid_i \& link_up_i/
