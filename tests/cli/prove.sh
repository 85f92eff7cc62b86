#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# prove and tolerance: JSON contract, exit statuses, drawings, and replays that show what they promise.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
scenario() { # K N ALGORITHM VCS
  printf 'topology: {kind: fat_tree, k: %s, n: %s}\nswitch: {vcs: %s}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\n' \
    "$1" "$2" "$4" "$3"
}
# json FILE KEY: the value of a key of the outermost object
json() { sed -n "s/^  \"$2\": \(.*[^,]\),\{0,1\}$/\1/p" "$1"; }
is() { [ "$(json out "$1")" = "$2" ] || fail "$1 is $(json out "$1"), expected $2"; }

scenario 2 3 fta 1 >fta.yaml
scenario 2 3 reroute_adaptive_link 1 >link.yaml
scenario 2 3 reroute_det_link 1 >one_layer.yaml
scenario 3 2 reroute_det_switch 3 >switch.yaml

# below k faults: all is well
expect 0 "$UTURN_BIN" prove link.yaml --faults 1 --exhaustive --json
is fault_sets 16; is fault_sets_connected 16; is fault_sets_looping 0; is fault_sets_with_cycle 0
is fault_sets_numbering_violated 0; is pairs 56; is longest_hops 6; is most_u_turns 1; is counter_example null
expect 0 "$UTURN_BIN" prove switch.yaml --faults 0..2 --switch-faults 0..2 --total 0..2 --json
is fault_sets 79; is fault_sets_connected 79 # 1 + 9+3 + 36+27+3
expect 0 "$UTURN_BIN" prove link.yaml --faults 1 --svg ok.svg --replay ok.yaml
grep -q '</svg>' ok.svg || fail "no drawing of the network"
[ ! -e ok.yaml ] || fail "a replay without counter-example"
grep -q 'not written' err || fail "says nothing about the replay"

# fta has no detour
expect 4 "$UTURN_BIN" prove fta.yaml --faults 1 --json --svg fta.svg --replay fta_replay.yaml
is fault_sets 16; is fault_sets_connected 0; is fault_sets_discarding 16
grep -q '"kind": "discard"' out || fail "no counter-example"
grep -q 'stroke-dasharray' fta.svg || fail "the fault is not drawn"
grep -q 'discarded' fta.svg || fail "the end of the walk is not drawn"
expect 0 "$UTURN_BIN" run fta_replay.yaml --json
[ "$(sed -n 's/.*"unreachable": \([0-9]*\).*/\1/p' out)" -gt 0 ] || fail "the replay discards nothing"

# one virtual layer instead of two: a cycle with two faults that really deadlocks
expect 4 "$UTURN_BIN" prove one_layer.yaml --faults 2 --show cycle --json --svg cycle.svg --replay cycle.yaml
[ "$(json out fault_sets_with_cycle)" -gt 0 ] || fail "no cycle found"
grep -q '"kind": "cycle"' out || fail "the cycle is not the counter-example"
expect 4 "$UTURN_BIN" run cycle.yaml
grep -q 'wait for each other' err || fail "the deadlock is not printed"
# beyond k-1 faults
expect 4 "$UTURN_BIN" prove link.yaml --faults 2 --replay beyond.yaml # the worst kind first
expect 4 "$UTURN_BIN" run beyond.yaml
expect 4 "$UTURN_BIN" prove one_layer.yaml --faults 2 --show loop --replay loop.yaml
expect 0 "$UTURN_BIN" run loop.yaml --json
[ "$(json out in_flight_packets)" -gt 0 ] || fail "nothing goes round"

# without numbers of faults: those of the scenario
expect 4 "$UTURN_BIN" prove beyond.yaml --json
is fault_sets 1; is fault_sets_connected 1; is fault_sets_with_cycle 1
expect 0 "$UTURN_BIN" prove link.yaml --json
is fault_sets 1; is longest_hops 4

# the number of processes and the order of work change nothing
for command in "prove one_layer.yaml --faults 0..3 --samples 100" "tolerance link.yaml --faults 0..5 --samples 200"; do
  for workers in 1 2 3; do
    # shellcheck disable=SC2086
    "$UTURN_BIN" $command --json --workers $workers | grep -v wall_s >result.$workers || true
  done
  cmp -s result.1 result.2 && cmp -s result.1 result.3 || fail "$command: depends on the number of processes"
done

# tolerance
expect 0 "$UTURN_BIN" tolerance link.yaml --faults 0..2 --json
tr -d ' \n' <out | grep -q '"faults":2,"fault_sets":120,"exhaustive":true,"not_tolerated":{"local":20,"local_shared_vectors":20,"reconfiguration":16,"physical":4}' ||
  fail "tolerance: $(cat out)"
printf 'topology: {kind: ruft_pl, k: 4, n: 3}\nrouting: {algorithm: ruft}\ntraffic: {load_flits_per_cycle: 0.1}\n' >pl.yaml
expect 0 "$UTURN_BIN" tolerance pl.yaml --links network --faults 2 --json
tr -d ' \n' <out | grep -q '"faults":2,"fault_sets":32640,"exhaustive":true,"not_tolerated":128,"not_tolerated_percent":0.392156863,' ||
  fail "tolerance --links: $(cat out)"
expect 0 "$UTURN_BIN" tolerance link.yaml --faults 3 --samples 50 --json
grep -q '"exhaustive": false' out || fail "50 of 560 sets are not all"

# tori and meshes
direct() { # KIND SIZES VCS ALGORITHM
  printf 'topology: {kind: %s, sizes: [%s]}\nswitch: {vcs: %s, depth_flits: 4, packet_flits: 2}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\n' "$@"
}
direct torus "4, 4, 4" 2 duato >torus.yaml
direct torus 8 1 dor_without_bubble >without.yaml
direct mesh "4, 4" 2 duato >mesh.yaml
expect 0 "$UTURN_BIN" prove torus.yaml --json
is pairs 4032; is longest_hops 6; is fault_sets_with_cycle 0; is escape_rings 96; is escape_dependencies 768
is fault_sets_without_escape 0; is fault_sets_with_wrong_bubbles 0; is fault_sets_with_dependency_cycle 1
grep -q '"stuck": false' out && grep -q '"stuck_without_rule": true' out || fail "one ring: $(cat out)"
expect 0 "$UTURN_BIN" prove mesh.yaml --json
is escape_channels 48; is fault_sets_with_extended_cycle 0; is bubble_rule null
expect 4 "$UTURN_BIN" prove without.yaml
grep -q 'cycle of 8 channels' out || fail "no ring of channels: $(cat out)"
expect 4 "$UTURN_BIN" prove without.yaml --svg ring.svg
[ "$(grep -c '>[1-8]</text>' ring.svg)" -ge 16 ] || fail "not terminals 1 to 7, eight hops, and one of them at both ends of a link around the ring"
direct torus 4 2 duato >stranded.yaml
expect 4 "$UTURN_BIN" prove stranded.yaml --faults 1 --svg stranded.svg
grep -q 'stroke-dasharray' stranded.svg || fail "no fault in the drawing"
# an even ring's tie: with one intermediate node a pair of neighbours has a path but no route
direct torus "4, 4" 3 'duato, mechanisms: {intermediate: 1}' | sed 's/depth_flits: 4/depth_flits: 8/' >lost.yaml
expect 4 "$UTURN_BIN" prove lost.yaml --faults 1 --json
is fault_sets_connected 0; is fault_sets_without_route 32; is pairs 238
grep -q '"kind": "route"' out || fail "no route is no counter-example"
expect 4 "$UTURN_BIN" prove lost.yaml --faults 1 --svg lost.svg
grep -q 'from 0 to 1: its source discards it' out || fail "no pair without a route: $(cat out)"
# planes switched off: what is left is proven
{ direct torus "4, 4" 2 'duato, plane_bypass: true'; echo 'faults: [{at: 0, link: {level: 0, switch: 5, port: 4}}]'; } >planes.yaml
expect 0 "$UTURN_BIN" prove planes.yaml --json
is pairs 132
expect 2 "$UTURN_BIN" prove planes.yaml --faults 1
# Duato's condition: an adaptive VC is given away empty
direct mesh "4, 4" 2 duato | sed 's/depth_flits: 4/switching: wormhole, depth_flits: 4/' >worm.yaml
expect 0 "$UTURN_BIN" prove worm.yaml --json
is fault_sets_with_dependency_cycle 1; is fault_sets_with_cycle 0
expect 4 "$UTURN_BIN" prove without.yaml --replay full_ring.yaml
expect 4 "$UTURN_BIN" run full_ring.yaml
expect 2 "$UTURN_BIN" prove lost.yaml --faults 1 --replay no.yaml # headers with stops
grep -q 'is not supported' err || fail "planned routes: $(cat err)"

# nodes that fail: the fault model of blocks; the paper's text as printed, one failed node: a loop, and a deadlock that runs
nodes() { # ALGORITHM
  printf 'topology: {kind: mesh, sizes: [4, 3]}\nswitch: {vcs: 2, depth_flits: 4, packet_flits: 4, switching: wormhole}\n'
  printf 'routing: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\n' "$1"
}
nodes detour >detour.yaml
nodes detour_literal >literal.yaml
nodes ecube >ecube.yaml
expect 0 "$UTURN_BIN" prove detour.yaml --node-faults 0..3 --blocks --json
is fault_sets 147; is fault_sets_outside_model 152; is only_blocks true; is fault_sets_connected 147; is exhaustive true
expect 0 "$UTURN_BIN" prove detour.yaml --node-faults 2 --blocks
grep -q 'fault model 14 sets are outside, and were skipped' out || fail "skipped sets: $(cat out)"
grep -q ' 66 with 0 link and 2 node faults' out || fail "node faults: $(cat out)"
expect 4 "$UTURN_BIN" prove detour.yaml --node-faults 2 # those outside, too
grep -q '14 sets are outside and examined all the same' out || fail "sets outside: $(cat out)"
expect 4 "$UTURN_BIN" prove literal.yaml --node-faults 1 --blocks --show cycle --json --replay literal_cycle.yaml
is fault_sets 12; is fault_sets_looping 6; is fault_sets_with_cycle 4
expect 4 "$UTURN_BIN" run literal_cycle.yaml
expect 4 "$UTURN_BIN" run "$UTURN_ROOT/scenarios/detour_literal_deadlock.yaml"
sed "s/detour_literal}/detour}/;s|trace_file: |&$UTURN_ROOT/scenarios/|" "$UTURN_ROOT/scenarios/detour_literal_deadlock.yaml" >cured.yaml
expect 0 "$UTURN_BIN" run cured.yaml --json
is in_flight_packets 0
expect 2 "$UTURN_BIN" prove link.yaml --node-faults 1
grep -q 'use --switch-faults' err || fail "levels: $(cat err)"
expect 2 "$UTURN_BIN" prove ecube.yaml --node-faults 1 --blocks
expect 2 "$UTURN_BIN" prove detour.yaml --faults 1 --blocks
expect 2 "$UTURN_BIN" tolerance torus.yaml --faults 1

# links of one direction, terminals that are told of ways: what is lost is shown, and is no failure
small="$UTURN_ROOT/scenarios/prove_ft_ruft.yaml"
expect 0 "$UTURN_BIN" prove "$small" --faults 4 --json --svg separated.svg
is fault_sets 1820; is fault_sets_connected 1820; is fault_sets_separated 60; is pairs_separated 896
tr -d ' \n' <out | grep -q '"ways":\[4,4\],"ways_apart_between_switches":\[4,4\],"ways_apart":\[2,2\]' || fail "not four ways: $(cat out)"
tr -d ' \n' <out | grep -q '"separated":{"kind":"separated","faults":\[{"link":.*"source":1,"destination":0}' || fail "no separated pair"
grep -q 'stroke-dasharray' separated.svg || fail "no fault in the drawing of a separated pair"
expect 0 "$UTURN_BIN" prove "$small" --faults 2 --links injection
grep -q 'faults: link terminal 0-0.0 (link 0); link terminal 0-0.2 (link 1)' out || fail "injection links: $(cat out)"
expect 0 "$UTURN_BIN" prove "$small" --switch-faults 1 --json # also of the first and last level
is fault_sets 12; is fault_sets_separated 0
expect 2 "$UTURN_BIN" prove link.yaml --faults 1 --links terminal
grep -q 'choose --links network' err || fail "no remedy: $(cat err)"
expect 2 "$UTURN_BIN" prove "$small" --links terminal

# routes that cannot be planned: the planner says why
cat >planned.yaml <<EOF
topology: {kind: torus, sizes: [64, 3]}
switch: {vcs: 3, depth_flits: 12, packet_flits: 4}
routing: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true}}
traffic: {pattern: uniform, load_flits_per_cycle: 0.1}
EOF
expect 2 "$UTURN_BIN" prove planned.yaml --faults 65..65 --sample 1
grep -q '^uturn: planned.yaml: 65 faulty links: routes of 192 nodes can be planned around at most 64; give fewer$' err || fail "planner: $(cat err)"

# VCs that graphs need: with so many there is no deadlock, with one fewer there is, or the network is refused
graph() { # TOPOLOGY VCS ROUTING
  printf 'topology: {%s}\nswitch: {vcs: %s, depth_flits: 8, packet_flits: 4}\nrouting: {%s}\ntraffic: {load_flits_per_cycle: 0.1}\n' \
    "$1" "$2" "$3" >graph.yaml
}
enough() { # TOPOLOGY PLANNER VCS
  graph "$1" "$3" "algorithm: forwarding, planner: $2"
  expect 0 "$UTURN_BIN" prove graph.yaml --json
  is fault_sets_with_cycle 0; is fault_sets_connected 1
  [ "$3" != 1 ] || return 0
  graph "$1" $(($3 - 1)) "algorithm: forwarding, planner: $2"
  expect 2 "$UTURN_BIN" prove graph.yaml
  grep -q "'routing.planner: $2' needs $3 virtual channels in this network, 'switch.vcs' is $(($3 - 1)): raise it" err ||
    fail "$1 $2: $(cat err)"
  graph "$1" $(($3 - 1)) "algorithm: forwarding, planner: $2, too_few_vcs: share"
  "$UTURN_BIN" prove graph.yaml --json >out 2>err || true
  is fault_sets_with_cycle 1
}
fly="kind: dragonfly, routers: 4, local_ports: 1, global_links: 2"
enough "$fly" layers 2; enough "$fly" hops 3; enough "$fly" global_hops 2
enough "kind: slim_fly, q: 5" layers 2; enough "kind: slim_fly, q: 5" hops 2
enough "kind: hyperx, sizes: [4, 4]" layers 1; enough "kind: hyperx, sizes: [4, 4]" hops 2
graph "$fly" 2 "algorithm: forwarding_escape"
expect 0 "$UTURN_BIN" prove graph.yaml --faults 1 --json
is fault_sets_connected 90
# intermediate terminals: l g, then l g l is 5 hops; three classes of VCs are enough, two are not, and minimal paths carry at most
# one link between groups for the 8 terminals of a group
via() { # PLANNER VCS LOAD
  printf '%s\n' 'topology: {kind: dragonfly, routers: 4, local_ports: 2, global_links: 2}' \
    "switch: {vcs: $2, depth_flits: 16, packet_flits: 4}" "routing: {algorithm: forwarding, planner: $1, too_few_vcs: share}" \
    "traffic: {pattern: shift, over: groups, load_flits_per_cycle: $3}" 'run: {warmup_cycles: 1000, measure_cycles: 2000}'
}
via ugal 3 0.3 >ugal.yaml
via ugal 2 0.3 >two.yaml
via global_hops 2 0.3 >minimal.yaml
expect 0 "$UTURN_BIN" prove ugal.yaml --json
is fault_sets_connected 1; is longest_hops 5; is fault_sets_with_cycle 0
expect 4 "$UTURN_BIN" prove two.yaml
grep -q '^  cycle of ' out || fail "two VCs: no cycle: $(cat out)"
carried() { "$UTURN_BIN" run "$1" 2>err | awk '$1 == "throughput" { print $2 }'; }
awk -v ugal="$(carried ugal.yaml)" -v minimal="$(carried minimal.yaml)" 'BEGIN { exit !(ugal > 0.29 && minimal > 0 && minimal <= 0.125) }' ||
  fail "shifted groups at load 0.3: ugal carries $(carried ugal.yaml), minimal $(carried minimal.yaml), at most 0.125"

# places that cannot be written
expect 2 "$UTURN_BIN" prove fta.yaml --faults 1 --svg nowhere/x.svg
expect 2 "$UTURN_BIN" prove fta.yaml --faults 1 --replay nowhere/x.yaml
echo "prove and tolerance keep their contracts"
