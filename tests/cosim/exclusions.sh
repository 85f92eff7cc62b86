#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Exclusion intervals of fta in lockstep: faults of cycle 0 cost no packet, later ones until the manager has written; a
# flipped bit of an interval is found.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "exclusions: $*" >&2; exit 1; }
scenario="$UTURN_ROOT/tests/scenarios/tree_exclusions.yaml"

# lockstep NAME FILE OPTIONS...
lockstep() {
  local name=$1
  shift
  "$UTURN_BIN" cosim "$@" --json >"$work/$name.json" || fail "$name: exit status $?"
  grep -q '"mismatches": 0' "$work/$name.json" || fail "$name: mismatches"
}
# unreachable NAME: packets that were discarded for want of a way
unreachable() { sed -n 's/.*"unreachable": \([0-9]*\).*/\1/p' "$work/$1.json" | head -1; }

lockstep changing "$scenario"
lockstep spec "$scenario" --golden spec
sed '/at: [59]00/d' "$scenario" >"$work/first.yaml"
lockstep first "$work/first.yaml"
[ "$(unreachable first)" = 0 ] || fail "a fault of cycle 0: $(unreachable first) packets without a way, expected 0"
sed 's/exclusion_intervals: 2, manager_switch_cycles: 3/exclusion_intervals: 0/' "$work/first.yaml" >"$work/none.yaml"
lockstep none "$work/none.yaml"
[ "$(unreachable none)" -gt 0 ] || fail "the same fault without intervals: no packet is lost"

status=0
"$UTURN_BIN" cosim "$scenario" --cycles 200 --inject '100:0.1:u_exclusions.interval_q[0]:4' >"$work/out" 2>&1 || status=$?
[ $status = 3 ] || fail "a flipped bit: exit status $status, expected 3"
grep -q '^cycle 10[01]: switch 0\.1 u_exclusions\.interval_q' "$work/out" || fail "a flipped bit: $(head -3 "$work/out")"
