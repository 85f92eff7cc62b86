# file: ut_crossbar.v
# what: every output takes what the output below it asks for
# expect: ^selectors .*: crossbar\[
s/select_i\[o\*NX+:NX\]/select_i[(o == 0 ? 0 : o - 1)*NX+:NX]/
