# file: ut_route_unit.v
# what: the family's verdict does not reach the answer
# expect: ^route_unit ruft .*: verdict
s/UT_ANSWER_DISCARD(V, PO)\] = discard/UT_ANSWER_DISCARD(V, PO)] = 1'b0 \& discard/
