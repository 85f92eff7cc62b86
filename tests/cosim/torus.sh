#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Without the bubble rule the rings of a torus fill and deadlock (exit status 4, the cycle is printed); with it everything
# arrives, beyond saturation too.  In lockstep.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "torus: $*" >&2; exit 1; }
scenario=$UTURN_ROOT/scenarios/deadlock_without_bubble.yaml

status=0
"$UTURN_BIN" cosim "$scenario" --json >"$work/without.json" 2>"$work/without.err" || status=$?
[ $status = 4 ] || fail "without the rule: exit status $status, expected 4"
grep -q '"deadlock": true' "$work/without.json" || fail "without the rule: the JSON does not say so"
grep -q '"mismatches": 0' "$work/without.json" || fail "without the rule: mismatches"
[ "$(grep -c 'waits for output ports' "$work/without.err")" -ge 4 ] || fail "no cycle of channels: $(cat "$work/without.err")"

# arrives NAME SED: with that change everything arrives
arrives() {
  sed "$2" "$scenario" >"$work/$1.yaml"
  "$UTURN_BIN" cosim "$work/$1.yaml" --json >"$work/$1.json" || fail "$1: exit status $?"
  for want in '"mismatches": 0' '"unreachable": 0' '"in_flight_packets": 0' '"queued_packets": 0' '"deadlock": false'; do
    grep -q "$want" "$work/$1.json" || fail "$1: not $want"
  done
}
arrives dor s/dor_without_bubble/dor/
arrives duato 's/dor_without_bubble/duato/; s/vcs: 1/vcs: 2/'
arrives dor_dateline 's/dor_without_bubble/dor_dateline/; s/vcs: 1/vcs: 3, switching: wormhole/'

# Terminals with several links each way, and packets of all lengths: in a mesh under wormhole while links of terminals
# fail, and in a torus, whose bubble rule hears of the shortest packet.
lockstep() {
  "$UTURN_BIN" cosim "$work/$1.yaml" --json >"$work/$1.json" || fail "$1: exit status $?"
  for want in '"mismatches": 0' '"corrupt_packets": 0' '"in_flight_packets": 0' '"queued_packets": 0' '"deadlock": false'; do
    grep -q "$want" "$work/$1.json" || fail "$1: not $want"
  done
}
cat >"$work/mesh_of_links.yaml" <<'END'
topology: {kind: mesh, k: 8, n: 2, terminal_links: 2}
switch: {vcs: 2, switching: wormhole, packet_flits: {distribution: exponential, mean: 20}}
routing: {algorithm: duato}
traffic: {load_flits_per_cycle: 0.2, process: poisson}
faults:
  - {at: 500, until: 1000, injection: {terminal: 9, link: 1}}
  - {at: 500, until: 1000, ejection: {terminal: 12}}
  - {at: 700, until: 1100, random_terminal_links: 5}
run: {warmup_cycles: 0, measure_cycles: 2000}
END
lockstep mesh_of_links
cat >"$work/torus_of_links.yaml" <<'END'
topology: {kind: torus, sizes: [4, 3], local_ports: 2, terminal_links: 3}
switch: {vcs: 2, depth_flits: 16, packet_flits: {distribution: uniform, min: 5, max: 8}}
routing: {algorithm: duato}
traffic: {load_flits_per_cycle: 0.9}
run: {warmup_cycles: 0, measure_cycles: 1500}
END
lockstep torus_of_links
# Five VCs, one for each port of a switch: lanes of more than half a word, in the turns of arbiters as well.
cat >"$work/torus_of_vcs.yaml" <<'END'
topology: {kind: torus, sizes: [3, 3]}
switch: {vcs: 5, depth_flits: 6, packet_flits: 2, crossbar: vc}
routing: {algorithm: duato, mechanisms: {intermediate: 1}}
traffic: {load_flits_per_cycle: 0.9}
run: {warmup_cycles: 0, measure_cycles: 1000}
END
lockstep torus_of_vcs
# Datelines in place of the bubble rule: links of two cycles, two lengths of packets, links that fail for a while.
cat >"$work/torus_of_datelines.yaml" <<'END'
topology: {kind: torus, sizes: [5, 4], link_cycles: 2}
switch: {vcs: 5, depth_flits: 8, packet_flits: {distribution: bimodal, short: 2, long: 6, long_fraction: 0.5}, switching: wormhole}
routing: {algorithm: duato_dateline, mechanisms: {intermediate: 1}}
traffic: {load_flits_per_cycle: 0.6}
faults: [{at: 0, random_links: 2}, {at: 500, until: 800, random_links: 1}]
run: {warmup_cycles: 0, measure_cycles: 1000}
END
lockstep torus_of_datelines
