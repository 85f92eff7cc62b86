# file: ut_first_in_turn.v
# what: nobody is granted where nobody comes first
s/first_o = set_i &/first_o = set_i \& mask_i \&/
