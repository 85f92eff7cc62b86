#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools/deadlock_times: leaves out fault sets that cannot deadlock, and counts the same deadlocks as runs of all of them.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"

cat >tree.yaml <<'YAML'
topology: {kind: fat_tree, k: 2, n: 3}
switch: {depth_flits: 2, packet_flits: 2}
routing: {algorithm: reroute_adaptive_link}
traffic: {load_flits_per_cycle: 0.9}
run: {warmup_cycles: 0, measure_cycles: 2000, drain: false, watchdog_cycles: 100}
YAML
deadlocks=0
for seed in 1 2 3 4 5 6 7 8; do
  sed "s/^run: {/&seed: $seed, /" tree.yaml >all.yaml
  echo "faults: [{at: 0, random_links: 4}]" >>all.yaml
  "$UTURN_BIN" run all.yaml --json --quiet >all.json 2>messages || [ $? = 4 ]
  deadlocks=$((deadlocks + $(grep -c '"deadlock": true' all.json || true)))
done
found=$("$UTURN_ROOT/tools/deadlock_times" tree.yaml 4 1 8 | tail -n 1 | awk '{print $2}')
[ "$found" = "$deadlocks" ] || fail "tools/deadlock_times finds $found deadlocks, runs of all sets $deadlocks"
[ "$deadlocks" -gt 0 ] || fail "no run deadlocks: nothing is compared"
status=0
"$UTURN_ROOT/tools/deadlock_times" tree.yaml 2>messages || status=$?
[ "$status" = 2 ] && grep -q 'deadlock_times SCENARIO LINKS FIRST LAST' messages || fail "status $status without arguments"

# the picture of the page: the table's eight times, three curves with their intervals, limits and the paper's values
"$UTURN_ROOT/tools/draw_deadlock_times" figure_12.svg
grep -q "</svg>" figure_12.svg || fail "the picture is not whole"
for title in 'deadlocked, 10 faults' 'can deadlock, 10 faults' 'the paper, 10 faults'; do
  grep -q ">$title<" figure_12.svg || fail "the picture has no '$title'"
done
for mark in 4 8; do # of ten and of seven faults
  marks=$(grep -c "xlink:href='#gpPt$mark'" figure_12.svg)
  [ "$marks" = 9 ] || fail "a curve has $marks marks; the table has eight times, the key one"
done
