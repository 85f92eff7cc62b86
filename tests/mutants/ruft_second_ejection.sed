# file: ut_route_ruft.v
# what: the first level offers the way to the second ejection link where the header does not allow it (RUFT section 4.2.1)
# scenario: s/fat_tree/ft_ruft_222/; s/algorithm: .*}/algorithm: ruft}/; s/at: 300, until: 700, .*/at: 0, switch: {level: 2, switch: 0}}/
# expect: switch 0\.[0-3] in[0-3]\.(select_q|vc0\..*)
# cycles: 3 60
s/(other & {K{choices\[1\]}})/other/
