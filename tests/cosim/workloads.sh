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

# switches that other tests have in lockstep, too: their models are built once
demo="kind: fat_tree, k: 4, n: 3"
lockstep tree "$demo" "packet_flits: 2, route_cycles: 0" reroute_adaptive_link "pattern: all_to_all, message_bytes: 16" \
  "at: 100, until: 200, every: 150, times: 3, random_links: 4"
grep -q '"resent_packets": [1-9]' out || fail "nothing is sent again: $(cat out)"
lockstep tree_ring "$demo" "packet_flits: 2, route_cycles: 0" reroute_adaptive_link \
  "pattern: all_reduce_ring, message_bytes: 1000, compute_cycles: 5"
lockstep torus "kind: torus, sizes: [4, 3], local_ports: 2, terminal_links: 3" \
  "vcs: 2, depth_flits: 16, packet_flits: 8, shortest_packet_flits: 5" duato \
  "pattern: all_reduce_tree, message_bytes: 200, root: 5"
lockstep mesh "kind: mesh, k: 8, n: 2, terminal_links: 2" "vcs: 2, switching: wormhole, packet_flits: 20" duato \
  "pattern: nearest_neighbour, message_bytes: 200, repeat: 3"
lockstep cube "kind: hypercube, n: 4" "vcs: 2, packet_flits: 4, switching: wormhole" detour \
  "pattern: broadcast, message_bytes: 200, root: 3"
lockstep ruft "kind: ft_ruft_212, k: 2, n: 3, ejection_cycles: 4" "depth_flits: 6, packet_flits: 2, route_cycles: 0" ruft \
  "pattern: all_to_all, message_bytes: 100"
echo "6 workloads complete in lockstep, 0 mismatches"
