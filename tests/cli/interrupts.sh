#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Ctrl-C ends every long command within two seconds (and what the machine is late by), with status 130, and leaves nothing half-written.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
uturn=$UTURN_BIN
cat >long.yaml <<'YAML'
topology: {kind: torus, sizes: [8, 8, 8]}
switch: {vcs: 5, depth_flits: 10, packet_flits: 4}
routing: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true}}
traffic: {load_flits_per_cycle: 0.1}
faults:
  - {at: 0, random_links: 14}
run: {warmup_cycles: 0, measure_cycles: 100000000}
YAML
sed 's/, mechanisms.*/}/; /^faults/,/random/d' long.yaml >plain.yaml
cat >tree.yaml <<'YAML'
topology: {kind: fat_tree, k: 4, n: 3}
routing: {algorithm: reroute_adaptive_link}
traffic: {load_flits_per_cycle: 0.1}
YAML
cat >sweep.yaml <<'YAML'
base: plain.yaml
axes:
  - traffic.load_flits_per_cycle: [0.1, 0.2]
YAML
# A shell that starts a command behind itself lets it ignore SIGINT: python does not.
interrupted() { # COMMAND...
  python3 - "$@" <<'PY' || fail "$*"
import signal, subprocess, sys, time
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                     preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
time.sleep(0.4)
if p.poll() is not None:
    sys.exit(f"ended by itself, status {p.returncode}: {p.stderr.read()[:300]}")
p.send_signal(signal.SIGINT)
began = time.monotonic()
try:
    p.communicate(timeout=30)
except subprocess.TimeoutExpired:
    p.kill()
    sys.exit("goes on for 30 s after Ctrl-C")
late = time.monotonic() - began
if p.returncode not in (130, -signal.SIGINT):  # which a shell calls 130, too
    sys.exit(f"status {p.returncode} after Ctrl-C")
if late > 8:
    sys.exit(f"{late:.1f} s until it ended")
PY
  [ -z "$(find . -name '*.part' -o -name '*.csv' -o -name '*.html' -o -name '*.cert' -o -name '*.svg')" ] || fail "$*: left behind: $(ls)"
}
interrupted "$uturn" prove long.yaml
interrupted "$uturn" prove tree.yaml --faults 3 --exhaustive --workers 2
interrupted "$uturn" prove tree.yaml --faults 3 --exhaustive --workers 1 --certificate p.cert
interrupted "$uturn" tolerance tree.yaml --faults 1..6
interrupted "$uturn" tolerance long.yaml --mechanisms I+D --faults 1..6 --samples 1000000
interrupted "$uturn" tolerance plain.yaml --links network --faults 1..30 --samples 10000000
interrupted "$uturn" run plain.yaml --elaborate never
interrupted "$uturn" run plain.yaml tree.yaml --compare --cycles 100000000 --elaborate never
interrupted "$uturn" net plain.yaml --loads --svg n.svg
interrupted "$uturn" trace plain.yaml --packet 0:1:9000 --svg t.svg
interrupted "$uturn" report page.html plain.yaml
interrupted "$uturn" sweep sweep.yaml
echo "interrupts: all"
