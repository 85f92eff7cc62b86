# file: ut_switch_allocator.v
# what: winners are read off in the order of the arbiters, not of the VCs
s/\.rows_i(select_o)/.rows_i(gnt)/
