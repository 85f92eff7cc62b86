#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The RUFT family in lockstep.  Faults that leave every pair a way cost packets until the manager has told all terminals,
# and none after that; with static selection a pair can lose its only way and packets are discarded for good; beyond
# saturation everything arrives in the end.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "ruft: $*" >&2; exit 1; }

# scenario NAME KIND ROUTING RUN FAULT...
scenario() {
  local file="$work/$1.yaml" kind=$2 routing=$3 run=$4 fault
  shift 4
  cat >"$file" <<YAML
topology: {kind: $kind, k: 2, n: 3, ejection_cycles: 4}
switch: {depth_flits: 6, packet_flits: 2, route_cycles: 0}
routing: {algorithm: ruft, manager_delay_cycles: 400, manager_switch_cycles: 20$routing}
traffic: {load_flits_per_cycle: 0.5}
run: {warmup_cycles: 0, $run}
YAML
  [ $# -eq 0 ] || echo faults: >>"$file"
  for fault; do echo "  - {at: 500, $fault}" >>"$file"; done
}

# cosim NAME OPTIONS...: values of the JSON
cosim() {
  local name=$1
  shift
  "$UTURN_BIN" cosim "$work/$name.yaml" "$@" --json >"$work/$name.json" || fail "$name: exit status $?"
  for want in '"mismatches": 0' '"corrupt_packets": 0' '"deadlock": false'; do
    grep -q "$want" "$work/$name.json" || fail "$name: not $want"
  done
}
discarded() {
  awk -F'[:,]' '/cut_by_fault|in_failed_switch|unreachable/ { sum += $2 } END { print sum }' "$work/$1.json"
}

# lost NAME: discards until all terminals know (500 + 400 + 8 * 20, and what was under way then), and in a longer run
lost() {
  cosim "$1" --cycles 1300
  early=$(discarded "$1")
  cosim "$1" --cycles 6000
  late=$(discarded "$1")
}

# network links, an injection and an ejection link; a switch of each of two levels
links=("link: {level: 1, switch: 2, port: 1}" "link: {level: 0, switch: 2, port: 0}"
  "injection: {terminal: 3, link: 1}" "ejection: {terminal: 6, link: 0}")
for kind in ft_ruft_212 ft_ruft_222; do
  scenario "$kind" $kind "" "measure_cycles: 2000, drain: false" "${links[@]}"
  lost $kind
  [ "$early" -gt 0 ] || fail "$kind: faults at cycle 500 cost nothing, the test shows nothing"
  [ "$early" = "$late" ] || fail "$kind: $early packets lost until cycle 1,300, $late until 6,000"
  scenario "$kind-switch" $kind "" "measure_cycles: 2000, drain: false" "switch: {level: 1, switch: 2}"
  lost "$kind-switch"
  [ "$early" -gt 0 ] && [ "$early" = "$late" ] ||
    fail "$kind, switch: $early packets lost until cycle 1,300, $late until 6,000"
done

for kind in dynamic static; do
  scenario "pl-$kind" ruft_pl ", parallel_links: $kind" "measure_cycles: 2000, drain: false" "link: {level: 1, switch: 1, port: 1}"
  lost "pl-$kind"
  case $kind in
  dynamic) [ "$early" = "$late" ] || fail "ruft_pl, dynamic: $early packets lost until cycle 1,300, $late until 6,000" ;;
  static) [ "$late" -gt $((3 * early)) ] || fail "ruft_pl, static: $late packets lost, $early of them early: the other link was taken" ;;
  esac
done

scenario saturated ft_ruft_222 "" "measure_cycles: 1500, drain: true"
cosim saturated --load 2
grep -q '"in_flight_packets": 0' "$work/saturated.json" && grep -q '"queued_packets": 0' "$work/saturated.json" ||
  fail "beyond saturation not everything arrives"
