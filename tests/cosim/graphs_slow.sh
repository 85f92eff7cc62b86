#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Random networks in lockstep: 2 to 24 switches of two or three sizes, one in 20 with up to 64 switches of up to 36 ports;
# parallel cables, switches without terminals, networks of directed links, links of 1 to 9 cycles; with links that fail
# and come back while tables are written anew, by all planners.  No register differs in any cycle.  Deadlocks are allowed: tables before and after a fault stand side by side for
# a while, and `minimal` has no rule against them.  Then tables from a file, and a large fabric.
#
#   tests/cosim/graphs_slow.sh [NETWORKS]    default 6; the first ones are the same for every number
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "graphs: $*" >&2; exit 1; }

# undirected SEED: a node list.  A tree over all switches, then cables between free ports, then terminals at half of what
# is left.
undirected() {
  awk -v seed="$1" '
    function draw(n) { return int(rand() * n) }
    function plug(a, b,  p, q) {
      p = ++used[a]; q = ++used[b]
      line[a] = line[a] "[" p "] \"s" b "\"[" q "]\n"
    }
    BEGIN {
      srand(seed); n = 2 + draw(23); kinds = 2; least = 4; more = 2
      if (seed > 10) { kinds += draw(2); least = 3 + draw(5); more = 1 + draw(3) }
      if (seed % 20 == 13) { n = 40 + draw(25); kinds = 2; least = 12; more = 24 }
      for (i = 0; i < n; i++) size[i] = least + more * draw(kinds)
      for (i = 1; i < n; i++) {
        do j = draw(i); while (used[j] >= size[j] - 1 && ++tries < 1000)
        plug(i, j)
      }
      for (i = 0; i < 2 * n; i++) {
        a = draw(n); b = draw(n)
        if (a != b && used[a] < size[a] - 1 && used[b] < size[b] - 1) plug(a, b)
      }
      for (i = 0; i < n; i++)
        if (i < 2 || draw(4))
          while (used[i] < size[i] && (used[i] == 0 || !has[i]++ || draw(2)))
            line[i] = line[i] "[" ++used[i] "] \"h" hosts++ "\"[1]\n"
      for (i = 0; i < n; i++) printf "Switch %d \"s%d\"\n%s", size[i], i, line[i]
      for (i = 0; i < hosts; i++) printf "Ca 1 \"h%d\"\n", i
    }'
}

# directed SEED: GraphML.  Two rings through all switches in random order, so that each has two channels in and two out.
directed() {
  awk -v seed="$1" '
    function draw(n) { return int(rand() * n) }
    BEGIN {
      srand(seed); n = 3 + draw(10)
      print "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
      print "<key id=\"k\" for=\"node\" attr.name=\"kind\" attr.type=\"string\"/>\n<graph edgedefault=\"directed\">"
      for (i = 0; i < n; i++) printf "<node id=\"s%d\"/><node id=\"h%d\"><data key=\"k\">host</data></node>\n", i, i
      for (i = 0; i < n; i++) printf "<edge source=\"h%d\" target=\"s%d\"/><edge source=\"s%d\" target=\"h%d\"/>\n", i, i, i, i
      for (ring = 0; ring < 2; ring++) {
        for (i = 0; i < n; i++) place[i] = i
        for (i = n - 1; i > 0; i--) { j = draw(i + 1); k = place[i]; place[i] = place[j]; place[j] = k }
        for (i = 0; i < n; i++)
          printf "<edge source=\"s%d\" target=\"s%d\" sourceport=\"%d\" targetport=\"%d\"/>\n",
            place[i], place[(i + 1) % n], ring + 1, ring + 1
      }
      print "</graph>\n</graphml>"
    }'
}

# long SCENARIO: its network as anynet, each link of 1 to 9 cycles each way.
long() {
  "$UTURN_BIN" net "$1" --write - --form anynet | awk -v seed="$2" '
    BEGIN { srand(seed) }
    {
      printf "%s %s", $1, $2
      for (i = 3; i <= NF; i++)
        if ($i == "router" || $i == "node") { printf " %s %s %d", $i, $(i + 1), 1 + int(9 * rand()); i++ }
      print ""
    }'
}

states=0
for seed in $(seq 1 "${1:-6}"); do
  file=g$seed
  if [ $((seed % 5)) = 0 ]; then directed "$seed" >"$file"; else undirected "$seed" >"$file"; fi
  algorithm=table planner=updown
  [ $((seed % 2)) = 0 ] || algorithm=forwarding
  [ $((seed % 5)) != 0 ] || planner=minimal
  vcs=1 too_few=discard depth=4
  if [ $algorithm = forwarding ]; then
    case $((seed / 2 % 6)) in
    0) planner=ugal vcs=$((2 + seed % 2)) too_few=share depth=8 ;;
    1) planner=layers vcs=$((1 + seed % 3)) too_few=share ;;
    2) algorithm=forwarding_escape planner=updown vcs=$((2 + seed % 2)) ;;
    3) planner=hops vcs=$((1 + seed % 4)) too_few=share ;;
    4) planner=valiant vcs=$((2 + seed % 3)) too_few=share ;;
    esac
  fi
  cat >"$file.yaml" <<EOF
topology: {kind: graph, file: $file}
switch: {vcs: $vcs, depth_flits: $depth, packet_flits: 3, route_cycles: 1}
routing: {algorithm: $algorithm, planner: $planner, too_few_vcs: $too_few, manager_delay_cycles: 20, manager_switch_cycles: 3}
traffic: {pattern: uniform, load_flits_per_cycle: 0.$((1 + seed % 4))}
faults:
  - {at: 200, until: 700, every: 900, times: 3, random_links: 1}
run: {warmup_cycles: 0, measure_cycles: 3000, drain: false, seed: $seed}
EOF
  if [ $((seed % 5)) != 0 ] && [ $((seed % 3)) = 0 ]; then
    long "$file.yaml" "$seed" >"$file.anynet"
    sed -i "s/file: $file/file: $file.anynet/" "$file.yaml"
  fi
  status=0
  "$UTURN_BIN" cosim "$file.yaml" >out 2>err || status=$?
  [ $status = 0 ] || [ $status = 4 ] || fail "network $seed: status $status: $(cat err); $(cat "$file")"
  grep -q 'lockstep *0 mismatches' out || fail "network $seed: $(cat out); $(cat "$file")"
  states=$((states + $(sed -n 's/.*mismatches: \([0-9]*\) switch states.*/\1/p' out)))
done
echo "graphs: ${1:-6} networks, 0 mismatches in $states switch states"

# Tables from a file that deadlock: RTL and golden model are in the same deadlock.
status=0
"$UTURN_BIN" cosim "$UTURN_ROOT/scenarios/subnet_manager.yaml" >out 2>err || status=$?
[ $status = 4 ] && grep -q 'lockstep *0 mismatches' out && grep -q '^deadlock' err || fail "subnet_manager: $status: $(cat out err)"

# So does the cycle of its tables, cut out.
cp "$UTURN_ROOT"/scenarios/ring5.* .
status=0
"$UTURN_BIN" prove --fabric ring5.net --tables ring5.lfts --replay cycle.yaml >out 2>err || status=$?
[ $status = 4 ] || fail "no replay: $status: $(cat err)"
status=0
"$UTURN_BIN" cosim cycle.yaml >out 2>err || status=$?
[ $status = 4 ] && grep -q 'lockstep *0 mismatches' out && grep -q '^deadlock' err || fail "cycle.yaml: $status: $(cat out err)"

# 11,664 terminals: planned, written, and written anew, within 600 MB.
cat >large.yaml <<EOF
topology: {kind: xgft, down: [18, 18, 36], up: [1, 18, 18]}
switch: {vcs: 1, depth_flits: 8, packet_flits: 4}
routing: {algorithm: forwarding, manager_switch_cycles: 0}
traffic: {pattern: uniform, load_flits_per_cycle: 0.05}
faults:
  - "link s0.0-s1.0 in cycles 20-99999"
run: {warmup_cycles: 0, measure_cycles: 100, seed: 1}
EOF
(ulimit -v 600000; "$UTURN_BIN" run large.yaml --elaborate never >out) || fail "large fabric: $(cat out)"
grep -q '11664 terminals' out || fail "large fabric: $(cat out)"
echo "graphs: 11,664 terminals in less than 600 MB"
