# file: ut_room.v
# what: wormhole: an adaptive VC is given away while its buffer holds flits (Duato's condition)
# expect: ^output_unit .* wormhole, algorithm 2 .*: offer_q
s/VC < ADAPTIVE ? DEPTH : 1/1/
