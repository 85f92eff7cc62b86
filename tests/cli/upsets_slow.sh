#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# upsets: links that fail and come back; the list, the table and JSON say the same, whoever shares the work.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
cat >small.yaml <<'Y'
topology: {kind: fat_tree, k: 2, n: 2}
switch: {vcs: 1, depth_flits: 4, packet_flits: 2}
routing: {algorithm: reroute_adaptive_link}
traffic: {pattern: uniform, load_flits_per_cycle: 0.3}
faults:
  - {at: 300, until: 700, link: {level: 0, switch: 0, port: 2}}
run: {warmup_cycles: 100, measure_cycles: 800, seed: 1}
Y
upsets() { expect 0 "$UTURN_BIN" upsets small.yaml --count 2000 "$@"; }
upsets --list one.csv --json --workers 1
cp out one.json
upsets --list two.csv --json --workers 2
cmp one.csv two.csv || fail "two processes find something else"
diff <(grep -v run_s one.json) <(grep -v run_s out) || fail "two processes say something else"
upsets --once --list once.csv
cmp one.csv once.csv || fail "what a copy has been through matters"
[ "$(tail -n +2 one.csv | wc -l)" = 2000 ] || fail "not all of them are in the list"
# of a class and an outcome: in the list, and in JSON, where the class's own numbers come behind its name
for class in data buffer_control vc_state credits reroute_state; do
  for outcome in masked latent delayed corrupted misdelivered lost stuck; do
    listed=$(awk -F, -v c="$class" -v o="$outcome" '$4 == c && $5 == o { n++ } END { print n + 0 }' one.csv)
    told=$(sed -n "/\"class\": \"$class\"/,/\"harm\"/p" one.json | sed -n "/\"$outcome\": {/,/}/s/.*\"count\": \([0-9]*\).*/\1/p")
    [ "$listed" = "$told" ] || fail "$class, $outcome: $listed in the list, $told in JSON"
  done
done
upsets --seed 2 --list other.csv
! cmp -s one.csv other.csv || fail "another seed, the same injections"
# payload is data: it decides on nothing but where it goes, so no switch can see anything wrong with it
awk -F, '$4 == "data" && ($6 != 0 || $5 == "stuck")' one.csv | { ! grep . || fail "a flipped bit of a flit's data is seen"; }
awk -F, '$5 == "corrupted"' one.csv | grep -q ',data,' || fail "no flipped bit of data arrives"
# progress, where the clock runs faster: said twice in the longer run even where a machine makes 2,200 injections a second
. "$UTURN_ROOT/tests/cli/hostile.bash"
hostile fast_clock
for workers in 1 2; do
  expect 0 env LD_PRELOAD="$work/fast_clock.so" "$UTURN_BIN" upsets small.yaml --count 8000 --workers $workers
  [ "$(grep -cE '^uturn: +[0-9]+ %  [0-9]+ of 8000 injections, [0-9.]+ a second' err)" -ge 2 ] || fail "progress of $workers: $(cat err)"
done
