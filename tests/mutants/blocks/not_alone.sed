# file: ut_room.v
# what: a packet follows another one into the same buffer
# expect: ^output_unit .* alone.*: offer_q
s/ALONE != 0 ? DEPTH : SWITCHING != 0 ? (VC/SWITCHING != 0 ? (VC/
