#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every signal that ends a program ends a command by that signal, and with it all that it has started and its temporary files.  Of SIGKILL
# only the children are told.  A small stack, or no more processes: a message, no crash, no waiting for ever.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
uturn=$UTURN_BIN
cat >good.yaml <<'YAML'
topology: {kind: fat_tree, k: 2, n: 2}
routing: {algorithm: reroute_adaptive_link}
traffic: {load_flits_per_cycle: 0.1}
faults:
  - {at: 10, link: {level: 1, switch: 1, port: 1}}
run: {warmup_cycles: 0, measure_cycles: 100}
YAML
sed 's/measure_cycles: 100/measure_cycles: 100000000/' good.yaml >long.yaml
cat >sweep.yaml <<'YAML'
base: long.yaml
options: [--elaborate=never]
axes:
  - traffic.load_flits_per_cycle: [0.1, 0.2]
YAML
"$uturn" cosim good.yaml --wave good.fst >/dev/null 2>&1 # builds its models

cat >ended.py <<'PY'
"""ended.py [NAME|-] SIGNALS COMMAND...: for each of them starts the command, waits for a file NAME* or for a child, and sends it."""
import glob, os, resource, signal, subprocess, sys, time
name, signals, command = sys.argv[1], sys.argv[2].split(), sys.argv[3:]

def children(of):
    try:
        own = [int(c) for t in os.listdir(f"/proc/{of}/task") for c in open(f"/proc/{of}/task/{t}/children").read().split()]
    except OSError:
        return []
    return own + [c for o in own for c in children(o)]

def alive(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False

def before():  # as a shell starts it that lets nothing be ignored
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for s in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(s, signal.SIG_DFL)

for number in (getattr(signal, "SIG" + s) for s in signals):
    p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, preexec_fn=before)
    seen, end = [], time.monotonic() + 60
    while p.poll() is None and not seen and time.monotonic() < end:
        time.sleep(0.02)
        seen = children(p.pid) if name == "-" else glob.glob(name + "*")
    time.sleep(0.1)
    started = children(p.pid)
    if p.poll() is not None or not seen:
        sys.exit(f"{number.name}: ended before it, status {p.poll()}: {p.communicate()[1][:300]}")
    p.send_signal(number)
    began = time.monotonic()
    try:
        p.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        p.kill()
        sys.exit(f"{number.name}: goes on for 30 s")
    late = time.monotonic() - began
    if p.returncode != -number:
        sys.exit(f"ended by {number.name}: status {p.returncode}, expected {-number}")
    # what a compiler has started is nobody's child any more: it is killed, and nobody can wait until it is gone
    end = time.monotonic() + 2
    while (left := [c for c in started if alive(c)]) and time.monotonic() < end:
        time.sleep(0.02)
    if left:
        sys.exit(f"{number.name}: {len(left)} of {len(started)} processes are left")
    if late > 8:
        sys.exit(f"{number.name}: {late:.1f} s until it ended")
PY
# ended NAME|- "SIGNALS" COMMAND...
ended() {
  python3 ended.py "$@" >why 2>&1 || fail "${*:3}: $(cat why)"
  case $2 in
  *KILL*) ;;
  *) [ -z "$(find . "$TMPDIR" -name '*.part' -o -name '*.hier' -o -name 'uturn-*')" ] || fail "${*:3}, $2: left behind: $(find . "$TMPDIR" -type f)" ;;
  esac
}
mkdir tmp
export TMPDIR=$work/tmp
ended p.csv "HUP INT QUIT ILL TRAP ABRT BUS FPE USR1 SEGV USR2 PIPE ALRM TERM XCPU VTALRM PROF SYS" \
  "$uturn" run long.yaml --packets p.csv --elaborate never
ended page.html "HUP TERM QUIT USR1" "$uturn" report page.html long.yaml
ended - "HUP INT QUIT USR1 USR2 ALRM TERM XCPU ABRT KILL" "$uturn" sweep sweep.yaml
ended - "TERM ALRM KILL" "$uturn" run long.yaml long.yaml --compare --elaborate never --threads 2
ended dump.fst "HUP INT QUIT TERM" "$uturn" cosim good.yaml --cycles 1000000 --load 0 --wave dump.fst --wave-window 0:1000000
ended - "QUIT TERM" "$uturn" hunt --shapes 20 --each 1000
# a build: what the compiler has begun goes, too
(export UTURN_CACHE=$work/cache
ended - "HUP QUIT USR1" "$uturn" run good.yaml --elaborate always
[ -z "$(find cache -name '*.tmp')" ] || fail "a build that ended by a signal: $(ls -R cache)")

# nohup
status=0
(trap '' HUP; exec "$uturn" run long.yaml --cycles 1000000 --elaborate never >out 2>err) &
sleep 0.1
kill -HUP $!
wait $! || status=$?
[ $status = 0 ] || fail "SIGHUP under nohup: status $status: $(cat err)"

# ---- a stack that is too small, also for what is started; other than 64 KiB can be raised by root alone
for size in 64 128; do
  for words in "run good.yaml" "cosim good.yaml" "sweep sweep.yaml --check" "net good.yaml" "prove good.yaml" "report r.html good.yaml"; do
    status=0
    # shellcheck disable=SC2086
    (ulimit -c 0 -s $size; exec "$uturn" $words) >out 2>err </dev/null || status=$?
    [ $status = 0 ] || { [ $status = 2 ] && grep -q 'ulimit -s' err; } || fail "ulimit -s $size: $words: status $status: $(head -c 300 err)"
    # of a limit that may be raised nobody hears
    # shellcheck disable=SC2086
    (ulimit -Ss $size; exec "$uturn" $words) >out 2>err </dev/null || fail "ulimit -Ss $size: $words: $(head -c 300 err)"
  done
done

# ---- no more processes; root has no such limit
if [ "$(id -u)" = 0 ]; then other=(setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all --bounding-set=-all); else other=(); fi
chmod -R a+rwX "$work"
if "${other[@]}" "$uturn" --version >/dev/null 2>&1; then
  for words in "cosim good.yaml" "run good.yaml --elaborate always" "sweep sweep.yaml"; do
    status=0
    # shellcheck disable=SC2086
    (ulimit -u 2; UTURN_CACHE=$work/none exec "${other[@]}" "$uturn" $words) >out 2>err </dev/null &
    wait $! || status=$?
    [ $status = 2 ] && grep -q 'ulimit -u' err || fail "ulimit -u 2: $words: status $status: $(head -c 300 err)"
  done
  (ulimit -u 2; exec "${other[@]}" timeout 60 "$uturn" run good.yaml --threads 4 --elaborate never) >out 2>err </dev/null || fail "fewer threads: $(cat err)"
else
  echo "signals: another user may not run $uturn: no limit of processes was tried"
fi
echo "signals: all"
