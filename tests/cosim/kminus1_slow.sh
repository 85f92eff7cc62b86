#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# With fewer than k faults at a time no packet is discarded as unreachable and nothing deadlocks, whatever the load:
# k-1 random links, and where the algorithm claims it switches above the leaves, or both; permanent, or coming and going
# in turn.  Golden model; some of the runs in lockstep.
#
#   tests/cosim/kminus1_slow.sh [SHARE]      each SHARE-th run of the golden model: default 32; 1: all 1,476
#
# While faults come and go, the deterministic algorithms and misroute_header may discard a packet that met one fault
# after another (docs/explanation/route_fattree.md): then only deadlock and the sums are checked.
set -eu

# scenario COMMAND ALGORITHM WHAT K N LOAD KIND SEED.  In lockstep an algorithm has one route_cycles for each k: building models
# takes longer than running them.
scenario() {
  awk -v command="$1" -v algorithm="$2" -v what="$3" -v k="$4" -v n="$5" -v load="$6" -v kind="$7" -v seed="$8" '
    function rnd(m) { x = x * 16807 % 2147483647; return int(x / 2147483647 * m) }
    function component() { return what == "links" || (what == "mixed" && rnd(2)) ? "random_links: 1" : "random_switches: 1" }
    BEGIN {
      x = (seed * 7919 + k * 131 + n * 17 + load * 1000) % 2147483646 + 1
      for (i = 0; i < 8; i++) rnd(2)
      printf "topology: {kind: fat_tree, k: %d, n: %d}\n", k, n
      route_cycles = rnd(3)
      printf "switch: {depth_flits: 4, packet_flits: 2, route_cycles: %d}\n", command == "cosim" ? k % 2 : route_cycles
      printf "routing: {algorithm: " algorithm ", reroute_timeout_cycles: %d", rnd(2) ? 4096 : 100 + rnd(400)
      if (algorithm ~ /^table/) printf ", manager_switch_cycles: %d", rnd(100)
      print "}"
      printf "traffic: {pattern: uniform, load_flits_per_cycle: %s}\n", load
      print "faults:"
      if (kind == "permanent") { at = rnd(2000); for (i = 1; i < k; i++) printf "  - {at: %d, %s}\n", at, component() }
      else if (kind == "staggered") { for (i = 1; i < k; i++) printf "  - {at: %d, %s}\n", 200 + i * rnd(300), component() }
      else # k-1 lanes, each with one fault at a time
        for (lane = 1; lane < k; lane++)
          for (t = rnd(400); t < 7000; t += 1 + rnd(rnd(2) ? 50 : 600)) {
            length_ = rnd(4) ? 50 + rnd(1200) : 1 + rnd(20)
            printf "  - {at: %d, until: %d, %s}\n", t, t + length_, component()
            t += length_
          }
      printf "run: {warmup_cycles: 1000, measure_cycles: 7000, drain: true, drain_limit_cycles: 400000, watchdog_cycles: 1000, seed: %d}\n", seed
    }'
}

# one COMMAND ALGORITHM WHAT K N LOAD KIND SEED
one() {
  local name="$1-$2-$3-$4-$5-$6-$7-$8" status=0
  scenario "$@" >"$work/$name.yaml"
  "$UTURN_BIN" "$1" "$work/$name.yaml" --threads 1 --json >"$work/$name.json" 2>"$work/$name.err" || status=$?
  awk -v status=$status -v name="$name" -v forgives="$([[ "$2-$7" = *_adaptive_*-* || "$7" != transient ]] || echo 1)" '
    { gsub(/[",]/, ""); v[$1] = $2 }
    END {
      bad = status != 0 || (v["unreachable:"] != "0" && !forgives) || v["deadlock:"] != "false" || v["corrupt_packets:"] != "0" ||
        v["in_flight_packets:"] != "0" || v["queued_packets:"] != "0" ||
        v["injected_packets:"] != v["delivered_packets:"] + v["cut_by_fault:"] + v["in_failed_switch:"] + v["unreachable:"]
      print (bad ? "FAILED" : "ok"), name, "status", status, "unreachable", v["unreachable:"], "deadlock", v["deadlock:"],
        "corrupt", v["corrupt_packets:"], "in_flight", v["in_flight_packets:"], "queued", v["queued_packets:"], "u_turns", v["u_turns:"]
    }' "$work/$name.json" >"$work/$name.result"
  if ! grep -q ^ok "$work/$name.result"; then
    { cat "$work/$name.result" "$work/$name.yaml" "$work/$name.err"; } >&2
  fi
}
if [ "${1-}" = --one ]; then
  shift
  one "$@"
  exit
fi
share=${1:-32}
work=$(mktemp -d)
export work
trap 'rm -rf "$work"' EXIT

n=0
# of ALGORITHM WHAT KINDS TREES...: runs over trees, loads, kinds
of() {
  local algorithm=$1 what=$2 kinds=$3 tree load kind
  shift 3
  for tree; do
    for load in 0.05 0.3 0.6 1.0; do
      for kind in $kinds; do
        n=$((n + 1))
        echo "run $algorithm $what $tree $load $kind $n"
      done
    done
  done
}
all='permanent staggered transient'
{
  of reroute_adaptive_link links "$all $all transient $all" '2 3' '2 6' '3 3' '4 3' '8 2' '16 2'
  of table_reroute_adaptive_link links "$all $all" '2 3' '3 3' '4 3' '8 2'
  for algorithm in reroute_det_link_one_fault reroute_adaptive_link_one_fault; do
    of $algorithm links "$all" '2 3' '2 5' # k-1 is one fault
  done
  for algorithm in reroute_det_switch_one_fault reroute_adaptive_switch_one_fault; do
    of $algorithm mixed "$all" '2 3' '2 5'
  done
  for algorithm in reroute_det_link table_reroute_det_link misroute_header; do
    of $algorithm links "$all permanent staggered" '2 3' '2 5' '3 2' '3 3' '4 2' '4 3' '8 2'
  done
  for algorithm in reroute_adaptive_switch reroute_det_switch; do
    of $algorithm links "$all" '2 3' '2 5' '3 3' '4 2' '4 3' '8 2'
    of $algorithm switches "$all permanent staggered" '2 3' '2 5' '3 3' '3 4' '4 3' '5 3'
    of $algorithm mixed "$all permanent staggered" '2 4' '3 3' '3 4' '4 3' '8 3'
  done
  for tree in '2 3' '3 3' '4 2' '4 3'; do
    for algorithm in reroute_adaptive_link reroute_det_link misroute_header reroute_adaptive_switch reroute_det_switch; do
      what=links
      case "$algorithm/$tree" in *_switch/*3) what=mixed ;; esac
      echo "cosim $algorithm $what $tree 0.3 transient 901"
      echo "cosim $algorithm $what $tree 1.0 permanent 902"
    done
  done
  echo "cosim table_reroute_adaptive_link links 3 3 0.3 transient 901"
  echo "cosim reroute_adaptive_switch_one_fault mixed 2 3 0.3 transient 901"
} | awk -v share="$share" '/^cosim/ || NR % share == 0' >"$work/list"
xargs -P2 -L1 "$0" --one <"$work/list"
cat "$work"/*.result | awk -v wanted="$(wc -l <"$work/list")" '
  { n++; bad += $1 != "ok"; u += $NF }
  END {
    printf "%d runs with at most k-1 faults, %.0f U-turns, %d failed\n", n, u, bad
    exit !(n == wanted && !bad && u > 0)
  }'
