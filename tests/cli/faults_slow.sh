#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# faults: a small switch.  What is counted is all there, and the same again; more stimulus shows more; what is proven and listed.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
cat >small.yaml <<'S'
topology: {kind: ruft, k: 2, n: 2}
switch: {vcs: 1, depth_flits: 2, packet_flits: 2}
routing: {algorithm: ruft}
traffic: {pattern: uniform, load_flits_per_cycle: 0.3}
run: {warmup_cycles: 100, measure_cycles: 1000, seed: 1}
S
faults() { expect 0 "$UTURN_BIN" faults small.yaml --json "$@"; }
# value KEY: of the whole netlist; sum KEY: over its blocks
value() { sed -n '/"all": {/,/}/s/^ *"'"$1"'": \([^,]*\),\{0,1\}$/\1/p' out; }
sum() { sed -n '/"blocks": /,$s/^ *"'"$1"'": \([^,]*\),\{0,1\}$/\1/p' out | awk '{ s += $1 } END { print s + 0 }'; }

faults --prove --list left.csv
for key in faults detected untestable unreachable left; do
  [ "$(value $key)" = "$(sum $key)" ] || fail "$key: $(value $key) in all, $(sum $key) in the blocks"
done
all=$(value faults) detected=$(value detected) untestable=$(value untestable) unreachable=$(value unreachable)
[ $((all - detected - untestable - unreachable)) = "$(value left)" ] || fail "faults are missing: $(cat out)"
[ "$all" -gt 2000 ] && [ "$untestable" -gt 0 ] && [ "$unreachable" -gt 0 ] && [ $((10 * detected)) -gt $((8 * all)) ] || fail "hardly anything found: $(cat out)"
[ "$(grep -c ,untestable$ left.csv)" = "$untestable" ] || fail "the list has other proofs"
[ "$(grep -c ,unreachable$ left.csv)" = "$unreachable" ] || fail "the list has other faults that are out of reach"
[ "$(($(wc -l <left.csv) - 1))" = $((all - detected)) ] || fail "the list has other faults"
! grep -q not_detected left.csv || fail "not decided: $(grep not_detected left.csv)"

# a net that the reset drives is seen in the reset, one of the packets is not
faults --cycles 1 --list early.csv
[ "$(value untestable)" = null ] || fail "proven without being asked"
[ "$(value detected)" -lt "$detected" ] && [ "$(value detected)" -gt 100 ] || fail "one cycle shows $(value detected) of $detected"
cut -d, -f1-5 early.csv | sort >early
cut -d, -f1-5 left.csv | sort >late
[ -z "$(comm -13 early late)" ] || fail "what is seen early is hidden later: $(comm -13 early late | head -3)"
faults --switch 0.1
[ "$(value detected)" -lt "$detected" ] || fail "one switch shows as much as all of them"
faults --sample 100
[ "$(value faults)" = 100 ] || fail "a sample of $(value faults)"

# several scenarios: together at least what each shows; what is added adds up; another switch has a table of its own
sed 's/0.3/0.7/; s/seed: 1/seed: 4/' small.yaml >dense.yaml
sed 's/vcs: 1/vcs: 2/' small.yaml >wide.yaml
keys() { sed -n 's/^ *"'"$1"'": \([^,]*\),\{0,1\}$/\1/p' out; }
expect 0 "$UTURN_BIN" faults dense.yaml small.yaml --json
[ "$(keys shows | wc -l)" = 2 ] && [ "$(keys classes | wc -l)" = 1 ] || fail "not two scenarios of one netlist: $(cat out)"
[ "$(keys shows | tail -1)" = "$detected" ] || fail "in company it shows $(keys shows | tail -1), alone $detected"
[ "$(value detected)" = "$(keys adds | awk '{ s += $1 } END { print s }')" ] || fail "what is added is not what is detected"
[ "$(value detected)" -gt "$detected" ] || fail "two show no more than one"
expect 0 "$UTURN_BIN" faults small.yaml wide.yaml small.yaml
[ "$(grep -c 'block of the driver' out)" = 2 ] && grep -q '  2 scenarios show all that any of the 3 shows; fewer do not' out ||
  fail "one of two equal scenarios, and the other switch: $(cat out)"

# blocks are mapped one by one: what one of them stores and no other one looks at is a register all the same
cat >ring.yaml <<'S'
topology: {kind: torus, sizes: [4]}
switch: {vcs: 3, depth_flits: 2, packet_flits: 1}
routing: {algorithm: duato}
traffic: {pattern: uniform, load_flits_per_cycle: 0.3}
run: {warmup_cycles: 0, measure_cycles: 300, seed: 1}
S
expect 0 "$UTURN_BIN" faults ring.yaml

# wormhole packets are longer than the switch is told: proofs do not rest on what it is told
cat >worm.yaml <<'S'
topology: {kind: fat_tree, k: 2, n: 2}
switch: {vcs: 1, depth_flits: 4, packet_flits: 8, switching: wormhole}
routing: {algorithm: fta}
traffic: {pattern: uniform, load_flits_per_cycle: 0.4}
run: {warmup_cycles: 0, measure_cycles: 500}
S
expect 0 "$UTURN_BIN" faults worm.yaml --prove --sample 20
# progress of the proofs, where the clock runs faster
. "$UTURN_ROOT/tests/cli/hostile.bash"
hostile fast_clock
expect 0 env LD_PRELOAD="$work/fast_clock.so" "$UTURN_BIN" faults small.yaml --prove
grep -qE '^uturn: +[0-9]+ (%  [0-9]+ of [0-9]+ faults|candidates for the invariant so far)' err || fail "progress of proofs: $(cat err)"
