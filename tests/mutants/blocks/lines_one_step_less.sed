# file: ut_lines_from.v
# what: a step of the prefix is missing: far lines are not above
# expect: ^selectors .*: lines_from
s/\[STEPS\]\.from/[STEPS > 0 ? STEPS - 1 : 0].from/
