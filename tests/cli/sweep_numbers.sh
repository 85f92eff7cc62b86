#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What people read of a sweep - table, picture, searches, shares - computed a second time from the JSON of each run.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
check() { /usr/bin/python3 "$UTURN_ROOT/tests/cli/sweep_numbers.py" "$@" || fail "$* is not as it should be"; }

# Curves of two axes, unequal runs, a confidence of the file's own; with one VC some runs end in a deadlock, some do not.
cat >curves.yaml <<YAML
base:
  topology: {kind: fat_tree, k: 3, n: 2}
  switch: {vcs: 1, depth_flits: 2, route_cycles: 0}
  routing: {algorithm: reroute_det_link}
  traffic: {load_flits_per_cycle: 0.1}
  faults:
    - {at: 100, link: {level: 0, switch: 0, port: 3}}
    - {at: 100, link: {level: 0, switch: 1, port: 4}}
  run: {warmup_cycles: 100, measure_cycles: 400, watchdog_cycles: 100, drain: false}
axes:
  - switch.vcs: [1, 2]
  - switch.depth_flits: [2, 4]
  - traffic.load_flits_per_cycle: [0.05, 0.1, 0.2, 0.4]
repeat: {least: 3, most: 6, until: {result: latency.mean, within_percent: 8, confidence: 0.8}}
YAML
expect 0 "$UTURN_BIN" sweep curves.yaml
expect 0 "$UTURN_BIN" sweep curves.yaml --read --json
check table curves.sqlite out
check runs curves.sqlite
expect 0 "$UTURN_BIN" sweep curves.yaml --read --json --where 'load < 0.15 and vcs = 2'
check where curves.sqlite out
expect 0 "$UTURN_BIN" sweep curves.yaml --read --show throughput,latency.mean,latency.p99
check text curves.sqlite out
expect 0 "$UTURN_BIN" plot curves.yaml --output curves.svg
check picture curves.sqlite curves.svg throughput_flits_per_cycle_per_terminal latency_cycles.mean
expect 0 "$UTURN_BIN" plot curves.yaml --x load --y throughput --output load.svg
check picture curves.sqlite load.svg traffic.load_flits_per_cycle throughput_flits_per_cycle_per_terminal
expect 0 "$UTURN_BIN" plot curves.yaml --x load --y latency.mean --log y --output log.svg
check picture curves.sqlite log.svg traffic.load_flits_per_cycle latency_cycles.mean log

# Each probe of a search runs at the load that its row names; what was found is one of them.
cat >find.yaml <<'YAML'
base:
  topology: {kind: fat_tree, k: 2, n: 2}
  routing: {algorithm: fta}
  run: {warmup: cycles, warmup_cycles: 50, measure_cycles: 200, drain: false}
axes: [{routing.algorithm: [fta, destro]}]
find: {what: saturation, precision: 0.0001}
repeat: 2
YAML
expect 0 "$UTURN_BIN" sweep find.yaml
check search find.sqlite

# Shares: each run in exactly one of them, together all.
sed -e '/^repeat/d' -e '/vcs: \[1, 2\]/d' curves.yaml >shared.yaml
echo 'repeat: 4' >>shared.yaml
for share in 0 1 2; do
  expect 0 "$UTURN_BIN" sweep shared.yaml --share "$share/3"
done
check shares 32 shared.tasks/*.sqlite
