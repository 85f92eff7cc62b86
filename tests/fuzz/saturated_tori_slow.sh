#!/bin/bash
# Far beyond saturation for 200,000 cycles, buffers of exactly two packets: no deadlock, and everything arrives.
#
#   tests/fuzz/saturated_tori_slow.sh [CYCLES]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
UTURN_BUILD=${UTURN_BUILD:-$here/../../build}
UTURN_BIN=${UTURN_BIN:-$UTURN_BUILD/uturn}
export UTURN_BIN

one() { # TOPOLOGY ALGORITHM VCS PACKET
  local file=$work/$2-$4-${1//[^0-9]/} status=0
  cat >"$file.yaml" <<YAML
topology: {kind: torus, $1}
switch: {vcs: $3, packet_flits: $4, depth_flits: $((2 * $4))}
routing: {algorithm: $2}
traffic: {pattern: uniform, load_flits_per_cycle: 1.0}
run: {warmup_cycles: 0, measure_cycles: $cycles, drain: true, drain_limit_cycles: 10000000, watchdog_cycles: 1000}
YAML
  "$UTURN_BIN" run "$file.yaml" --json >"$file.json" || status=$?
  awk -v status="$status" -v what="$1 $2, packets of $4 flits" '
    { gsub(/[",]/, ""); v[$1] = $2 }
    END {
      good = !status && v["delivered_packets:"] == v["generated_packets:"] && v["delivered_packets:"] > 0 && v["deadlock:"] == "false"
      printf "%s %s: %d packets in %d cycles, throughput %.3f\n", good ? "ok" : "FAILED", what, v["delivered_packets:"], v["cycles:"], v["throughput_flits_per_cycle_per_terminal:"]
      exit !good
    }' "$file.json"
}
if [ "${1-}" = --one ]; then
  shift
  cycles=$1 work=$2
  shift 2
  one "$@"
  exit
fi
cycles=${1:-200000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for topology in "k: 4, n: 3" "k: 8, n: 2"; do
  for packet in 1 4 16; do
    printf '%s\0' --one "$cycles" "$work" "$topology" dor 1 $packet --one "$cycles" "$work" "$topology" duato 2 $packet
  done
done | xargs -0 -n7 -P2 "$0"
