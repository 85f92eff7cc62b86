#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Workloads on the command line: results as text and JSON, slowdown, exit statuses, threads, bad input with file and line, and
# that nothing else is needed where the terminals are told what to send.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
number() { sed -n "s/^ *\"$1\": \([0-9.]*\),*$/\1/p" out; }

cat >all.yaml <<'YAML'
topology: {kind: fat_tree, k: 4, n: 2}
switch: {depth_flits: 16, packet_flits: 8}
routing: {algorithm: reroute_adaptive_link}
traffic: {pattern: all_to_all, message_bytes: 560, resend_after_cycles: 300}
faults:
  - {at: 300, until: 900, random_links: 3}
YAML
# a fault in the middle: slower, and the run without it is the same scenario without faults
expect 0 "$UTURN_BIN" run all.yaml --json
[ "$(number messages)" = 240 ] && [ "$(number message_packets)" = 2400 ] || fail "the messages: $(cat out)"
with=$(number completion_cycles) without=$(number without_faults_completion_cycles) slowdown=$(number slowdown)
awk -v a="$with" -v b="$without" -v s="$slowdown" 'BEGIN { exit !(a > b && s - a / b < 1e-6 && a / b - s < 1e-6) }' ||
  fail "$with cycles, $without without faults: slowdown $slowdown"
sed '/faults/,$d' all.yaml >healthy.yaml
expect 0 "$UTURN_BIN" run healthy.yaml --json
[ "$(number completion_cycles)" = "$without" ] || fail "without faults: $(cat out), expected $without"
start=$(number start_cycle)
! grep -q slowdown out || fail "a slowdown without faults: $(cat out)"
expect 0 "$UTURN_BIN" run all.yaml
grep -q "complete after $with cycles" out && grep -q "slowdown .*: $without cycles" out || fail "the text: $(cat out)"
# what looks into a run sees the same packets
expect 0 "$UTURN_BIN" run all.yaml --packets p.csv --timeline t.csv --json
[ "$(number completion_cycles)" = "$with" ] && [ "$(grep -c delivered p.csv)" = 2400 ] || fail "with --packets: $(cat out)"
for n in 1 2 3 7; do
  expect 0 "$UTURN_BIN" run all.yaml --json --elaborate never --threads $n
  grep -v '"wall_s"\|per_s"' out >threads.$n
  cmp -s threads.1 threads.$n || fail "--threads $n changes results: $(diff threads.1 threads.$n | head -n 4)"
done

# loads are those of the cycles that it takes
expect 0 "$UTURN_BIN" net healthy.yaml --loads
grep -q "in cycles $start-$((start + without - 1))$" out || fail "net --loads: $(head -n 12 out), expected $start.."

# a terminal computes for long: the cycles are not made one by one, and are those of the schedule
calc() { # CYCLES: the completion time
  printf 'num_ranks 2\nrank 0 {\na: send 8b to 1\nb: calc %s\nc: send 8b to 1\nb requires a\nc requires b\n}\nrank 1 {\n' "$1" >gap.goal
  printf 'recv 8b from 0\nrecv 8b from 0\n}\n' >>gap.goal
  expect 0 timeout 60 "$UTURN_BIN" run gap.yaml --json "${@:2}"
  number completion_cycles
}
sed 's/pattern.*/pattern: goal, goal_file: gap.goal}/; s/^faults.*/run: {measure_cycles: 5000000000000}/; /random_links/d' all.yaml >gap.yaml
short=$(calc 1000)
for cycles in 1000000 1000000000000; do
  for how in --threads=2 --check=spec --timeline=gap.csv; do
    [ "$how" = --timeline=gap.csv ] && how="$how --every=500000000000"
    # shellcheck disable=SC2086
    long=$(calc $cycles $how)
    [ "$long" = $((short + cycles - 1000)) ] || fail "$how: computing $cycles takes $long cycles, 1000 take $short"
  done
done
[ "$(wc -l <gap.csv)" = 4 ] || fail "rows of the timeline: $(cat gap.csv)"
expect 0 "$UTURN_BIN" run gap.yaml --check spec
grep -q 'compared in [0-9]\{2,4\} cycles; 9999999[0-9]* more, in which nothing happens, were jumped' out || fail "what was compared: $(cat out)"

# lost packets that are not sent again; a limit of time
sed 's/, resend_after_cycles: 300//' all.yaml >lost.yaml
expect 5 "$UTURN_BIN" run lost.yaml
grep -q 'INCOMPLETE after [0-9]* cycles: [0-9]* tasks wait, [1-9][0-9]* messages are lost' out &&
  grep -q 'waits  *terminal [0-9]* receives 560 bytes' out || fail "incomplete: $(cat out)"
expect 5 "$UTURN_BIN" run lost.yaml --json
grep -q '"completion_cycles": null' out && grep -q '"slowdown": null' out && grep -q '"complete": false' out ||
  fail "incomplete: $(cat out)"
echo 'run: {measure_cycles: 100, drain_limit_cycles: 0}' >short
cat healthy.yaml short >limit.yaml
expect 5 "$UTURN_BIN" run limit.yaml
grep -q 'INCOMPLETE after 100 cycles' out && grep -q 'limit  *the run was ended by run.measure_cycles: 100 cycles' out ||
  fail "the limit: $(cat out)"
calc 20000000 >/dev/null
sed 's/^run.*//' gap.yaml >default.yaml
expect 5 "$UTURN_BIN" run default.yaml
grep -q 'limit  *the run was ended by run.measure_cycles, of which this is the default; raise it: 10000000 cycles' out ||
  fail "the default limit: $(cat out)"
expect 0 "$UTURN_BIN" run healthy.yaml --cycles 100 # it was asked for no more
expect 0 "$UTURN_BIN" run healthy.yaml all.yaml --compare --seeds 2
grep -q ' completion$' out || fail "--compare: $(cat out)"

# a sweep sees completion time and slowdown
cat >sweep.yaml <<'YAML'
base: all.yaml
axes:
  - traffic.pattern: [all_to_all, nearest_neighbour]
YAML
expect 0 "$UTURN_BIN" sweep sweep.yaml --csv --show completion --show slowdown
grep -q "$with" out || fail "the sweep lacks $with: $(cat out)"

# files: a message that waits for another, a schedule
cat >chain.dep <<'EOT'
first 0 1 100
then 1 0 100 after first delay 1000
EOT
cat >two.goal <<'EOT'
num_ranks 2
rank 0 {
l1: calc 10
l2: send 100b to 1 tag 3
l2 requires l1
}
rank 1 {
l1: recv 100b from 0 tag 3
l2: calc 20
l2 requires l1
}
EOT
sed '/^faults/,$d; s/pattern.*/pattern: dependencies, dependency_file: chain.dep}/' all.yaml >dep.yaml
sed '/^faults/,$d; s/pattern.*/pattern: goal, goal_file: two.goal, cycles_per_calc: 100}/' all.yaml >goal.yaml
expect 0 "$UTURN_BIN" run dep.yaml --json
[ "$(number completion_cycles)" -gt 1000 ] && [ "$(number completion_cycles)" -lt 1100 ] || fail "the delay: $(cat out)"
expect 0 "$UTURN_BIN" run goal.yaml --json
[ "$(number completion_cycles)" -gt 3000 ] && [ "$(number completion_cycles)" -lt 3100 ] || fail "calc: $(cat out)"
sed -i 's/first 0 1 100/& after then/' chain.dep
reject "chain.dep:1: tasks wait for each other in a circle|line 2: terminal 1 sends" "$UTURN_BIN" run dep.yaml
reject "chain.dep:1: tasks wait" "$UTURN_BIN" cosim dep.yaml
sed -i 's/l2 requires l1/l2 requires l3/' two.goal
reject "two.goal:5:13: there is no 'l3' in rank 0" "$UTURN_BIN" run goal.yaml
printf 'num_ranks 1\nrank 0 {\n}\n/* no end\n\n' >open.goal
sed 's/two.goal/open.goal/' goal.yaml >open.yaml
reject "open.goal:4: this comment does not end" "$UTURN_BIN" run open.yaml
sed -i 's/l2 requires l3/l2 requires l2/' two.goal
reject "two.goal:5:13: 'l2' waits for itself" "$UTURN_BIN" run goal.yaml
rm two.goal
reject "goal.yaml:4:|cannot read two.goal" "$UTURN_BIN" run goal.yaml
reject "pattern all_to_all has no load|leave the load away" "$UTURN_BIN" run healthy.yaml --load 0.3
sed 's/pattern: all_to_all/&, load_flits_per_cycle: 0.3/' healthy.yaml >load.yaml
reject "load.yaml:4:|has no meaning for pattern all_to_all" "$UTURN_BIN" run load.yaml
echo "workloads: completion, slowdown, losses, threads, files, bad input"
