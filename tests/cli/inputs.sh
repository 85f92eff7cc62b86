#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What users name to be read: no end, no bottom, nobody at the other end, control characters; traces that do not fit the run.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
scenario() { # TRAFFIC [NAME]
  printf 'topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: reroute_adaptive_link}\ntraffic: {%s}\n%s\n' "$1" \
    'run: {warmup_cycles: 0, measure_cycles: 100, drain: true}' >"${2-s.yaml}"
}
run() { timeout 60 "$UTURN_BIN" run "$@"; }
# within MEGABYTES COMMAND...: an error, not a machine out of memory
limited() { memory 2000000 "$@"; }
memory() { (ulimit -v "$1"; shift; "$@"); }
scenario 'load_flits_per_cycle: 0.1' good.yaml
mkfifo pipe

# ---- devices, folders, pipes
for file in /dev/zero /dev/null; do
  reject "$file|this is a device|scenario" limited run $file
  for pattern in trace permutation; do
    scenario "pattern: $pattern, ${pattern}_file: $file$([ $pattern = trace ] || echo ", load_flits_per_cycle: 0.1")"
    reject "$file|this is a device|$pattern" limited run s.yaml
  done
  reject "$file|this is a device|sweep" limited "$UTURN_BIN" sweep $file
done
reject "folder|sweep" "$UTURN_BIN" sweep "$work"
scenario 'pattern: trace, trace_file: pipe'
reject "pipe|this is a pipe|trace|more than once" run s.yaml
# nobody writes: one wait for all of them
for command in run sweep "plot" "bench --against"; do
  # shellcheck disable=SC2086
  (status=0; timeout 60 "$UTURN_BIN" $command pipe >/dev/null 2>"silent.${command%% *}" </dev/null || status=$?; echo $status >>"silent.${command%% *}") &
done
wait
for command in run sweep plot bench; do
  grep -q 'pipe: .*nobody has written to it' silent.$command && [ "$(tail -n 1 silent.$command)" = 2 ] || fail "$command of a silent pipe: $(cat silent.$command)"
done
# somebody does
expect 0 run <(cat good.yaml) --json
cat good.yaml >pipe &
expect 0 run pipe
wait

# ---- more than there is
printf 'topology: {kind: torus, sizes: [50, 50]}\nrouting: {algorithm: dor}\ntraffic: {pattern: all_to_all, message_bytes: 8}\n' >s.yaml
reject "not enough memory for a workload" memory 250000 run s.yaml --elaborate never
sed -i 's/50, 50/64, 64/' s.yaml # too many for any memory: refused before the first
reject "at most 16777216 tasks" memory 250000 run s.yaml --elaborate never

# ---- no end
yes '# no end of comments' | head -c 20000000 >long.yaml
reject "long.yaml|more than 16 MiB" limited run long.yaml
head -c 5000 /dev/zero | tr '\0' '1' >long.trace
scenario 'pattern: trace, trace_file: long.trace'
reject "long.trace:1:|more than 4096 characters" run s.yaml
printf '1 0 1 1\n%4095s\n' '# the longest line' >long.trace
expect 0 run s.yaml
nested() { printf '%*s' "$1" '' | tr ' ' "$2"; }
nested 100000 '[' >deep.yaml
reject "deep.yaml:1:33|inside each other" timeout 5 "$UTURN_BIN" run deep.yaml
for text in "a: $(nested 40 '[')$(nested 40 ']')" "$(nested 40 '{')" "$(for i in $(seq 40); do printf '%*sa:\n' "$i" ''; done)" "$(printf -- '- %.0s' $(seq 40))"; do
  echo "$text" >deep.yaml
  reject "deep.yaml:|inside each other" run deep.yaml
  reject "deep.yaml:|inside each other" "$UTURN_BIN" sweep deep.yaml
done
echo "topology: $(nested 20 '[')$(nested 20 ']')" >deep.yaml # not too deep: what is wrong is said
reject "deep.yaml:1:11|topology" run deep.yaml
# an alias that contains itself, or stands for more than there is room for
for text in 'topology: &t {kind: torus, more: *t}' 'faults: &t [*t]' 'traffic: {load: &t [1, [*t]]}' 'routing: &t {? *t : 1}'; do
  echo "$text" >self.yaml
  reject "self.yaml:1:|an alias within this names it|contain itself" timeout 20 "$UTURN_BIN" run self.yaml
  reject "self.yaml:1:|contain itself" timeout 20 "$UTURN_BIN" plot self.yaml
  { echo 'base:'; sed 's/^/  /' good.yaml self.yaml; } >self_sweep.yaml
  reject "self_sweep.yaml:|contain itself" timeout 20 "$UTURN_BIN" sweep self_sweep.yaml
  printf 'base: good.yaml\naxes:\n  - %s\n' "$text" >self_sweep.yaml
  reject "self_sweep.yaml:3:|contain itself" timeout 20 "$UTURN_BIN" sweep self_sweep.yaml
done
{ echo 'base: &a0 {k: 1}'; echo 'axes:'; for i in $(seq 7); do echo "  - k$i: &a$i [$(printf "*a$((i - 1)), %.0s" $(seq 12))]"; done; } >laughs.yaml
reject "laughs.yaml:8:|more than 1048576 values" limited timeout 20 "$UTURN_BIN" sweep laughs.yaml
{ echo 'base: &a0 {k: 1}'; echo 'axes:'; for i in $(seq 40); do echo "  - k$i: &a$i [*a$((i - 1))]"; done; } >deep.yaml
reject "deep.yaml:|inside each other, with aliases" timeout 20 "$UTURN_BIN" sweep deep.yaml
sed 's/: 0.1/: \&load 0.1/; $s/.*/run: {warmup_cycles: 0, measure_cycles: 100, seed: 3}/' good.yaml >alias.yaml # one that may be
expect 0 run alias.yaml
awk 'BEGIN { for (i = 0; i < 20001; i++) printf "  - {at: %d, until: %d, link: {level: 1, switch: 1, port: 1}}\n", i, i + 1 }' >faults
{ cat good.yaml; echo 'faults:'; cat faults; } >many.yaml
reject "many.yaml:|20001 entries|20000" timeout 20 "$UTURN_BIN" net many.yaml
sed '$d' many.yaml >most.yaml
expect 0 timeout 30 "$UTURN_BIN" net most.yaml

# ---- control characters: escape sequences, carriage returns, C1, what is no UTF-8
controls() {
  if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177\200\233]')" err; then fail "$1: a control character: $(cat -v err)"; fi
}
for value in '"\e]0;title\a"' '"\e[31mred"' '"a\rb"' '"\x9b31m"' '"\x7f"'; do
  printf 'topology: {kind: %s, k: 2, n: 2}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\n' "$value" "$value" >s.yaml
  expect 2 run s.yaml
  controls "kind $value"
  printf 'topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: %s}\ntraffic: {pattern: trace, trace_file: %s}\n%s: 1\n' fta "$value" "$value" >s.yaml
  expect 2 run s.yaml
  controls "key $value"
  sed -i '$d' s.yaml
  expect 2 run s.yaml
  controls "file $value"
done
scenario 'pattern: trace, trace_file: t.trace'
printf '1 0 1 \033[31mred\033[0m\r\n' >t.trace
reject 't.trace:1:7|expected a number|\x1b[31m' run s.yaml
controls "a trace"
printf '1 0 1 \302\233\200\n' >t.trace
reject 't.trace:1:7|\u009b\x80' run s.yaml
controls "C1 in a trace"
printf '1 0 1 gr\303\274n\n' >t.trace
reject 't.trace:1:7|grün' run s.yaml
expect 2 run "$(printf 'no\033[31mwhere\n')"
controls "a path"
expect 2 run s.yaml "--no$(printf '\033[31m')"
grep -q 'unknown option .*x1b' err || fail "an unknown option: $(cat -v err)"
controls "an option"
expect 2 run s.yaml --elaborate "$(printf '\033[31m')"
grep -q "not '.x1b" err || fail "an argument: $(cat -v err)"
controls "what argp is told of an argument"

# ---- a trace and its run
printf '%s\n' '1 0 1 1' '2 1 2 1' '99 2 3 1' '100 0 3 1' '5000 3 0 1' >t.trace
expect 0 run s.yaml
grep -q 'trace  *2 packets are due in cycle 100 or later' out || fail "packets after the end: $(cat out)"
expect 0 run s.yaml s.yaml --compare
grep -q 'trace of B: 2 packets are due' out || fail "packets after the end, compared: $(cat out)"
expect 0 run s.yaml
! grep -q 'at load' out && grep -q 'throughput .* of 0.0075 that the trace has in cycles 0 to 99' out || fail "load of a trace: $(cat out)"
expect 0 run s.yaml --json
grep -q '"trace_packets_after_end": 2' out || fail "JSON: $(cat out)"
expect 0 run s.yaml --cycles 6000
! grep -q 'or later' out || fail "nothing is late: $(cat out)"
# a map in which two send to the same terminal is allowed, and documented so
printf '1\n1\n1\n0\n' >map
scenario 'pattern: permutation, permutation_file: map, load_flits_per_cycle: 0.1'
expect 0 run s.yaml
grep -q 'more than one source' "$UTURN_ROOT/docs/reference/traffic.md" || fail "docs/reference/traffic.md does not say that destinations may repeat"
