# file: ut_first_in_turn.v
# what: nobody is granted where nobody comes first
s/|masked ? from_masked : from_any/from_masked/
