# file: ut_vc_allocator.v
# what: a VC that does not bid asks all the same
s/choice & {NT{bid_i\[ME\]}}/choice/
