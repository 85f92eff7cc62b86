#!/bin/bash
# Workloads in lockstep, on every family: RTL and model receive the same packets in the same cycle, so they send the same ones;
# with faults in the middle, and lost packets sent again.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"

# lockstep NAME TOPOLOGY SWITCH ALGORITHM TRAFFIC [FAULT]: complete, without a mismatch
lockstep() {
  cat >"$1.yaml" <<YAML
topology: {$2}
switch: {$3}
routing: {algorithm: $4}
traffic: {resend_after_cycles: 200, $5}
YAML
  [ -z "${6-}" ] || printf 'faults:\n  - {%s}\n' "$6" >>"$1.yaml"
  expect 0 "$UTURN_BIN" cosim "$1.yaml" --elaborate never --json
  for want in '"mismatches": 0' '"complete": true' '"corrupt_packets": 0' '"waiting_tasks": 0'; do
    grep -q "$want" out || fail "$1: not $want: $(cat out)"
  done
}

packets="depth_flits: 16, packet_flits: 8"
tree="kind: fat_tree, k: 4, n: 2"
lockstep tree "$tree" "$packets" reroute_adaptive_link "pattern: all_to_all, message_bytes: 200" \
  "at: 100, until: 200, every: 150, times: 3, random_links: 2"
grep -q '"resent_packets": [1-9]' out || fail "nothing is sent again: $(cat out)"
lockstep tree_ring "$tree" "$packets" reroute_adaptive_link "pattern: all_reduce_ring, message_bytes: 4000, compute_cycles: 5"
lockstep torus "kind: torus, k: 4, n: 2" "$packets" dor "pattern: all_reduce_tree, message_bytes: 200, root: 5"
lockstep mesh "kind: mesh, k: 4, n: 2" "vcs: 2, $packets" duato "pattern: nearest_neighbour, message_bytes: 200, repeat: 3"
lockstep cube "kind: hypercube, n: 4" "$packets" ecube "pattern: broadcast, message_bytes: 200, root: 3"
lockstep ruft "kind: ft_ruft_212, k: 2, n: 4" "$packets" ruft "pattern: all_to_all, message_bytes: 100"
echo "6 workloads complete in lockstep, 0 mismatches"
