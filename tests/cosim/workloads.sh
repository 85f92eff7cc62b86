#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
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
# a terminal computes for long, links fail and come back meanwhile: what is not made is proven, and what is made is compared
cat >gap.goal <<'EOT'
num_ranks 64
rank 3 {
a: send 16b to 60
b: calc 3000000000
c: send 16b to 60
b requires a
c requires b
}
rank 60 {
a: recv 16b from 3
b: recv 16b from 3
}
EOT
gap() { # FAULTS [OPTION...]
  cat >gap.yaml <<YAML
topology: {$demo}
switch: {packet_flits: 2, route_cycles: 0}
routing: {algorithm: reroute_adaptive_link}
traffic: {pattern: goal, goal_file: gap.goal}
run: {measure_cycles: 5000000000}
faults: [$1]
YAML
  expect 0 timeout 100 "$UTURN_BIN" cosim gap.yaml --elaborate never --json "${@:2}"
  for want in '"mismatches": 0' '"complete": true' '"corrupt_packets": 0'; do
    grep -q "$want" out || fail "a gap: not $want: $(cat out)"
  done
}
gap ""
time=$(grep completion_cycles out) made=$(sed -n 's/.*"compared_switch_states": \([0-9]*\),/\1/p' out)
[ "$made" -lt 4000 ] || fail "$made switch states are compared"
grep -q '"jumped_cycles": 2999999[0-9]*,' out || fail "cycles that are jumped: $(cat out)"
gap "{at: 1000000, until: 2000000000, random_links: 9}, {at: 1500000, until: 1500009, switch: {level: 1, switch: 3}}" --golden spec
[ "$(grep completion_cycles out)" = "$time" ] || fail "with faults in the gap: $(cat out), expected $time"
# a register that changes meanwhile is found: all switches make a cycle before the next jump
expect 3 "$UTURN_BIN" cosim gap.yaml --elaborate never --inject 1200000000:2.5:out1.vc0.credits_q:0
grep -q 'cycle 12000000[0-9]*: switch 2.5 out1.vc0.credits_q' out || fail "a planted flip: $(cat out)"
# of a page, registers behind the gap
expect 0 timeout 100 "$UTURN_BIN" cosim gap.yaml --elaborate never --report gap.html --report-window 3000000000:3000000100
grep -q 'gap.html has the registers of cycles 3000000000 to' err || fail "the page: $(cat err)"
echo "6 workloads complete in lockstep, and a gap of three billion cycles, 0 mismatches"
