# file: ut_room.v
# what: the bubble rule counted in flits: room for one packet, or two
s/DEPTH - RING_FILL : MAX_PACKET/MAX_PACKET : MAX_PACKET/
