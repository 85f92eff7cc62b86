#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Far beyond saturation for many cycles, buffers of exactly two packets (wormhole in a mesh: of 4 and 8 flits): no
# deadlock, and everything arrives.
#
#   tests/fuzz/saturated_tori_slow.sh [CYCLES]     default 50000; docs/results/measurements.md has 200000
set -eu
here=$(cd "$(dirname "$0")" && pwd)
UTURN_BUILD=${UTURN_BUILD:-$here/../../build}
UTURN_BIN=${UTURN_BIN:-$UTURN_BUILD/uturn}
export UTURN_BIN

one() { # TOPOLOGY ALGORITHM VCS PACKET DEPTH SWITCHING
  local file=$work/$2-$4-$6-${1//[^0-9]/} status=0
  cat >"$file.yaml" <<YAML
topology: {$1}
switch: {vcs: $3, packet_flits: $4, depth_flits: $5, switching: $6}
routing: {algorithm: $2}
traffic: {pattern: uniform, load_flits_per_cycle: 1.0}
run: {warmup_cycles: 0, measure_cycles: $cycles, drain: true, drain_limit_cycles: 10000000, watchdog_cycles: 1000}
YAML
  "$UTURN_BIN" run "$file.yaml" --threads 1 --json >"$file.json" || status=$?
  awk -v status="$status" -v what="$1 $2 $6, packets of $4 flits" '
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
cycles=${1:-50000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for topology in "kind: torus, k: 4, n: 3" "kind: torus, k: 8, n: 2"; do
  for packet in 1 4 16; do
    for routing in "dor 1" "duato 2"; do
      printf '%s\0' --one "$cycles" "$work" "$topology" ${routing% *} ${routing#* } $packet $((2 * packet)) vct
    done
  done
done >"$work/list"
for packet in 3 16; do # Duato's condition for wormhole: without it these stop after a few thousand cycles
  printf '%s\0' --one "$cycles" "$work" "kind: mesh, k: 8, n: 2" duato 2 $packet $((packet == 3 ? 4 : 8)) wormhole
done >>"$work/list"
xargs -0 -n9 -P2 "$0" <"$work/list"
