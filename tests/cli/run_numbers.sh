#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What people read of a run - packets, throughput, latency, precision, drain, plan -, computed a second time from its packets.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
# check NAME WARMUP MEASURE: the scenario NAME.yaml on standard input
check() {
  { cat; echo "run: {warmup_cycles: $2, measure_cycles: $3, seed: 4}"; } >"$1.yaml"
  expect 0 "$UTURN_BIN" run "$1.yaml" --packets packets.csv
  mv out text
  expect 0 "$UTURN_BIN" run "$1.yaml" --json
  /usr/bin/python3 "$UTURN_ROOT/tests/cli/run_numbers.py" "$1.yaml" out text packets.csv "$2" "$3" || fail "$1.yaml is not as it should be"
}

# Packets of one flit: each one counts once in the throughput of its cycle, and once at each hop.
check faults 500 6000 <<'YAML'
topology: {kind: fat_tree, k: 2, n: 3}
switch: {depth_flits: 4, packet_flits: 1}
routing: {algorithm: reroute_adaptive_link}
traffic: {load_flits_per_cycle: 0.3}
faults:
  - {at: 1300, link: {level: 1, switch: 0, port: 0}}
  - {at: 2000, until: 2600, switch: {level: 1, switch: 3}}
  - {at: 3000, ejection: {terminal: 3}}
YAML
check full 200 2000 <<'YAML'
topology: {kind: mesh, k: 3, n: 2}
switch: {depth_flits: 4, packet_flits: 4}
routing: {algorithm: dor}
traffic: {load_flits_per_cycle: 0.9}
YAML
# A node that is cut off, and a broken link elsewhere.
check planned 1000 8000 <<'YAML'
topology: {kind: torus, sizes: [4, 5]}
switch: {vcs: 3, depth_flits: 12, packet_flits: 4}
routing: {algorithm: duato, mechanisms: {intermediate: 1}}
traffic: {load_flits_per_cycle: 0.1}
faults:
  - {at: 0, link: {level: 0, switch: 6, port: 0}}
  - {at: 0, link: {level: 0, switch: 6, port: 1}}
  - {at: 0, link: {level: 0, switch: 6, port: 2}}
  - {at: 0, link: {level: 0, switch: 6, port: 3}}
  - {at: 0, link: {level: 0, switch: 0, port: 0}}
YAML
printf '10 0 3 2\n30 1 2 4\n35 3 0 3\n400 5 0 4\n3000 2 1 1\n' >four.trace
check trace 20 2000 <<'YAML'
topology: {kind: fat_tree, k: 2, n: 3}
switch: {depth_flits: 8, packet_flits: 4}
routing: {algorithm: fta}
traffic: {pattern: trace, trace_file: four.trace}
YAML
grep -q 'were jumped' text || fail "no cycle is jumped: $(cat text)"
