# file: ut_input_vc.v
# what: a bad tail behind a stripped header word is taken for a head
# expect: ^input_port .*
s/wire orphan = promoted/wire orphan = 1'b0 \& promoted/
