# file: ut_vc_allocator.v
# what: a VC that does not bid asks all the same
s/choice_o\[ME\*NO+:NO\] & {NO{bid_i\[ME\]}}/choice_o[ME*NO+:NO]/
