# file: ut_input_vc.v
# what: a tail that has won already is requested for again, where another packet is behind it
s/ & ~kind\[1\] : nonempty;/ : nonempty;/
