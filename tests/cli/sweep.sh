#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# uturn sweep: what is stored, made once, read; stopped and killed; files that cannot be used.
set -eu
name=sweep
work=$(mktemp -d)
cleanup() {
  mountpoint -q "$work/small" 2>/dev/null && umount "$work/small"
  rm -rf "$work"
}
trap cleanup EXIT
. "$UTURN_ROOT/tests/cli/sweep.common.bash"

# ends STATUS WORDS COMMAND...: exit status, and words on standard error
ends() {
  local status=$1 words=$2 got=0
  shift 2
  "$@" >"$work/out" 2>"$work/err" || got=$?
  [ $got = "$status" ] || fail "$*: status $got, not $status: $(cat "$work/err")"
  grep -q -- "$words" "$work/err" || fail "$*: does not say '$words': $(cat "$work/err")"
}

# ---- a sweep, and the same again: nothing is made twice
small "$work/a.yaml" 05 3
"$UTURN_BIN" sweep "$work/a.yaml" >"$work/table" 2>"$work/err"
sound "$work/a.sqlite" 30
[ "$(wc -l <"$work/table")" = 11 ] || fail "table: $(cat "$work/table")"
[ ! -e "$work/a.sqlite-wal" ] || fail "more than one file is left"
cp "$work/a.sqlite" "$work/before.sqlite"
"$UTURN_BIN" sweep "$work/a.yaml" >"$work/table2" 2>"$work/err"
cmp "$work/table" "$work/table2"
[ "$(sql "$work/a.sqlite" 'SELECT max(started) FROM runs')" = "$(sql "$work/before.sqlite" 'SELECT max(started) FROM runs')" ] ||
  fail "the second call runs what is there"

# the rows are what `run` says, and a stored scenario gives it once more
sql "$work/a.sqlite" 'SELECT scenario FROM runs WHERE point = 7 AND repetition = 2' >"$work/scenario.yaml"
"$UTURN_BIN" run "$work/scenario.yaml" --json | grep -v 'wall_s\|per_s"\|"scenario"' >"$work/bare"
sql "$work/a.sqlite" 'SELECT json FROM runs WHERE point = 7 AND repetition = 2' | grep -v 'wall_s\|per_s"\|"scenario"' >"$work/stored"
cmp "$work/bare" "$work/stored"
grep -q '"seed": 3,' "$work/stored" || fail "not the seed of the third repetition"

# reading: CSV, JSON, --where, --show; from the file and from the database
[ "$("$UTURN_BIN" sweep "$work/a.yaml" --read --csv | wc -l)" = 31 ] || fail "--csv"
[ "$("$UTURN_BIN" sweep "$work/a.sqlite" --csv --where "load < 0.025 and algorithm = 'fta'" | wc -l)" = 7 ] || fail "--where"
"$UTURN_BIN" sweep "$work/a.sqlite" --json >"$work/json"
[ "$(grep -c '"point":' "$work/json")" = 10 ] || fail "--json: $(head "$work/json")"
ends 2 "there is no .hops." "$UTURN_BIN" sweep "$work/a.sqlite" --show latency.max,hops
"$UTURN_BIN" sweep "$work/a.sqlite" --show latency.max,flit | head -n 1 | grep -q 'latency_cycles.max *flit_hops' || fail "--show"
ends 2 "latency_cycles.max, latency_cycles.mean" "$UTURN_BIN" sweep "$work/a.sqlite" --show latency.m
ends 2 "no such column: nonsuch" "$UTURN_BIN" sweep "$work/a.sqlite" --where 'nonsuch > 1'
"$UTURN_BIN" sweep "$work/a.yaml" --check | grep -q '10 points of run, 3 to 3 repetitions' || fail "--check"

# ---- other commands, searches, faults; results of a deadlock are results
cat >"$work/t.yaml" <<YAML
base: $UTURN_ROOT/scenarios/reroute_fig11_4ary3tree.yaml
run: tolerance
axes: [{topology.k: [2, 3]}, {--faults: [1, 2]}]
YAML
"$UTURN_BIN" sweep "$work/t.yaml" --csv >"$work/out"
[ "$(wc -l <"$work/out")" = 5 ] && grep -q 'points\[0\].fault_sets' "$work/out" || fail "tolerance: $(cat "$work/out")"
cat >"$work/p.yaml" <<YAML
base: $UTURN_ROOT/scenarios/deadlock_one_vc.yaml
run: prove
axes: [{switch.vcs: [1, 2]}]
YAML
"$UTURN_BIN" sweep "$work/p.yaml" --csv >"$work/out" 2>&1 || fail "prove: $(cat "$work/out")"
[ "$(sql "$work/p.sqlite" 'SELECT group_concat(status) FROM (SELECT status FROM runs ORDER BY point)')" = 4,0 ] ||
  fail "prove: $(cat "$work/out")"
small "$work/f.yaml" 01 2
printf 'find: saturation\nfaults: {links: [0, 1]}\n' | cat <(grep -v 'load_flits_per_cycle: {' "$work/f.yaml") - >"$work/find.yaml"
"$UTURN_BIN" sweep "$work/find.yaml" >"$work/out" || fail "find"
grep -q 'saturation.load_flits_per_cycle' "$work/out" && [ "$(wc -l <"$work/out")" = 5 ] || fail "find: $(cat "$work/out")"
sed 's/^find: .*/find: {what: saturation, from: 0.95}/' "$work/find.yaml" >"$work/high.yaml"
ends 1 "'find.from': load 0.95 is not sustained; expected: a lower one" "$UTURN_BIN" sweep "$work/high.yaml"
# a load at which none of the measured packets arrives is not carried
cat >"$work/late.yaml" <<YAML
base: {topology: {kind: fat_tree, k: 4, n: 2}, routing: {algorithm: fta}, run: {warmup_cycles: 2000, measure_cycles: 20, drain: false}}
find: {what: saturation, latency: 3, precision: 0.05}
YAML
"$UTURN_BIN" sweep "$work/late.yaml" --csv >"$work/out" 2>&1 || fail "find, late packets: $(cat "$work/out")"

# ---- bad files: place and remedy
bad() { # WORDS TEXT
  printf '%s\n' "$2" >"$work/bad.yaml"
  ends 2 "$1" "$UTURN_BIN" sweep "$work/bad.yaml"
  [ ! -e "$work/bad.sqlite" ] || fail "a bad file makes a database: $2"
}
bad "did you mean 'axes'" "$(sed 's/^axes/axis/' "$work/a.yaml")"
bad "bad.yaml:1:7: 'base': .*none.yaml: .*No such file" "base: none.yaml"
bad "point 1 (routing.algorithm nonsense" "$(sed 's/fta, destro/fta, nonsense/; /load.*step/d' "$work/a.yaml")"
bad "not valid YAML" "base: ["
bad "the sweep is empty" ""
ends 2 "unknown option" "$UTURN_BIN" sweep <(:) --nonsense
sed '/^repeat/d' "$work/a.yaml" >"$work/o.yaml"
echo 'options: [--nonsense]' >>"$work/o.yaml"
ends 2 "was refused" "$UTURN_BIN" sweep "$work/o.yaml"
echo 'repeat: {until: {result: latency.mode, within_percent: 1}}' | cat <(grep -v ^repeat "$work/a.yaml") - >"$work/r.yaml"
ends 2 "repeat.until.result.*latency.mode" "$UTURN_BIN" sweep "$work/r.yaml"

# ---- killed at any moment: the same rows, none twice
small "$work/k.yaml" 20 3
"$UTURN_BIN" sweep "$work/k.yaml" --results "$work/whole.sqlite" >"$work/out"
kill_often "$work/k.yaml" "$work/killed.sqlite" 10 400
"$UTURN_BIN" sweep "$work/k.yaml" --results "$work/killed.sqlite" --jobs 3 >"$work/out" || fail "after kills: $(cat "$work/out")"
sound "$work/killed.sqlite" 120
same "$work/whole.sqlite" "$work/killed.sqlite" "after kills"

# ---- interrupted: the status of that signal, a good file, no process is left; a run that is killed costs itself
sed 's/measure_cycles: 200/measure_cycles: 40000000/' "$work/a.yaml" >"$work/long.yaml"
children() { cat "/proc/$1/task/$1/children"; }
start_long() {
  "$UTURN_BIN" sweep "$work/long.yaml" --jobs 2 >"$work/out" 2>"$work/err" &
  sweep=$!
  runs=
  for ((i = 0; i < 200; i++)); do
    runs=$(children $sweep) && [ "$(wc -w <<<"$runs")" = 2 ] && return
    sleep 0.05
  done
  fail "no runs: $(cat "$work/err")"
}
for signal in INT TERM KILL; do
  start_long
  kill -$signal $sweep
  status=0
  wait $sweep 2>/dev/null || status=$?
  [ $status = $((128 + $(kill -l $signal))) ] || fail "SIG$signal: status $status"
  [ $signal = KILL ] || grep -q 'interrupted: 0 of 30 results' "$work/err" || fail "SIG$signal: $(cat "$work/err")"
  sleep 0.2
  for run in $runs; do
    state=$(sed -n 's/^State:\t\(.\).*/\1/p' "/proc/$run/status" 2>/dev/null) || true
    [ -z "$state" ] || [ "$state" = Z ] || fail "SIG$signal: run $run goes on"
  done
  [ "$(sql "$work/long.sqlite" 'PRAGMA integrity_check; SELECT count(*) FROM runs' | tr '\n' ' ')" = "ok 0 " ] || fail "SIG$signal: the file"
done
start_long
victim=${runs%% *}
kill -9 "$victim"
for ((i = 0; i < 100; i++)); do
  failed=$(sql "$work/long.sqlite" "SELECT status || ' ' || message FROM runs")
  [ -z "$failed" ] || break
  sleep 0.05
done
[ "$failed" = "137 killed by signal 9 (Killed)" ] || fail "a killed run: $failed"

# ---- two sweeps on one database
ends 2 "another sweep is writing" "$UTURN_BIN" sweep "$work/long.yaml"
"$UTURN_BIN" sweep "$work/long.yaml" --read >"$work/out" || fail "reading while it is written"
grep -q '1 failed' "$work/out" || fail "reading while it is written: $(cat "$work/out")"
small "$work/long.yaml" 03 2
"$UTURN_BIN" sweep "$work/long.yaml" --wait >"$work/waited" 2>&1 &
waiting=$!
sleep 0.3
kill -0 $waiting || fail "--wait does not wait: $(cat "$work/waited")"
kill -TERM $sweep
wait $sweep || true
wait $waiting || fail "--wait: $(cat "$work/waited")"
[ "$(sql "$work/long.sqlite" 'SELECT count(*), count(point) FROM runs')" = "13|12" ] || fail "--wait: $(cat "$work/waited")"

# ---- files that cannot be used: status 2, a message, nothing lost
unchanged() { # WORDS COMMAND...
  cp "$work/u.sqlite" "$work/u.before"
  ends 2 "$@"
  cmp "$work/u.sqlite" "$work/u.before" || fail "$1: the file was changed"
}
cp "$work/a.sqlite" "$work/u.sqlite"
dd if=/dev/urandom of="$work/u.sqlite" bs=1024 seek=12 count=20 conv=notrunc status=none
unchanged "damaged" "$UTURN_BIN" sweep "$work/a.yaml" --results "$work/u.sqlite"
head -c 20000 "$work/a.sqlite" >"$work/u.sqlite"
unchanged "damaged" "$UTURN_BIN" sweep "$work/a.yaml" --results "$work/u.sqlite"
cp "$work/a.yaml" "$work/u.sqlite"
unchanged "no database of results" "$UTURN_BIN" sweep "$work/a.yaml" --results "$work/u.sqlite"
rm "$work/u.sqlite"
sqlite3 "$work/u.sqlite" 'CREATE TABLE t(x)'
unchanged "another program" "$UTURN_BIN" sweep "$work/a.yaml" --results "$work/u.sqlite"
mkfifo "$work/pipe"
ln -s /dev/zero "$work/device"
for what in pipe device; do
  ends 2 "$what: this is a $what.*regular file" timeout 20 "$UTURN_BIN" sweep "$work/a.yaml" --results "$work/$what"
  ends 2 "$what: this is a $what.*regular file" timeout 20 "$UTURN_BIN" sweep "$work/a.yaml" --read --results "$work/$what"
  [ ! -e "$work/$what-journal" ] || fail "a journal beside a $what"
done
ends 2 "this is a folder" "$UTURN_BIN" sweep "$work/a.yaml" --results "$work"
ends 2 "No such file or directory" "$UTURN_BIN" sweep "$work/a.yaml" --results "$work/nowhere/u.sqlite"
ends 2 "No such file" "$UTURN_BIN" sweep "$work/nowhere.yaml"
ends 2 "cannot read the results" "$UTURN_BIN" sweep "$work/nowhere.sqlite"

# read-only; root may write everything, so as somebody else
mkdir "$work/ro"
cp "$work/a.yaml" "$work/a.sqlite" "$work/ro"
chmod 755 "$work"
chmod 555 "$work/ro"
chmod 444 "$work/ro/"*
as_user=()
if [ "$(id -u)" = 0 ]; then
  cp "$UTURN_BIN" "$work/uturn" # where anybody can read it
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
user_uturn() { ${as_user[@]+"${as_user[@]}"} "$([ -e "$work/uturn" ] && echo "$work/uturn" || echo "$UTURN_BIN")" "$@"; }
ends 2 "cannot open the results for writing: Permission denied" user_uturn sweep "$work/ro/a.yaml"
user_uturn sweep "$work/ro/a.yaml" --read --csv >"$work/out" || fail "a read-only file cannot be read"
[ "$(wc -l <"$work/out")" = 31 ] || fail "a read-only file: $(wc -l "$work/out")"

# the disk is full: a limit on the file's size, and a small file system where it can be mounted
full() { # WORDS DATABASE COMMAND...
  local words=$1 file=$2 before
  shift 2
  ends 2 "$words" "$@"
  before=$(sql "$file" 'SELECT count(*) FROM runs')
  [ "$before" -gt 0 ] && [ "$before" -lt 120 ] || fail "disk full: $before rows"
  sound "$file" "$before"
}
limited() { (ulimit -f 192 && "$UTURN_BIN" sweep "$@"); }
full "may not grow" "$work/full.sqlite" limited "$work/k.yaml" --results "$work/full.sqlite"
"$UTURN_BIN" sweep "$work/k.yaml" --results "$work/full.sqlite" >"$work/out" || fail "after the limit"
same "$work/whole.sqlite" "$work/full.sqlite" "after the limit"
mkdir "$work/small"
if mount -t tmpfs -o size=320k none "$work/small" 2>/dev/null; then
  full "the disk is full" "$work/small/full.sqlite" "$UTURN_BIN" sweep "$work/k.yaml" --results "$work/small/full.sqlite"
  mount -o remount,size=8m "$work/small"
  "$UTURN_BIN" sweep "$work/k.yaml" --results "$work/small/full.sqlite" >"$work/out" || fail "after the full disk"
  same "$work/whole.sqlite" "$work/small/full.sqlite" "after the full disk"
else
  echo "sweep: SKIPPED a full disk: no file system can be mounted here; the limit on the file's size was tried"
fi
echo "sweep: all is stored once"
