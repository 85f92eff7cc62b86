# file: ut_room.v
# what: a packet may go where a flit less than it needs has room
# expect: (offer_q|offer_follows)
s/credits_i >= NEED\[/credits_i + 1 >= NEED[/
