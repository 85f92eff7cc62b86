# file: ut_room.v
# what: room for a packet with one credit less
s/credits_i >= NEED\[CW-1:0\]/credits_i >= NEED[CW-1:0] - 1'b1/
