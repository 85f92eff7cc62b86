#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/mpi_slow.sh - sweeps under mpirun: four ranks write the same database as one process, but for times; ranks that
# are killed or stopped cost their runs only, which others make; nothing is there twice; without MPI: a clear message.
set -eu
work=$(mktemp -d)
job=
trap '[ -z "$job" ] || kill "$job" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
name=mpi_slow.sh
. "$(dirname "$0")/sweep.common.bash"
ranks() { mpirun --oversubscribe --bind-to none "$@"; }

base='base:
  topology: {kind: fat_tree, k: 2, n: 3}
  routing: {algorithm: fta}
  traffic: {pattern: uniform, load_flits_per_cycle: 0.1}'
cat >"$work/one.yaml" <<END
$base
  run: {warmup_cycles: 100, measure_cycles: 300, drain: false}
axes:
  - routing.algorithm: [fta, destro]
  - traffic.load_flits_per_cycle: [0.1, 0.2, 0.3]
repeat: {least: 3, most: 6, until: {result: latency.mean, within_percent: 5}}
END
cat >"$work/search.yaml" <<END
$base
  run: {warmup_cycles: 100, measure_cycles: 200, drain: false}
axes:
  - routing.algorithm: [fta, destro]
find: {what: saturation, precision: 0.1}
repeat: 2
END

for sweep in one search; do
  "$UTURN_BIN" sweep "$work/$sweep.yaml" >/dev/null
  ranks -n 4 "$UTURN_BIN" sweep "$work/$sweep.yaml" --results "$work/ranks.sqlite" >"$work/out" 2>"$work/err" ||
    fail "status $? with four ranks: $(cat "$work/err")"
  [ "$(grep -c throughput "$work/out")" = 1 ] || fail "not one table: $(cat "$work/out")"
  same "$work/$sweep.sqlite" "$work/ranks.sqlite" "$sweep, four ranks"
  rm "$work/ranks.sqlite"
done

# One rank is killed, another one stopped for longer than the others have patience; runs of a few tenths of a second.
cat >"$work/long.yaml" <<END
$base
  run: {warmup_cycles: 0, measure_cycles: 150000, drain: false}
  switch: {depth_flits: 8}
axes:
  - routing.algorithm: [fta, destro]
  - traffic.load_flits_per_cycle: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
repeat: 2
END
"$UTURN_BIN" sweep "$work/long.yaml" >/dev/null
# rank N: its process
rank() {
  for process in $(cat "/proc/$job"/task/*/children); do
    ! { tr '\0' '\n' <"/proc/$process/environ"; } 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1" || echo "$process"
  done
}
stored() { sqlite3 "$work/lost.sqlite" 'SELECT count(*) FROM runs' 2>/dev/null || echo 0; }
for network in vader,self tcp,self; do
  rm -f "$work"/lost.sqlite*
  mpirun --oversubscribe --bind-to none --enable-recovery --mca btl "$network" -n 4 "$UTURN_BIN" sweep "$work/long.yaml" \
    --results "$work/lost.sqlite" --patience 3 >"$work/out" 2>"$work/err" &
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
  wait "$job" || fail "$network: status $? after a rank was killed: $(cat "$work/err")"
  job=
  wait
  grep -qE "rank 2 (has been silent|cannot be reached)" "$work/err" || fail "$network: the killed rank was not missed: $(cat "$work/err")"
  grep -q "rank 3 has been silent" "$work/err" || fail "$network: the stopped rank was not missed: $(cat "$work/err")"
  same "$work/long.sqlite" "$work/lost.sqlite" "$network, a rank killed"
  [ "$(sqlite3 "$work/lost.sqlite" 'SELECT count(*) - count(DISTINCT point || "/" || repetition) FROM runs')" = 0 ] ||
    fail "$network: a run is there twice"
done

# A bad file: status 2, once; a program without MPI beside it: says so.
echo 'axes: []' >"$work/bad.yaml"
status=0
ranks -n 2 "$UTURN_BIN" sweep "$work/bad.yaml" >"$work/out" 2>"$work/err" || status=$?
[ $status = 2 ] || fail "status $status for a bad file"
[ "$(grep -c "bad.yaml" "$work/err")" -ge 1 ] || fail "the bad file is not named: $(cat "$work/err")"
cp "$UTURN_BIN" "$work/alone"
status=0
OMPI_COMM_WORLD_SIZE=4 "$work/alone" sweep "$work/one.yaml" >"$work/out" 2>"$work/err" || status=$?
[ $status = 2 ] && grep -q "built without MPI" "$work/err" || fail "without MPI: status $status, $(cat "$work/err")"
echo "mpi_slow.sh: passed"
