#!/bin/bash
# tests/cli/slurm.sh - `sweep --slurm` on a real Slurm: a cluster of one node inside this test, its files in a temporary
# folder.  The tasks of an array and --collect give the same rows as one process; what is missing is said, and made.
set -eu
tmp=$(mktemp -d)
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
  rm -rf "$tmp"
}
trap stop EXIT
trap 'exit 130' INT TERM
fail() {
  echo "slurm.sh: $*" >&2
  tail -n 5 "$tmp"/*.log >&2 || true
  exit 1
}
[ "$(id -u)" = 0 ] || fail "needs root: slurmd starts tasks as their users"
PATH=$PATH:/usr/sbin

# ---- the cluster
chmod 755 "$tmp"
mkdir -m 700 "$tmp/munge" "$tmp/state" "$tmp/spool"
mkdir -m 755 "$tmp/socket"
head -c 1024 /dev/urandom >"$tmp/munge/key"
chmod 600 "$tmp/munge/key"
munged --foreground --force --key-file="$tmp/munge/key" --socket="$tmp/socket/munge" --pid-file="$tmp/munge/pid" \
  --log-file="$tmp/munge/log" --seed-file="$tmp/munge/seed" >"$tmp/munged.log" 2>&1 &
munge=$!
free_port() {
  local port=$((20000 + RANDOM % 20000))
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    port=$((port + 1))
  done
  echo "$port"
}
host=$(hostname -s)
export SLURM_CONF="$tmp/slurm.conf"
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$tmp/socket/munge
CryptoType=crypto/munge
StateSaveLocation=$tmp/state
SlurmdSpoolDir=$tmp/spool
SlurmctldPidFile=$tmp/slurmctld.pid
SlurmdPidFile=$tmp/slurmd.pid
SlurmctldLogFile=$tmp/slurmctld.log
SlurmdLogFile=$tmp/slurmd.log
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
slurmctld -D -f "$SLURM_CONF" >"$tmp/controller.log" 2>&1 &
controller=$!
slurmd -D -f "$SLURM_CONF" -N "$host" >"$tmp/node.log" 2>&1 &
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
rows() {
  sqlite3 "$1" "SELECT key, point, repetition, probe, load, seed, status, message, version, scenario FROM runs ORDER BY key;
                SELECT key, name, value FROM results JOIN runs ON id = run
                  WHERE name NOT IN ('wall_s', 'switch_cycles_per_s') ORDER BY key, name;
                SELECT * FROM axes" >"$2"
}
same() {
  rows "$1" "$tmp/expected"
  rows "$2" "$tmp/found"
  diff "$tmp/expected" "$tmp/found" >"$tmp/diff" || fail "$3: other rows: $(head -5 "$tmp/diff")"
}
base='base:
  topology: {kind: fat_tree, k: 2, n: 3}
  routing: {algorithm: fta}
  traffic: {pattern: uniform, load_flits_per_cycle: 0.1}
  run: {warmup_cycles: 100, measure_cycles: 300, drain: false}
axes:
  - routing.algorithm: [fta, destro]'
mkdir "$tmp/one" "$tmp/it's an array"
cd "$tmp/it's an array"
printf '%s\n' "$base" '  - traffic.load_flits_per_cycle: [0.1, 0.3]' 'repeat: 2' >fixed.yaml
printf '%s\n' "$base" '  - traffic.load_flits_per_cycle: [0.1, 0.3]' \
  'repeat: {least: 3, most: 6, until: {result: latency.mean, within_percent: 5}}' >until.yaml
printf '%s\n' "$base" 'find: {what: saturation, precision: 0.1}' 'repeat: 2' >search.yaml
for sweep in fixed until search; do
  "$UTURN_BIN" sweep "$sweep.yaml" --results "$tmp/one/$sweep.sqlite" >/dev/null
  "$UTURN_BIN" sweep "$sweep.yaml" --slurm --tasks 3 >"$tmp/submit.log" 2>&1 || fail "$sweep: not submitted"
done
queue_is_empty
for sweep in fixed until search; do
  "$UTURN_BIN" sweep "$sweep.yaml" --collect >"$tmp/collect.log" 2>&1 || fail "$sweep: status $? of --collect"
  same "$tmp/one/$sweep.sqlite" "$sweep.sqlite" "$sweep"
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
"$UTURN_BIN" sweep fixed.yaml --collect >"$tmp/collect.log" 2>&1 || status=$?
[ $status = 1 ] || fail "status $status of --collect without one task"
grep -q "1 tasks have none" "$tmp/collect.log" || fail "the task without a database is not named"
grep -q "$lost of 8 are missing" "$tmp/collect.log" || fail "what is missing is not said"
before=$(sqlite3 fixed.sqlite "SELECT max(started) FROM runs")
"$UTURN_BIN" sweep fixed.yaml >/dev/null 2>"$tmp/again.log" || fail "status $? of the sweep after --collect"
same "$tmp/one/fixed.sqlite" fixed.sqlite "after a lost task"
[ "$(sqlite3 fixed.sqlite "SELECT count(*) FROM runs WHERE started > '$before'")" -le "$lost" ] ||
  fail "more was made than was missing"

# That task alone, once more.
rm fixed.sqlite
sbatch --array=1 fixed.tasks/job.sh >"$tmp/submit.log" 2>&1 || fail "a single task is not submitted"
queue_is_empty
"$UTURN_BIN" sweep fixed.yaml --collect >"$tmp/collect.log" 2>&1 || fail "status $? after a single task"
same "$tmp/one/fixed.sqlite" fixed.sqlite "a single task once more"

# Without Slurm: the script is written, the status says that it was not submitted.
mkdir "$tmp/bin"
status=0
PATH="$tmp/bin" "$UTURN_BIN" sweep until.yaml --slurm >"$tmp/submit.log" 2>&1 || status=$?
[ $status = 2 ] && grep -q "sbatch cannot be started" "$tmp/submit.log" || fail "without sbatch: status $status"
echo "slurm.sh: passed"
