# SPDX-License-Identifier: Apache-2.0
# add_a_pattern.bash - part of worked_examples_slow.sh, for docs/howto/add_a_pattern.md: the pattern is known to every command, and
# its packets go where its definition says.

# Its definition and its refusals are tested, and it is known wherever patterns are.
for test in test_traffic_defined test_scenario_keys; do
  "build/$test" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "$test"; }
done
# shellcheck disable=SC2016
sed -n '/^```yaml$/,/^```$/p' "$page" | grep -v '^```' >butterfly.yaml
"$UTURN_BIN" run butterfly.yaml --json --packets "$work/packets.csv" >"$work/json"
grep -q '"corrupt_packets": 0,' "$work/json" || { cat "$work/json" >&2; fail "run"; }
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  { src = $at["source"]; dst = src % 2 * 32 + int(src % 32 / 2) * 2 + int(src / 32); packets++; wrong += $at["destination"] != dst }
  END { if (packets < 1000 || wrong) { print packets " packets, " wrong " to a wrong terminal"; exit 1 } }' "$work/packets.csv" >&2 ||
  fail "packets go elsewhere"
refused butterfly.yaml "pattern butterfly works on address bits: 27 terminals are no power of two" 's/k: 4/k: 3/'
refused butterfly.yaml "did you mean 'butterfly'?" 's/pattern: butterfly/pattern: buterfly/'
refused butterfly.yaml "'traffic.hot_spot_node' is for pattern hot_spot only, this pattern is butterfly" 's/traffic: {/&hot_spot_node: 1, /'

# A pattern that nobody defines a second time is found.
sed -i 's/, {&ut_pattern_butterfly, ends_swapped, false}//; /^static unsigned ends_swapped/,/^}/d' tests/traffic/test_traffic_defined.c
ninja -C build test_traffic_defined >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "not built without its definition"; }
! build/test_traffic_defined >"$work/log" 2>&1 && grep -q 'pattern butterfly: no row in bit_patterns' "$work/log" ||
  fail "a pattern without a test is not found"
echo "the example is a pattern like all others"
