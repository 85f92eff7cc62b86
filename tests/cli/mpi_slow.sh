#!/bin/bash
# tests/cli/mpi_slow.sh - sweeps under mpirun: four ranks write the same database as one process, but for times; ranks that
# are killed or stopped cost their runs only, which others make; nothing is there twice; without MPI: a clear message.
set -eu
tmp=$(mktemp -d)
job=
trap '[ -z "$job" ] || kill "$job" 2>/dev/null || true; wait; rm -rf "$tmp"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fail() {
  echo "mpi_slow.sh: $*" >&2
  exit 1
}
ranks() { mpirun --oversubscribe --bind-to none "$@"; }

# All that a run is and gives but times, in the order of keys.
rows() {
  sqlite3 "$1" "SELECT key, point, repetition, probe, load, seed, status, message, version, command, scenario FROM runs
                  ORDER BY key;
                SELECT key, name, value FROM results JOIN runs ON id = run
                  WHERE name NOT IN ('wall_s', 'switch_cycles_per_s') ORDER BY key, name;
                SELECT * FROM axes; SELECT name, value FROM meta WHERE name != 'sweep'" >"$2"
}
same() {
  rows "$1" "$tmp/expected"
  rows "$2" "$tmp/found"
  diff "$tmp/expected" "$tmp/found" >"$tmp/diff" || fail "$3: other rows: $(head -5 "$tmp/diff")"
}

base='base:
  topology: {kind: fat_tree, k: 2, n: 3}
  routing: {algorithm: fta}
  traffic: {pattern: uniform, load_flits_per_cycle: 0.1}'
cat >"$tmp/one.yaml" <<END
$base
  run: {warmup_cycles: 100, measure_cycles: 300, drain: false}
axes:
  - routing.algorithm: [fta, destro]
  - traffic.load_flits_per_cycle: [0.1, 0.2, 0.3]
repeat: {least: 3, most: 6, until: {result: latency.mean, within_percent: 5}}
END
cat >"$tmp/search.yaml" <<END
$base
  run: {warmup_cycles: 100, measure_cycles: 200, drain: false}
axes:
  - routing.algorithm: [fta, destro]
find: {what: saturation, precision: 0.1}
repeat: 2
END

for sweep in one search; do
  "$UTURN_BIN" sweep "$tmp/$sweep.yaml" >/dev/null
  ranks -n 4 "$UTURN_BIN" sweep "$tmp/$sweep.yaml" --results "$tmp/ranks.sqlite" >"$tmp/out" 2>"$tmp/err" ||
    fail "status $? with four ranks: $(cat "$tmp/err")"
  [ "$(grep -c throughput "$tmp/out")" = 1 ] || fail "not one table: $(cat "$tmp/out")"
  same "$tmp/$sweep.sqlite" "$tmp/ranks.sqlite" "$sweep, four ranks"
  rm "$tmp/ranks.sqlite"
done

# One rank is killed, another one stopped for longer than the others have patience; runs of a few tenths of a second.
cat >"$tmp/long.yaml" <<END
$base
  run: {warmup_cycles: 0, measure_cycles: 150000, drain: false}
  switch: {depth_flits: 8}
axes:
  - routing.algorithm: [fta, destro]
  - traffic.load_flits_per_cycle: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
repeat: 2
END
"$UTURN_BIN" sweep "$tmp/long.yaml" >/dev/null
# rank N: its process
rank() {
  for process in $(cat "/proc/$job"/task/*/children); do
    ! { tr '\0' '\n' <"/proc/$process/environ"; } 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1" || echo "$process"
  done
}
stored() { sqlite3 "$tmp/lost.sqlite" 'SELECT count(*) FROM runs' 2>/dev/null || echo 0; }
for network in vader,self tcp,self; do
  rm -f "$tmp"/lost.sqlite*
  mpirun --oversubscribe --bind-to none --enable-recovery --mca btl "$network" -n 4 "$UTURN_BIN" sweep "$tmp/long.yaml" \
    --results "$tmp/lost.sqlite" --patience 3 >"$tmp/out" 2>"$tmp/err" &
  job=$!
  for ((i = 0; i < 600; i++)); do
    [ "$(stored)" -lt 3 ] || break
    sleep 0.1
  done
  kill -KILL "$(rank 2)"
  stopped=$(rank 3)
  kill -STOP "$stopped"
  (
    sleep 8
    kill -CONT "$stopped"
  ) &
  [ "$(stored)" -lt 24 ] || fail "$network: all runs were made before a rank was killed"
  wait "$job" || fail "$network: status $? after a rank was killed: $(cat "$tmp/err")"
  job=
  wait
  grep -q "rank 2 has been silent" "$tmp/err" || fail "$network: the killed rank was not missed: $(cat "$tmp/err")"
  grep -q "rank 3 has been silent" "$tmp/err" || fail "$network: the stopped rank was not missed: $(cat "$tmp/err")"
  same "$tmp/long.sqlite" "$tmp/lost.sqlite" "$network, a rank killed"
  [ "$(sqlite3 "$tmp/lost.sqlite" 'SELECT count(*) - count(DISTINCT point || "/" || repetition) FROM runs')" = 0 ] ||
    fail "$network: a run is there twice"
done

# A bad file: status 2, once; a program without MPI beside it: says so.
echo 'axes: []' >"$tmp/bad.yaml"
status=0
ranks -n 2 "$UTURN_BIN" sweep "$tmp/bad.yaml" >"$tmp/out" 2>"$tmp/err" || status=$?
[ $status = 2 ] || fail "status $status for a bad file"
[ "$(grep -c "bad.yaml" "$tmp/err")" -ge 1 ] || fail "the bad file is not named: $(cat "$tmp/err")"
cp "$UTURN_BIN" "$tmp/alone"
status=0
OMPI_COMM_WORLD_SIZE=4 "$tmp/alone" sweep "$tmp/one.yaml" >"$tmp/out" 2>"$tmp/err" || status=$?
[ $status = 2 ] && grep -q "built without MPI" "$tmp/err" || fail "without MPI: status $status, $(cat "$tmp/err")"
echo "mpi_slow.sh: passed"
