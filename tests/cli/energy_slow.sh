#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cost --energy: the gates of a small switch in lockstep, idle and busy, beside OpenSTA; a chart over load.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
cat >small.yaml <<'S'
topology: {kind: ruft, k: 2, n: 2}
switch: {vcs: 1, depth_flits: 2, packet_flits: 2}
routing: {algorithm: ruft}
traffic: {pattern: uniform, load_flits_per_cycle: 0.3}
run: {warmup_cycles: 100, measure_cycles: 1000, seed: 1}
S
energy() { "$UTURN_BIN" cost small.yaml --energy "$@"; }
# value KEY: of the first object in out that has it
value() { sed -n "s/^ *\"$1\": \([^,]*\),\{0,1\}$/\1/p" out | head -n 1; }
# near A B: they differ by less than a thousandth
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && b > 0 && a / b < 1.001 && b / a < 1.001) }' || fail "$1 and $2 differ"; }

expect 0 energy --opensta --json
near "$(value switching_pj_per_cycle)" "$(value opensta_switching_pj_per_cycle)"
for what in switching_pj_per_cycle leakage_uw; do near "$(value $what)" "$(value opensta_$what)"; done
# in the 1000 measured cycles each accepted flit passes two switches, but for the few in flight at their ends
awk -v h="$(value flit_hops)" -v a="$(value accepted)" 'BEGIN { w = a * 4 * 1000 * 2; exit !(h > 0.98 * w && h < 1.02 * w) }' ||
  fail "$(value flit_hops) flit hops at $(value accepted) accepted flits per cycle and terminal"
ours=$(sed -n '/"opensta": {/,/}/s/^ *"internal_pj_per_cycle": \([^,]*\).*/\1/p' out)
near "$ours" "$(value opensta_internal_pj_per_cycle)"
[ "$(value switch_cycles)" = 4000 ] || fail "4 switches, 1000 cycles: $(value switch_cycles) counted"
near "$(awk -v c="$(value pj_per_cycle)" -v i="$(value idle_pj_per_cycle)" -v h="$(value flit_hops)" 'BEGIN { print (c - i) * 4000 / h }')" \
  "$(value pj_per_flit_hop_above_idle)"
idle=$(value idle_pj_per_cycle)
busy=$(value pj_per_cycle)
cp out first

expect 0 energy --vary load=0,0.3 --json --chart chart.svg
[ -s chart.svg ] || fail "no chart"
# without traffic nothing toggles: what is left is the clock, and it does not depend on the load
[ "$(value internal_pj_per_cycle)" = 0.0 ] && [ "$(value switching_pj_per_cycle)" = 0.0 ] || fail "an idle switch toggles: $(head -c 900 out)"
[ "$(value flit_hops)" = 0 ] || fail "flits at load 0"
[ "$(value pj_per_cycle)" = "$idle" ] || fail "idle is $(value pj_per_cycle), expected $idle"
grep -q "\"pj_per_cycle\": $busy" out || fail "the same run, another energy: $busy is not in $(head -c 3000 out)"
expect 0 energy
grep -q '^  crossbar' out || fail "no blocks: $(cat out)"
