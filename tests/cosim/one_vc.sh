#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# reroute_det_link, two link faults: with one VC the U-turns close a cycle of waiting channels (exit status 4, the cycle is
# printed), with one VC for each virtual layer every packet arrives.  In lockstep.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "one_vc: $*" >&2; exit 1; }
scenario=$UTURN_ROOT/scenarios/deadlock_one_vc.yaml

status=0
"$UTURN_BIN" cosim "$scenario" --json >"$work/one.json" 2>"$work/one.err" || status=$?
[ $status = 4 ] || fail "one VC: exit status $status, expected 4"
grep -q '"deadlock": true' "$work/one.json" || fail "one VC: the JSON does not say so"
[ "$(grep -c 'waits for output ports' "$work/one.err")" -ge 4 ] || fail "one VC: no cycle of channels: $(cat "$work/one.err")"

sed 's/vcs: 1, //' "$scenario" >"$work/two.yaml"
"$UTURN_BIN" cosim "$work/two.yaml" --json >"$work/two.json" || fail "two VCs: exit status $?"
for want in '"mismatches": 0' '"unreachable": 0' '"in_flight_packets": 0' '"queued_packets": 0' '"deadlock": false'; do
  grep -q "$want" "$work/two.json" || fail "two VCs: not $want"
done
