#!/bin/bash
# With fewer than k faults at a time no packet is discarded as unreachable and nothing deadlocks, whatever the load:
# k-1 random links, permanent, or coming and going in turn.  Golden model; a few of the runs in lockstep.
set -eu

# scenario K N LOAD KIND SEED
scenario() {
  awk -v k="$1" -v n="$2" -v load="$3" -v kind="$4" -v seed="$5" '
    function rnd(m) { x = x * 16807 % 2147483647; return int(x / 2147483647 * m) }
    BEGIN {
      x = (seed * 7919 + k * 131 + n * 17 + load * 1000) % 2147483646 + 1
      for (i = 0; i < 8; i++) rnd(2)
      printf "topology: {kind: fat_tree, k: %d, n: %d}\n", k, n
      print "switch: {vcs: 1, depth_flits: 4, packet_flits: 2}"
      printf "routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: %d}\n", rnd(2) ? 4096 : 100 + rnd(400)
      printf "traffic: {pattern: uniform, load_flits_per_cycle: %s}\n", load
      print "faults:"
      if (kind == "permanent") printf "  - {at: %d, random_links: %d}\n", rnd(2000), k - 1
      else if (kind == "staggered") { for (i = 1; i < k; i++) printf "  - {at: %d, random_links: 1}\n", 200 + i * rnd(300) }
      else # k-1 lanes, each with one broken link at a time
        for (lane = 1; lane < k; lane++)
          for (t = rnd(400); t < 7000; t += 1 + rnd(rnd(2) ? 50 : 600)) {
            length_ = rnd(4) ? 50 + rnd(1200) : 1 + rnd(20)
            printf "  - {at: %d, until: %d, random_links: 1}\n", t, t + length_
            t += length_
          }
      printf "run: {warmup_cycles: 1000, measure_cycles: 7000, drain: true, drain_limit_cycles: 400000, watchdog_cycles: 1000, seed: %d}\n", seed
    }'
}

# one COMMAND K N LOAD KIND SEED
one() {
  local name="$1-$2-$3-$4-$5-$6" status=0
  scenario "$2" "$3" "$4" "$5" "$6" >"$work/$name.yaml"
  "$UTURN_BIN" "$1" "$work/$name.yaml" --json >"$work/$name.json" 2>"$work/$name.err" || status=$?
  awk -v status=$status -v name="$name" '
    { gsub(/[",]/, ""); v[$1] = $2 }
    END {
      bad = status != 0 || v["unreachable:"] != "0" || v["deadlock:"] != "false" || v["corrupt_packets:"] != "0" ||
        v["in_flight_packets:"] != "0" || v["queued_packets:"] != "0" ||
        v["injected_packets:"] != v["delivered_packets:"] + v["cut_by_fault:"] + v["in_failed_switch:"]
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
work=$(mktemp -d)
export work
trap 'rm -rf "$work"' EXIT

{
  for tree in '2 3' '2 6' '3 3' '4 3' '8 2' '16 2'; do
    for load in 0.05 0.3 0.6 1.0; do
      for kind in permanent staggered transient transient; do
        for seed in 1 2 3; do
          echo "run $tree $load $kind $((seed + 10 * (n = ${n:-0} + 1)))"
        done
      done
    done
  done
  for tree in '2 3' '3 3' '4 3'; do
    echo "cosim $tree 0.3 transient 901"
    echo "cosim $tree 1.0 permanent 902"
  done
} >"$work/list"
xargs -P2 -L1 "$0" --one <"$work/list"
cat "$work"/*.result | awk -v wanted="$(wc -l <"$work/list")" '
  { n++; bad += $1 != "ok"; u += $NF }
  END {
    printf "%d runs with at most k-1 faults, %.0f U-turns, %d failed\n", n, u, bad
    exit !(n == wanted && !bad && u > 0)
  }'
