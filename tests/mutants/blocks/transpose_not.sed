# file: ut_transpose.v
# what: the matrix stays as it is
# expect: ^selectors .*: transpose\[
s/columns_o\[(c\*ROWS+r)\*W+:W\]/columns_o[(r*COLUMNS+c)*W+:W]/
