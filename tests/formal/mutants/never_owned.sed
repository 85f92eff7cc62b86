# file: ut_output_unit.v
# what: a VC that is taken stays free
s/(owned_q | take_i\[v\])/owned_q/
