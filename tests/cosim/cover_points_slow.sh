#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every cover point (docs/reference/cover_points.md) is hit by these scenarios, in which RTL and spec are equal (`uturn coverage`).
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
export TMPDIR="$work"

# DETOUR's algorithms without detours: a network of nodes without faults
for algorithm in ecube adaptive_vin; do
  for network in 'hypercube, n: 4' 'mesh, sizes: [4, 4]'; do
    cat >"$algorithm ${network%%,*}.yaml" <<YAML
topology: {kind: $network}
switch: {vcs: 2, depth_flits: 4, packet_flits: 2}
routing: {algorithm: $algorithm}
traffic: {pattern: uniform, load_flits_per_cycle: 0.3}
run: {warmup_cycles: 0, measure_cycles: 1000, drain: false}
YAML
  done
done
cat >forwarding.yaml <<'YAML'
topology: {kind: fat_tree, k: 2, n: 3}
switch: {vcs: 1, depth_flits: 4, packet_flits: 2}
routing: {algorithm: forwarding, manager_delay_cycles: 50, manager_switch_cycles: 10}
traffic: {pattern: uniform, load_flits_per_cycle: 0.3}
faults: [{at: 100, until: 900, every: 1000, times: 3, random_links: 1}]
run: {warmup_cycles: 0, measure_cycles: 4000, drain: false}
YAML
cat >ugal.yaml <<'YAML'
topology: {kind: dragonfly, groups: 3, routers: 2, local_ports: 2, global_links: 1}
switch: {vcs: 3, depth_flits: 8, packet_flits: 2, ugal_threshold: 3}
routing: {algorithm: forwarding, planner: ugal, manager_delay_cycles: 50, manager_switch_cycles: 10}
traffic: {pattern: shift, over: groups, load_flits_per_cycle: 0.6}
run: {warmup_cycles: 0, measure_cycles: 2000, drain: false}
YAML
# a VC for each hop of shortest paths; around faults they are longer
cat >hops.yaml <<'YAML'
topology: {kind: hyperx, sizes: [4], local_ports: 1}
switch: {vcs: 1, depth_flits: 4, packet_flits: 2}
routing: {algorithm: forwarding, planner: hops, manager_delay_cycles: 50, manager_switch_cycles: 10}
traffic: {pattern: uniform, load_flits_per_cycle: 0.3}
faults: [{at: 100, until: 900, every: 1000, times: 3, random_links: 2}]
run: {warmup_cycles: 0, measure_cycles: 4000, drain: false}
YAML
tests=$UTURN_ROOT/tests
status=0
"$UTURN_BIN" coverage --cycles 4000 "$tests"/semantic_bugs/scenarios/{mesh_nodes_queues,mesh_local_first,tree_exclusions,tree_destro,tree_gaps}.yaml \
  "$tests"/mutation/scenarios/{faults_tree_switch,faults_torus,faults_table,faults_tree_misroute,faults_tree_det_link,faults_light_load,faults_ruft}.yaml \
  "$tests"/mutation/scenarios/{random_cube_detour_2,random_ruft_222_60,random_mesh_detour_4,random_ruft_212_33}.yaml \
  "$UTURN_ROOT"/scenarios/{detour_low_high,detour_misroute}.yaml ./*.yaml >out 2>err || status=$?
[ $status = 0 ] || fail "exit status $status: $(head -c 2000 err)"
points=$(grep -c . <(sed 1d "$UTURN_ROOT/spec/cover_points.tsv" | grep -v '^#'))
grep -q "^$points of $points points hit" out || fail "of $points points: $(sed -n '1p; /^not hit:/,/^$/p' out)"
echo "cover_points: $(head -n 1 out)"
