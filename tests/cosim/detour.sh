#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Switches that route around bad nodes, in lockstep: nodes that have failed from the start, fail and come back amid the
# traffic.  What happens to packets then is no matter here (watchdog off): only registers are compared.  Flipped bits of
# what a switch knows of the nodes around it are found.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "detour: $*" >&2; exit 1; }

# equal NAME TOPOLOGY SWITCHES_THAT_FAIL [KEYS [VCS [ALGORITHM]]]: keys of the switch; depth 4, packets of 4 flits, at light
# load and beyond saturation
equal() {
  local load faults=
  for sw in $3; do faults="$faults  - {at: $((sw % 3 * 300)), switch: {level: 0, switch: $sw}}
"; done
  cat >"$work/$1.yaml" <<YAML
topology: $2
switch: {vcs: ${5:-2}, depth_flits: 4, packet_flits: 4, switching: wormhole, route_cycles: 1${4:+, $4}}
routing: {algorithm: ${6:-detour}}
traffic: {pattern: uniform, load_flits_per_cycle: 0.1}
faults:
$faults  - {at: 400, until: 900, switch: {level: 0, switch: 1}}
run: {warmup_cycles: 0, measure_cycles: 2000, drain: false, watchdog_cycles: 0, seed: 1}
YAML
  for load in 0.1 1.0; do
    "$UTURN_BIN" cosim "$work/$1.yaml" --load $load --json >"$work/$1.json" || fail "$1 at load $load: exit status $?"
    grep -q '"mismatches": 0' "$work/$1.json" || fail "$1 at load $load: mismatches"
  done
}
equal cube '{kind: hypercube, n: 4}' '3 9 10'
equal mesh '{kind: mesh, sizes: [5, 4]}' '7 13'
equal divided '{kind: mesh, sizes: [4, 3]}' '5' 'vin1_vcs: 2' 4
equal low_high '{kind: mesh, sizes: [4, 3]}' '7' '' 3 detour_low_high
equal reserved '{kind: mesh, sizes: [4, 3]}' '5' 'vin1_vcs: 2' 4 detour_reserved
equal misroutes '{kind: mesh, sizes: [4, 3]}' '7' 'misroute_hops: 1'
equal misroutes_cube '{kind: hypercube, n: 4}' '3 9' 'misroute_hops: 2'
equal first '{kind: hypercube, n: 3, terminal_links: 2}' '6' 'crossbar: vc, local_first: true'

# plant REGISTER BIT: flipped in switch 8 of the mesh in cycle 100, found in the next one, there or in what follows from it
plant() {
  local status=0
  "$UTURN_BIN" cosim "$work/mesh.yaml" --cycles 200 --inject "100:0.8:$1:$2" >"$work/out" 2>&1 || status=$?
  [ $status = 3 ] || fail "plant $1: exit status $status, expected 3"
  grep -q "^cycle 101: switch 0\.8 u_nodes\.[a-z]*_q: RTL holds" "$work/out" || fail "plant $1: $(head -3 "$work/out")"
}
plant u_nodes.unsafe_q 0
plant u_nodes.disabled_q 0
plant u_nodes.bad_q 2

# deadlock SCENARIO: of the text as printed, in lockstep; with the corrected algorithm the same packets arrive
deadlock() {
  local status=0
  "$UTURN_BIN" cosim "$UTURN_ROOT/scenarios/$1.yaml" --json >"$work/$1.json" 2>"$work/err" || status=$?
  [ $status = 4 ] || fail "$1: exit status $status, expected 4"
  grep -q '"mismatches": 0' "$work/$1.json" || fail "$1: mismatches"
  grep -q '^deadlock in cycle' "$work/err" || fail "$1: no cycle of channels: $(cat "$work/err")"
  sed "s/detour_literal}/detour}/; s|trace_file: |&$UTURN_ROOT/scenarios/|" "$UTURN_ROOT/scenarios/$1.yaml" >"$work/cured.yaml"
  "$UTURN_BIN" cosim "$work/cured.yaml" --json >"$work/cured.json" || fail "$1, corrected: exit status $?"
  grep -q '"mismatches": 0' "$work/cured.json" || fail "$1, corrected: mismatches"
  grep -q '"in_flight_packets": 0' "$work/cured.json" || fail "$1, corrected: packets are left"
  grep -A4 '"discarded_packets"' "$work/cured.json" | grep -q ': [1-9]' && fail "$1, corrected: packets are discarded"
  return 0
}
deadlock detour_literal_two_packets
deadlock detour_literal_deadlock
