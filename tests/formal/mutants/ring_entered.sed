# file: ut_room.v
# what: a packet enters a ring where it could go on
s/NEED + MAX_PACKET/NEED/
