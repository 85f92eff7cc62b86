#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# report: a page that is self-contained, in a browser; windows of a run, deadlocks, maps of links; bad input, nothing half-written.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
report() { expect 0 "$UTURN_BIN" report "$@"; }
# page FILE: complete, under 5 MB, loads nothing
page() {
  tail -c 10 "$1" | grep -q '</html>' || fail "$1 is cut off"
  [ "$(stat -c %s "$1")" -lt 5000000 ] || fail "$1 has $(stat -c %s "$1") bytes"
  if grep -q '\(src\|href\)="[^#d]\|url([^#]\|@import\|https\{0,1\}://' "$1"; then fail "$1 loads something"; fi
}
# shown FILE [SCENARIO [PACKET]]: as it should be in a browser
shown() {
  local file=$1
  shift
  /usr/bin/python3 "$UTURN_ROOT/tests/cli/report.py" "$UTURN_BIN" "$work/$file" "$@" || fail "$file is not as it should be"
}
scenarios=$UTURN_ROOT/scenarios

# one run: what the browser shows is what `run` and `trace` say
report turn.html "$scenarios/trace_uturn.yaml"
page turn.html
shown turn.html "$scenarios/trace_uturn.yaml" 6:0

# the six runs to be looked at show what they say; two of them end in deadlocks, and the page is written all the same
expect 4 "$UTURN_BIN" report --title "Six runs" show.html "$scenarios"/show/*.yaml
page show.html
shown show.html
[ "$(grep -c '<section class="part"' show.html)" = 6 ] || fail "not six parts"
grep -q '<h1>Six runs</h1>' show.html || fail "--title"
grep -q '<h2[^>]*>U-turns around a dead link</h2>' show.html || fail "no title of the second run"
grep -q 'ended in a deadlock; show.html' err || fail "no word of the deadlock"
json() { sed -n "s/^ *\"$1\": \([^,]*\),*$/\1/p" out; }
expect 0 "$UTURN_BIN" run "$scenarios/show/1_fault.yaml" --json
[ "$(json unreachable)" -gt 0 ] || fail "1_fault: nobody is lost"
expect 0 "$UTURN_BIN" run "$scenarios/show/2_u_turn.yaml" --json
[ "$(json unreachable)" = 0 ] && [ "$(json u_turns)" -gt 0 ] || fail "2_u_turn: no U-turns, or losses"
expect 0 "$UTURN_BIN" run "$scenarios/show/3_detour.yaml" --json --packets packets.csv
awk -F, 'NR > 1 { sum += $13 } END { exit !sum }' packets.csv || fail "3_detour: no detours"
expect 4 "$UTURN_BIN" run "$scenarios/show/4_deadlock.yaml" --json
[ "$(json u_turns)" -gt 0 ] || fail "4_deadlock: no U-turns"
sed '/switch: 3, port: 3/d' "$scenarios/show/4_deadlock.yaml" >k_1.yaml
expect 0 "$UTURN_BIN" run k_1.yaml
expect 4 "$UTURN_BIN" run "$scenarios/show/5_ring.yaml"
expect 0 "$UTURN_BIN" run "$scenarios/show/6_bubble.yaml"

expect 4 "$UTURN_BIN" report two.html "$scenarios/show/1_fault.yaml" "$scenarios/show/4_deadlock.yaml" --window 0:300
grep -q '<h1>A link fails, and nobody goes around it, and 1 more</h1>' two.html || fail "no title: $(grep '<h1>' two.html)"

# workloads: complete with a slowdown, incomplete, without faults
expect 0 "$UTURN_BIN" new collective complete.yaml
sed 's/resend_after_cycles: 500/resend_after_cycles: 0/' complete.yaml >incomplete.yaml
for name in complete incomplete "$scenarios/workload_goal"; do
  expect "$([ $name = incomplete ] && echo 5 || echo 0)" "$UTURN_BIN" report workload.html "$name.yaml"
  [ $name != incomplete ] || grep -q 'a workload is incomplete; workload.html' err || fail "no word of the incomplete workload"
  page workload.html
  shown workload.html "$name.yaml"
done

# a window; a network that is too large to be drawn, and one that is too large for a page
report window.html "$scenarios/trace_uturn.yaml" --window 500:700
page window.html
[ "$(stat -c %s window.html)" -lt "$(stat -c %s turn.html)" ] || fail "--window changes nothing"
cat >large.yaml <<'YAML'
topology: {kind: torus, sizes: [20, 20]}
routing: {algorithm: dor}
switch: {vcs: 1, depth_flits: 4, packet_flits: 2}
traffic: {load_flits_per_cycle: 0.1}
run: {warmup_cycles: 0, measure_cycles: 300}
YAML
report large.html large.yaml
page large.html
shown large.html
grep -q 'data-type="heat"' large.html || fail "no map of links"
sed 's/20, 20/100, 100/' large.yaml >huge.yaml
reject "huge.yaml|page for a network that is too large|10000 switches|256|32768" "$UTURN_BIN" report huge.html huge.yaml

# bad input
reject "FILE.html" "$UTURN_BIN" report large.yaml large.yaml
reject "a page of what" "$UTURN_BIN" report a.html
reject "nowhere.yaml" "$UTURN_BIN" report a.html nowhere.yaml
reject "turn.html|no page can be made|topology" "$UTURN_BIN" report b.html turn.html
printf 'k: [1\n' >broken.yaml
reject "broken.yaml" "$UTURN_BIN" report a.html broken.yaml
printf 'k: 1\n' >other.yaml
reject "other.yaml|no page can be made from this file|expected" "$UTURN_BIN" report a.html other.yaml
reject "no page can be made from this folder|$work" "$UTURN_BIN" report a.html "$work"
reject "no/a.html|cannot be written" "$UTURN_BIN" report no/a.html large.yaml
mkfifo pipe
reject "pipe|read more than once" timeout 20 "$UTURN_BIN" report a.html pipe
reject "/dev/zero|this is a device" "$UTURN_BIN" report a.html /dev/zero
cp large.yaml "it's large.yaml"
report quoted.html "it's large.yaml" --window 1:100
grep -qF "<code>./uturn report --window 1:100 quoted.html 'it'\\''s large.yaml'</code>" quoted.html || fail "the command is not what was typed"
mkdir folder.html
reject "folder.html|cannot be written" "$UTURN_BIN" report folder.html large.yaml
for window in 5 5: :5 5:5 -1:5 '1: 5' 1:5x 1:99999999999999999999; do
  reject "--window|A:B" "$UTURN_BIN" report a.html large.yaml --window "$window"
done
reject "--window 9000:9100|ends in cycle" "$UTURN_BIN" report a.html large.yaml --window 9000:9100
echo old >kept.html
reject "--window 9000:9100" "$UTURN_BIN" report kept.html large.yaml --window 9000:9100
[ "$(cat kept.html)" = old ] || fail "kept.html was written over"
[ -z "$(ls | grep part || true)" ] && [ ! -e a.html ] || fail "something is left: $(ls)"
