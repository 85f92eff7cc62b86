#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --threads changes no result: the same JSON for 1, 2, 3 and 7 threads, of all families with faults while they run, and of
# lockstep; a mismatch is reported alike.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "threads: $*" >&2; exit 1; }
. "$UTURN_ROOT/tests/cli/threads.scenarios.bash"
write_scenarios "$work"

# alike COMMAND...: standard output and standard error but for times, and the exit status, do not depend on --threads
alike() {
  local n status
  for n in 1 2 3 7; do
    status=0
    "$UTURN_BIN" "$@" --threads $n >"$work/out" 2>"$work/err" || status=$?
    { grep -v '"wall_s"\|per_s"' "$work/out"; grep -v compiling "$work/err"; echo "status $status"; } >"$work/result.$n" || true
    cmp -s "$work/result.1" "$work/result.$n" || fail "$* --threads $n: $(diff "$work/result.1" "$work/result.$n" | head -n 4)"
  done
}

discarded=0
for file in "$work"/*.yaml; do
  alike run "$file" --cycles 1200 --elaborate never --json
  grep -q '"delivered_packets": [1-9]' "$work/result.7" || fail "$file delivers nothing"
  for count in $(grep -o '"\(cut_by_fault\|in_failed_switch\|unreachable\)": [0-9]*' "$work/result.7" | grep -o '[0-9]*$'); do
    discarded=$((discarded + count))
  done
done
[ $discarded -gt 100 ] || fail "only $discarded packets are discarded in all scenarios"

# lockstep, with faults; and a credit that the RTL loses is reported alike
demo=$UTURN_ROOT/scenarios/demo.yaml
sed 's/at: 20000/at: 100/; s/at: 40000, until: 70000/at: 200, until: 500/; s/at: 50000, until: 90000/at: 300, until: 600/' \
  "$demo" >"$work/demo.yaml"
alike cosim "$work/demo.yaml" --cycles 900 --elaborate never --json
grep -q '"mismatches": 0' "$work/result.7" && grep -q '"cut_by_fault": [1-9]' "$work/result.7" ||
  fail "lockstep: $(cat "$work/result.7")"
alike cosim "$work/demo.yaml" --cycles 900 --elaborate never --inject 400:1.7:credit --json
grep -q 'status 3' "$work/result.7" || fail "a lost credit is not found: $(cat "$work/result.7")"
echo "the same with 1, 2, 3 and 7 threads; $discarded packets discarded"

# Verilator would give each switch a pool of its own, of as many threads as there are cores: 48 pools here.
"$UTURN_BIN" cosim "$work/demo.yaml" --threads 2 --elaborate never >"$work/out" 2>&1 &
pid=$!
most=0
for _ in $(seq 100); do
  threads=$(sed -n 's/^Threads:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null || :)
  [ "${threads:-0}" -le "$most" ] || most=$threads
  [ "$most" -lt 2 ] || break
  sleep 0.1
done
sleep 0.5 # all switches are there
threads=$(sed -n 's/^Threads:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null || echo "$most")
kill "$pid" 2>/dev/null || :
wait "$pid" || :
[ "$most" = 2 ] && [ "$threads" = 2 ] || fail "cosim --threads 2 of 48 switches has $most and then $threads threads"
