#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Traffic halts for new routes, new tables and a reset of all switches, in lockstep: the RTL's network halts, resets and goes on with the golden one.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "reconfiguration: $*" >&2; exit 1; }

# lockstep NAME WANT...: no register differs, everything is accounted for, and the JSON has these lines
lockstep() {
  local name=$1
  shift
  "$UTURN_BIN" cosim "$work/$name.yaml" --json >"$work/$name.json" || fail "$name: exit status $?"
  for want in '"mismatches": 0' '"corrupt_packets": 0' '"in_flight_packets": 0' '"queued_packets": 0' "$@"; do
    grep -q "$want" "$work/$name.json" || fail "$name: not $want: $(grep -A14 '"reconfiguration"' "$work/$name.json")"
  done
}

cat >"$work/routes.yaml" <<'END'
topology: {kind: torus, k: 3, n: 2, terminal_links: 2}
switch: {vcs: 3, depth_flits: 10, packet_flits: 4}
routing:
  algorithm: duato
  mechanisms: {intermediate: 1, deterministic: true}
  reconfiguration: static
  manager_delay_cycles: 60
  manager_switch_cycles: 3
traffic: {load_flits_per_cycle: 0.6}
faults:
  - {at: 0, random_links: 1}
  - {at: 500, until: 1200, random_links: 2}
  - {at: 900, random_terminal_links: 1}
run: {warmup_cycles: 0, measure_cycles: 2000}
END
lockstep routes '"rounds": 3' '"resets": 0'
sed 's/manager_switch_cycles: 3/&\n  drain_timeout_cycles: 4/' "$work/routes.yaml" >"$work/reset.yaml"
lockstep reset '"rounds": 3' '"resets": [23]'

cat >"$work/tables.yaml" <<'END'
topology: {kind: fat_tree, k: 2, n: 3}
routing: {algorithm: table, reconfiguration: static, manager_delay_cycles: 30, manager_switch_cycles: 5}
traffic: {load_flits_per_cycle: 0.3}
faults:
  - {at: 500, until: 1200, random_links: 1}
  - {at: 800, until: 1500, random_switches: 1}
run: {warmup_cycles: 0, measure_cycles: 2500}
END
lockstep tables '"rounds": 4'
# Traffic has halted.
grep -q '"halted_cycles": [1-9]' "$work/tables.json" || fail "tables: traffic has not halted"

# Packets that have lost their escape channel wait for each other; a reset of all switches is what helps.
scenario=$UTURN_ROOT/scenarios/deadlock_while_draining.yaml
status=0
"$UTURN_BIN" run "$scenario" --json >"$work/never.json" 2>/dev/null || status=$?
[ $status = 4 ] || fail "without a timeout: exit status $status, expected 4"
grep -q '"rounds": 0' "$work/never.json" || fail "without a timeout: the network was empty"
sed 's/drain_timeout_cycles: 0/drain_timeout_cycles: 1500/' "$scenario" >"$work/timeout.yaml"
"$UTURN_BIN" run "$work/timeout.yaml" --json >"$work/timeout.json" || fail "with a timeout: exit status $?"
for want in '"resets": 1' '"rounds": 2' '"corrupt_packets": 0'; do
  grep -q "$want" "$work/timeout.json" || fail "with a timeout: not $want"
done
