#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/slurm.sh - `sweep --slurm` on a real Slurm: a cluster of one node inside this test, its files in a temporary
# folder.  The tasks of an array and --collect give the same rows as one process; what is missing is said, and made.
set -eu
work=$(mktemp -d)
munge=
node=
controller=
stop() {
  for process in $node $controller $munge; do
    kill "$process" 2>/dev/null || true
  done
  for process in $node $controller $munge; do
    for ((i = 0; i < 50; i++)); do
      kill -0 "$process" 2>/dev/null || break
      sleep 0.1
    done
    kill -KILL "$process" 2>/dev/null || true
  done
  wait
  rm -rf "$work"
}
trap stop EXIT
trap 'exit 130' INT TERM
name=slurm.sh
. "$(dirname "$0")/sweep.common.bash"
fail() { # with what the cluster has logged
  echo "slurm.sh: $*" >&2
  tail -n 5 "$work"/*.log >&2 || true
  exit 1
}
[ "$(id -u)" = 0 ] || fail "needs root: slurmd starts tasks as their users"
PATH=$PATH:/usr/sbin

# ---- the cluster
chmod 755 "$work"
mkdir -m 700 "$work/munge" "$work/state" "$work/spool"
mkdir -m 755 "$work/socket"
head -c 1024 /dev/urandom >"$work/munge/key"
chmod 600 "$work/munge/key"
munged --foreground --force --key-file="$work/munge/key" --socket="$work/socket/munge" --pid-file="$work/munge/pid" \
  --log-file="$work/munge/log" --seed-file="$work/munge/seed" >"$work/munged.log" 2>&1 &
munge=$!
free_port() {
  local port=$((20000 + RANDOM % 20000))
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    port=$((port + 1))
  done
  echo "$port"
}
host=$(hostname -s)
export SLURM_CONF="$work/slurm.conf"
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/socket/munge
CryptoType=crypto/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SchedulerParameters=sched_interval=2,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
slurmctld -D -f "$SLURM_CONF" >"$work/controller.log" 2>&1 &
controller=$!
slurmd -D -f "$SLURM_CONF" -N "$host" >"$work/node.log" 2>&1 &
node=$!
for ((i = 0; i < 300; i++)); do
  ! sinfo -h -o %t 2>/dev/null | grep -q idle || break
  sleep 0.2
done
sinfo -h -o %t | grep -q idle || fail "the cluster does not start: $(sinfo 2>&1)"

# ---- sweeps
queue_is_empty() {
  for ((i = 0; i < 600; i++)); do
    [ -n "$(squeue -h 2>&1)" ] || return 0
    sleep 0.2
  done
  fail "the array does not end: $(squeue)"
}
base='base:
  topology: {kind: fat_tree, k: 2, n: 3}
  routing: {algorithm: fta}
  traffic: {pattern: uniform, load_flits_per_cycle: 0.1}
  run: {warmup_cycles: 100, measure_cycles: 300, drain: false}
axes:
  - routing.algorithm: [fta, destro]'
mkdir "$work/one" "$work/it's an array"
cd "$work/it's an array"
printf '%s\n' "$base" '  - traffic.load_flits_per_cycle: [0.1, 0.3]' 'repeat: 2' >fixed.yaml
printf '%s\n' "$base" '  - traffic.load_flits_per_cycle: [0.1, 0.3]' \
  'repeat: {least: 3, most: 6, until: {result: latency.mean, within_percent: 5}}' >until.yaml
printf '%s\n' "$base" 'find: {what: saturation, precision: 0.1}' 'repeat: 2' >search.yaml
for sweep in fixed until search; do
  "$UTURN_BIN" sweep "$sweep.yaml" --results "$work/one/$sweep.sqlite" >/dev/null
  "$UTURN_BIN" sweep "$sweep.yaml" --slurm --tasks 3 >"$work/submit.log" 2>&1 || fail "$sweep: not submitted"
done
queue_is_empty
for sweep in fixed until search; do
  "$UTURN_BIN" sweep "$sweep.yaml" --collect >"$work/collect.log" 2>&1 || fail "$sweep: status $? of --collect"
  same "$work/one/$sweep.sqlite" "$sweep.sqlite" "$sweep"
  [ "$(ls $sweep.tasks/*.sqlite | wc -l)" -ge 2 ] || fail "$sweep: not made in shares"
done
# No task made what is another one's.
total=0
for share in fixed.tasks/*.sqlite; do
  total=$((total + $(sqlite3 "$share" 'SELECT count(*) FROM runs')))
done
[ $total = "$(sqlite3 fixed.sqlite 'SELECT count(*) FROM runs')" ] || fail "the tasks have made $total runs"

# A task whose results are lost, and one that failed: said, then only that is made.
lost=$(sqlite3 fixed.tasks/1-of-3.sqlite 'SELECT count(*) FROM runs')
rm fixed.sqlite fixed.tasks/1-of-3.sqlite
status=0
"$UTURN_BIN" sweep fixed.yaml --collect >"$work/collect.log" 2>&1 || status=$?
[ $status = 1 ] || fail "status $status of --collect without one task"
grep -q "1 tasks have none" "$work/collect.log" || fail "the task without a database is not named"
grep -q "$lost of 8 are missing" "$work/collect.log" || fail "what is missing is not said"
before=$(sqlite3 fixed.sqlite "SELECT max(started) FROM runs")
"$UTURN_BIN" sweep fixed.yaml >/dev/null 2>"$work/again.log" || fail "status $? of the sweep after --collect"
same "$work/one/fixed.sqlite" fixed.sqlite "after a lost task"
[ "$(sqlite3 fixed.sqlite "SELECT count(*) FROM runs WHERE started > '$before'")" -le "$lost" ] ||
  fail "more was made than was missing"

# That task alone, once more.
rm fixed.sqlite
sbatch --array=1 fixed.tasks/job.sh >"$work/submit.log" 2>&1 || fail "a single task is not submitted"
queue_is_empty
"$UTURN_BIN" sweep fixed.yaml --collect >"$work/collect.log" 2>&1 || fail "status $? after a single task"
same "$work/one/fixed.sqlite" fixed.sqlite "a single task once more"

# Without Slurm: the script is written, the status says that it was not submitted.
mkdir "$work/bin"
status=0
PATH="$work/bin" "$UTURN_BIN" sweep until.yaml --slurm >"$work/submit.log" 2>&1 || status=$?
[ $status = 2 ] && grep -q "sbatch cannot be started" "$work/submit.log" || fail "without sbatch: status $status"
echo "slurm.sh: passed"
