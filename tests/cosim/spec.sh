#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The model equals the spec in networks: every register, wire and discarded packet of every cycle, in all families and with
# everything that only a network has: faults that its switches hear of, managers, several elaborations, workloads, threads, a
# compiled cycle.  (Single switches, whatever happens at their links: tests/spec.  RTL and spec: tests/cosim/spec_slow.sh.)
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
export UTURN_CACHE="$work/cache" # so that it is seen what is compiled
values=0 networks=0

# equal NAME HAPPENS OPTION...: `uturn run` of NAME.yaml beside the spec, in text and JSON.  HAPPENS: extended regular
# expressions, one a word, that the JSON must match: what the scenario is here for.
equal() {
  local name=$1 happens=$2 compared pattern
  shift 2
  expect 0 "$UTURN_BIN" run "$name.yaml" --check spec --elaborate never "$@"
  grep -Eq '^  spec        0 differences: [1-9][0-9]* register values compared in [1-9][0-9]* cycles(; [0-9]* more, in which nothing happens, were jumped)?$' out ||
    fail "$name: $(cat out)"
  compared=$(sed -n 's/^  spec        0 differences: \([0-9]*\) .*/\1/p' out)
  expect 0 "$UTURN_BIN" run "$name.yaml" --check spec --elaborate never "$@" --json
  grep -q '"differs_from_spec": false' out && grep -q "\"compared_with_spec_values\": $compared," out ||
    fail "$name: the text says $compared values and no difference, the JSON: $(cat out)"
  for pattern in $happens; do
    tr -d ' \n' <out | grep -Eq -- "$pattern" || fail "$name: not $pattern: $(cat out)"
  done
  networks=$((networks + 1)) values=$((values + compared))
}

# fat_tree ALGORITHM VCS HAPPENS [ROUTING]: links and a switch that fail and come back
fat_tree() {
  cat >"$1.yaml" <<YAML
topology: {kind: fat_tree, k: 3, n: 3, link_cycles: 2}
switch: {vcs: $2, depth_flits: 4, packet_flits: 2, route_cycles: 0}
routing: {algorithm: $1${4-}}
traffic: {load_flits_per_cycle: 0.5}
faults:
  - {at: 50, until: 130, link: {level: 1, switch: 4, port: 1}}
  - {at: 90, until: 160, every: 80, times: 2, switch: {level: 2, switch: 3}}
  - {at: 150, random_links: 2}
run: {warmup_cycles: 0, measure_cycles: 280, drain: false, seed: 2}
YAML
  equal "$1" "$3"
}
fat_tree fta 1 '"cut_by_fault":[1-9]'
fat_tree destro 2 '"in_failed_switch":[1-9]'
fat_tree reroute_adaptive_link 1 '"u_turns":[1-9]'
fat_tree reroute_adaptive_switch 1 '"u_turns":[1-9]'
fat_tree reroute_det_link 2 '"u_turns":[1-9]'
fat_tree reroute_det_switch 3 '"u_turns":[1-9]'
fat_tree misroute_header 1 '"u_turns":[1-9]'
fat_tree reroute_det_link_one_fault 1 '"u_turns":[1-9]'
fat_tree reroute_adaptive_link_one_fault 1 '"u_turns":[1-9]'
fat_tree reroute_det_switch_one_fault 1 '"u_turns":[1-9]'
fat_tree reroute_adaptive_switch_one_fault 1 '"u_turns":[1-9]'
manager=', manager_delay_cycles: 20, manager_switch_cycles: 2'
fat_tree table 1 '"unreachable":[1-9]' "$manager"
fat_tree table_reroute_det_link 2 '"u_turns":[1-9]' "$manager"
fat_tree table_reroute_adaptive_link 1 '"u_turns":[1-9]' "$manager"

# scenario NAME: that of tests/scenarios, or the one that a case of the command line brings (tests/cli/cases)
scenario() {
  if [ -e "$UTURN_ROOT/tests/scenarios/$1.yaml" ]; then
    cat "$UTURN_ROOT/tests/scenarios/$1.yaml"
  else
    awk -v first="  file $1.yaml:" '
      $0 == first { inside = 1; next }
      inside && !/^    / { exit }
      inside { print substr($0, 5) }' "$UTURN_ROOT"/tests/cli/cases/*.txt
  fi
}

# network NAME HAPPENS SED OPTION...: a scenario, changed
network() {
  scenario "$1" | sed "$3" >"$1.yaml"
  equal "$1" "$2" "${@:4}"
}
short='/^run/s/, drain_limit_cycles: [0-9]*/, drain: false/'
# the bubble rule; header stacks on planned ways; terminals of several links; wormhole; rings of odd and even sizes
network ring_lengths '"delivered_packets":[1-9]' s/0.1/0.9/ --cycles 400
network torus_adaptive '"delivered_packets":[1-9]' s/0.4/0.9/ --cycles 200
network planned_local '"delivered_packets":[1-9]' s/0.1/0.6/ --cycles 250
network planned_misroute '"delivered_packets":[1-9]' s/0.1/0.5/ --cycles 250
network outages '"cut_by_fault":[1-9]' "" --cycles 250
network worm_3x3 '"delivered_packets":[1-9]' s/0.1/0.7/ --cycles 300
# node states, and orders of the manager that purge what waits for ever
network detour_torus '"in_failed_switch":[1-9]' s/0.3/0.6/ --cycles 600
network purges '"purged":[1-9]' "$short" --cycles 500
network purges_mesh '"purged":[1-9]' "$short" --cycles 500 --load 1 --seed 2
network cube_adaptive '"delivered_packets":[1-9]' s/0.4/0.9/ --cycles 300
# two elaborations and more in one network; long links of terminals
network separated '"unreachable":[1-9]' s/0.1/0.6/ --cycles 300
network ruft_dual_homed '"cut_by_fault":[1-9] "in_failed_switch":[1-9]' "" --cycles 300
network ruft_links '"cut_by_fault":[1-9] "in_failed_switch":[1-9]' "" --cycles 300
# workloads, with lost packets that are sent again
network sent_again '"resent_packets":[1-9] "complete":true' ""
network neighbours '"complete":true' ""
# more lanes than a word has
network many_lanes_faults '"cut_by_fault":[1-9]' '$a faults: [{at: 40, random_links: 48}]' --cycles 70
# output queues: what they hold is lost with their link or their switch
queues() { # NAME HAPPENS FLITS SED OPTION...
  network "$1" "$2" "s/^switch: {/&output_depth_flits: $3, /;$4" "${@:5}"
}
queues outages '"cut_by_fault":[1-9]' 9 "" --cycles 250
queues ring_lengths '"delivered_packets":[1-9]' 16 s/0.1/0.9/ --cycles 400
queues torus_adaptive '"delivered_packets":[1-9]' 8 's/0.4/0.9/;s/switch: {/&selection: output_space, /' --cycles 200
queues planned_misroute '"delivered_packets":[1-9]' 16 s/0.1/0.5/ --cycles 250
queues worm_3x3 '"delivered_packets":[1-9]' 1 s/0.1/0.7/ --cycles 300
queues detour_torus '"in_failed_switch":[1-9]' 4 s/0.3/0.6/ --cycles 600
queues purges '"purged":[1-9]' 4 "$short" --cycles 500
queues ruft_links '"cut_by_fault":[1-9] "in_failed_switch":[1-9]' 16 "" --cycles 300
queues sent_again '"resent_packets":[1-9] "complete":true' 8 ""
for algorithm in fta reroute_adaptive_link reroute_det_switch table_reroute_det_link; do
  queued=$(sed "/^switch: {/s/{/{output_depth_flits: 4, /" "$algorithm.yaml")
  echo "$queued" >"$algorithm.yaml"
  equal "$algorithm" '"cut_by_fault":[1-9]'
done

# the demo's network: the switches shared out among threads, and the cycle compiled for its shape
sed 's/at: [245]0000, //; s/until: [79]0000, //; s/^  - {/  - {at: 60, until: 200, /' \
  "$UTURN_ROOT/scenarios/demo.yaml" >demo.yaml
equal demo '"cut_by_fault":[1-9] "u_turns":[1-9]' --cycles 400 --threads 2
equal demo '"cut_by_fault":[1-9] "u_turns":[1-9]' --cycles 400 --elaborate always
sed 's/^switch: {/&output_depth_flits: 4, /' demo.yaml >demo_queues.yaml
equal demo_queues '"cut_by_fault":[1-9] "u_turns":[1-9]' --cycles 400 --threads 2
equal demo_queues '"cut_by_fault":[1-9] "u_turns":[1-9]' --cycles 400 --elaborate always
ls "$UTURN_CACHE"/*/cycle.so >/dev/null 2>&1 || fail "no cycle has been compiled"

# bad input: what --check knows, and what it does not go with
reject "--check knows 'spec'" "$UTURN_BIN" run demo.yaml --check model
reject "leave out --compare" "$UTURN_BIN" run demo.yaml demo.yaml --compare --check spec
echo "$networks networks of model and spec, $values values compared, 0 differences"
