# file: ut_local_first.v
# what: of the lowest VC alone
# expect: ^vc_allocator .*LOCAL=2: .*(grant_o|mask)
s/{WORDS{PORTS}}/PORTS/
