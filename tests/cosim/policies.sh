#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Policies (docs/reference/policies.md) in lockstep, each beyond saturation, with link faults amid the traffic: a mesh with two VCs and a
# fat tree.  The spec agrees with the model; flipped bits of the registers of policies are found.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "policies: $*" >&2; exit 1; }

# equal NAME TOPOLOGY ALGORITHM LEVEL:PORT KEYS: keys of the switch; a link that fails and comes back
equal() {
  cat >"$work/$1.yaml" <<YAML
topology: $2
switch: {vcs: 2, depth_flits: 4, packet_flits: 3, $5}
routing: {algorithm: $3}
traffic: {pattern: uniform, load_flits_per_cycle: 0.9}
faults: [{at: 300, until: 900, link: {level: ${4%:*}, switch: 1, port: ${4#*:}}}]
run: {warmup_cycles: 0, measure_cycles: 2000, drain: false, watchdog_cycles: 0, seed: 1}
YAML
  "$UTURN_BIN" cosim "$work/$1.yaml" --json >"$work/$1.json" || fail "$1: exit status $?"
  grep -q '"mismatches": 0' "$work/$1.json" || fail "$1: mismatches"
  "$UTURN_BIN" run "$work/$1.yaml" --check spec --json >"$work/$1.spec" || fail "$1, model and spec: exit status $?"
  # the policy does something: packets arrive at other times than without it
  sed "s/, $5//" "$work/$1.yaml" >"$work/without.yaml"
  "$UTURN_BIN" run "$work/$1.yaml" --packets "$work/with.csv" >"$work/out"
  "$UTURN_BIN" run "$work/without.yaml" --packets "$work/without.csv" >"$work/out"
  ! cmp -s "$work/with.csv" "$work/without.csv" || fail "$1: $5 changes nothing"
}
equal oldest '{kind: mesh, sizes: [3, 3]}' duato 0:1 'arbitration: oldest_first, selection: random'
equal tree '{kind: fat_tree, k: 2, n: 3}' reroute_adaptive_link 0:3 'arbitration: oldest_first, selection: rotating'
equal priority '{kind: mesh, sizes: [3, 3]}' duato 0:1 'arbitration: priority, selection: rotating'
equal transit '{kind: mesh, sizes: [3, 3], local_ports: 2}' duato 0:1 'arbitration: transit_first'

# plant REGISTER BIT: flipped in switch 4 of the first mesh in cycle 203, found in the next one
plant() {
  local status=0
  "$UTURN_BIN" cosim "$work/oldest.yaml" --cycles 400 --inject "203:0.4:$1:$2" >"$work/out" 2>&1 || status=$?
  [ $status = 3 ] || fail "plant $1: exit status $status, expected 3"
  grep -q "^cycle 204: switch 0\.4 in[0-9.vc]*\.\(age_q\|lfsr_q\): RTL holds" "$work/out" ||
    fail "plant $1: $(head -3 "$work/out")"
  grep -q 'two of three: the spec agrees with the model' "$work/out" || fail "plant $1: $(cat "$work/out")"
}
plant in1.vc0.age_q 7
plant in2.lfsr_q 3
