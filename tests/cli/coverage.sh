#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# coverage: what is hit and missed in runs that can be followed on paper; the merged file, JSON, the page; what is refused.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
coverage() { expect 0 "$UTURN_BIN" coverage "$@"; }
# hits NAME of --verbose in out: a point that the last scenario adds
hits() { awk -v name="$1" '$1 == name && $3 == "hits" { print $2 }' out; }
is() { [ "$2" = "$3" ] || fail "$1: $2, expected $3: $(cat out)"; }

# One packet of two flits, from terminal 0 to terminal 3 of a 2-ary 2-tree: up at a leaf switch, down at a root, down at a leaf switch.
# The network has 12 links into switches, with a buffer of 4 flits each: 48 places are told when the links come up.  Six flits leave
# buffers, two in each switch, and the last credit of an output VC comes back 12 + 3 times.  Nothing else happens.
echo '10 0 3 2' >one.trace
cat >one.yaml <<'YAML'
topology: {kind: fat_tree, k: 2, n: 2}
switch: {depth_flits: 4, packet_flits: 2}
routing: {algorithm: destro}
traffic: {pattern: trace, trace_file: one.trace}
run: {warmup_cycles: 0, measure_cycles: 100}
YAML
coverage one.yaml --verbose --file all.txt
is up "$(hits up_deterministic)" 1
is down "$(hits down_deterministic)" 2
is grants "$(hits grant_alone)" 3
is pending "$(hits credit_pending)" 48
is credits "$(hits credit_returned)" $((48 + 6))
is "last credits" "$(hits credits_all)" $((12 + 3))
grep -q '^6 of [0-9]* points hit, in 1 scenario' out || fail "one packet hits something else: $(head -n 1 out)"

# Without faults no point of a fault applies; no algorithm but the scenario's does.
grep -q 'u_turn\|_fails\|vector\|discard\|up_adaptive' out && fail "without faults: $(cat out)"

# A dead link next to a leaf switch: U-turns.  The timer never expires where the run is not longer; it does, with 3 cycles.
tree() {
  sed "s/TIMEOUT/$1/" >tree.yaml <<'YAML'
topology: {kind: fat_tree, k: 2, n: 2}
switch: {depth_flits: 4, packet_flits: 2}
routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: TIMEOUT}
faults: [{at: 0, link: {level: 0, switch: 1, port: 2}}]
traffic: {load_flits_per_cycle: 0.1}
run: {warmup_cycles: 0, measure_cycles: 800, drain: false, seed: 2}
YAML
}
tree 1000
coverage tree.yaml --verbose
[ "$(hits u_turn_leaves)" -gt 0 ] && [ "$(hits timer_runs)" -gt 0 ] || fail "no U-turn: $(cat out)"
grep -q 'timer_expires' out && fail "the timer of 1000 cycles could expire in 800"
tree 400
coverage tree.yaml --missing
grep -q '^  timer_expires ' out || fail "the timer of 400 cycles is not missed"
tree 3
coverage tree.yaml --verbose --file all.txt
"$UTURN_BIN" cosim tree.yaml --json >cosim.json
is "U-turns, as cosim counts them" "$(hits u_turn_leaves)" "$(sed -n 's/^ *"u_turns": \([0-9]*\).*/\1/p' cosim.json)"
[ "$(hits timer_expires)" -gt 0 ] || fail "the timer of 3 cycles does not expire"

# The file holds both scenarios, in the order in which they came; a third run of the first one adds to its hits and nothing new.
is "scenarios of the file" "$(cut -f3 all.txt | tail -n +2 | uniq | tr '\n' ' ')" "one.yaml tree.yaml "
coverage one.yaml --file all.txt
is "hits of two runs" "$(grep "^grant_alone	.*one.yaml" all.txt | cut -f2)" 6
cp out first
coverage --file all.txt
cmp -s out first || fail "the file alone is not the sum: $(diff out first)"
coverage --file all.txt --json
python3 - out <<'PYTHON' || fail "JSON"
import json, sys
r = json.load(open(sys.argv[1]))
points, scenarios = r["points"], r["scenarios"]
assert [s["scenario"] for s in scenarios] == ["one.yaml", "tree.yaml"], scenarios
assert r["points_of_all"] == len(points)
assert r["points_that_apply"] == sum(p["applies"] for p in points)
assert r["points_hit"] == sum(p["hits"] > 0 for p in points) == sum(len(s["new"]) for s in scenarios)
for p in points:
    assert (p["first"] is None) == (p["hits"] == 0), p
    assert p["applies"] or not p["hits"], p
PYTHON
coverage --file all.txt --html page.html
grep -q 'data-type="coverage"' page.html || fail "no section of the page"

# The page explains every word of the table.
for word in $(grep -v '^#' "$UTURN_ROOT/spec/cover_points.tsv" | cut -f3 | tr ' |' '\n\n' | grep -v '[:-]' | sort -u); do
  grep -q "^| \`$word\` |" "$UTURN_ROOT/docs/reference/coverage.md" || fail "docs/reference/coverage.md does not explain $word"
done

# What is refused, with nothing lost.
cp all.txt kept.txt
for bad in '1s/table ./table x/|other points' '1s/uturn/notes/|no file of' '2s/^[a-z_]*/nothing/|bad.txt:2' '3s/	[0-9]*	/	many	/|bad.txt:3'; do
  sed "${bad%|*}" all.txt >bad.txt
  cp bad.txt before.txt
  reject "bad.txt|${bad#*|}" "$UTURN_BIN" coverage one.yaml --file bad.txt
  cmp -s bad.txt before.txt || fail "a file that was refused is changed"
done
reject "nowhere/all.txt" "$UTURN_BIN" coverage one.yaml --file nowhere/all.txt
reject "--html|page.txt" "$UTURN_BIN" coverage one.yaml --html page.txt
reject "empty.txt|name scenarios" "$UTURN_BIN" coverage --file empty.txt
reject "which scenario" "$UTURN_BIN" coverage
reject "absent.yaml" "$UTURN_BIN" coverage one.yaml absent.yaml --file all.txt
cmp -s all.txt kept.txt || fail "a run that failed is in the file"

# Wrong RTL: status 3, nothing is counted.
cp -r "$UTURN_ROOT/rtl" rtl
sed -i 's/^\( *assign stale_o = \).*;/\1 1'"'"'b0;/' rtl/ut_reroute_vector.v
cmp -s rtl/ut_reroute_vector.v "$UTURN_ROOT/rtl/ut_reroute_vector.v" && fail "the RTL is not changed"
expect 3 "$UTURN_BIN" coverage tree.yaml --rtl rtl --file all.txt
grep -q 'RTL and spec differ' err || fail "a mismatch: $(cat err)"
cmp -s all.txt kept.txt || fail "a run with a mismatch is in the file"

# Lines of the RTL: a switch without routing cycles or output links that fail in a packet never is in these states.
coverage tree.yaml --missing --lines
grep -q '^[0-9]* of [0-9]* lines and branches of the RTL executed' out || fail "no lines of the RTL: $(cat out)"
grep -q '^  ut_input_vc\.v:[0-9]*: .*UT_VC_STATE_DRAIN' out || fail "a VC that discards is executed without a discard: $(cat out)"
if grep -q '^  ut_fifo\.v' out; then fail "flits do not go through buffers: $(cat out)"; fi
