# file: ut_room.v
# what: a packet may go where a flit less than it needs has room
# expect: ^output_unit .*: (room_o|room2_o)
s/credits_i >= NEED\[/credits_i + 1 >= NEED[/
