#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Switches that fail in the worst moment, in lockstep: while a bad tail is due that found no room (cut_q: wormhole, buffers of
# two flits, packets of six, every link full, a link that is down for a cycle just before), and while the re-route vector has
# just changed or its timer runs.  RTL whose reset forgets one of these registers must be found.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "resets: $*" >&2; exit 1; }

cat >"$work/resets.yaml" <<'YAML'
topology: {kind: fat_tree, k: 2, n: 3}
switch: {depth_flits: 2, packet_flits: 6, switching: wormhole, route_cycles: 0}
routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: 4}
traffic: {load_flits_per_cycle: 1}
faults:
  - {at: 40, link: {level: 1, switch: 1, port: 0}}                                          # what makes U-turns
  - {at: 100, until: 101, every: 17, times: 110, link: {level: 1, switch: 2, port: 2}}      # packets are cut
  - {at: 101, until: 104, every: 34, times: 55, switch: {level: 1, switch: 2}}              # a cycle later
  - {at: 120, until: 121, every: 23, times: 78, switch: {level: 0, switch: 1}}              # which has the vector
run: {warmup_cycles: 0, measure_cycles: 2000, drain: false, seed: 3}
YAML
"$UTURN_BIN" cosim "$work/resets.yaml" --json >"$work/out" || fail "exit status $?"
# what a reset leaves alone is told the spec, too
"$UTURN_BIN" cosim "$work/resets.yaml" --golden spec >"$work/spec" 2>&1 || fail "RTL and spec: $(cat "$work/spec")"
for what in cut_by_fault in_failed_switch u_turns; do
  grep -Eq "\"$what\": [1-9][0-9]" "$work/out" || fail "hardly anything happens: $what"
done

# forgets FILE REGISTER SED: found as that register
forgets() {
  local status=0
  rm -rf "$work/rtl"
  cp -r "$UTURN_ROOT/rtl" "$work/rtl"
  sed -i "$3" "$work/rtl/$1"
  ! cmp -s "$UTURN_ROOT/rtl/$1" "$work/rtl/$1" || fail "the mutant of $1 changes nothing"
  UTURN_CACHE="$work/cache" "$UTURN_BIN" cosim "$work/resets.yaml" --rtl "$work/rtl" >"$work/out" 2>&1 || status=$?
  if [ $status != 3 ] || ! grep -Eq "^cycle [0-9]+: switch [0-2]\.[0-3] [a-z0-9_.]*$2: " "$work/out"; then
    cat "$work/out" >&2
    fail "a reset that forgets $2: exit status $status, expected 3 and its name"
  fi
  grep "^cycle" "$work/out"
}
forgets ut_input_vc.v cut_q "s/if (rst_i) cut_q <= 1'b0;/if (1'b0) cut_q <= 1'b0;/"
forgets ut_reroute_vector.v stale_q "s/      stale_q <= 1'b0;/      stale_q <= vector_d != vector_q;/"
