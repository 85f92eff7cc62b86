#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cosim --report: the registers that the page shows in a browser are those of the wave dump of the same run, on both sides, in all switches and
# cycles, before and behind a mismatch; without one; bad input, before anything is built.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
# A credit that switch 1.1 gives back too early in cycle 501: the mismatch is in cycle 502, with a link that has failed.
cat >tree.yaml <<'YAML'
topology: {kind: fat_tree, k: 2, n: 3}
switch: {depth_flits: 4, packet_flits: 2, route_cycles: 0}
routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: 500}
traffic: {load_flits_per_cycle: 0.6}
faults:
  - {at: 300, until: 700, link: {level: 1, switch: 1, port: 1}}
run: {warmup_cycles: 0, measure_cycles: 2000, drain: false, seed: 3}
YAML
# shown NAME EXPECTED: the page NAME.html beside the dump NAME.fst
shown() {
  fst2vcd "$1.fst" >"$1.vcd" 2>/dev/null
  /usr/bin/python3 "$UTURN_ROOT/tests/cli/report_registers.py" "$work/$1.html" "$work/$1.vcd" "$2" || fail "$1.html is not as it should be"
}
expect 3 "$UTURN_BIN" cosim tree.yaml --inject 501:1.1:in0.vc0.pending_credits_q:0 --report mismatch.html --wave mismatch.fst --wave-switches all
grep -q 'mismatch.html has the registers of cycles 442 to 512 of 12 switches' err || fail "no word of the page: $(cat err)"
shown mismatch 'cycle 502: switch 1.1 in0.vc0.credit_q: RTL holds 0x1, model expected 0x0'
# The golden side of the spec, no mismatch, other cycles of two switches.
expect 0 "$UTURN_BIN" cosim tree.yaml --cycles 400 --golden spec --report same.html --report-window 290:330 --report-switches 1.1,0.1 \
  --wave same.fst --wave-window 290:330 --wave-switches 1.1,0.1
shown same ''
[ "$(stat -c %s mismatch.html)" -lt 400000 ] || fail "mismatch.html has $(stat -c %s mismatch.html) bytes"

reject "--report|.html" "$UTURN_BIN" cosim tree.yaml --report page.txt
reject "--report-window is for --report" "$UTURN_BIN" cosim tree.yaml --report-window 1:5
reject "--report-window '5:1'|A:B" "$UTURN_BIN" cosim tree.yaml --report a.html --report-window 5:1
reject "--report-switches|no switch '9.9'" "$UTURN_BIN" cosim tree.yaml --report a.html --report-switches 9.9
reject "--report-window 5000:5001|2000 cycles at most" "$UTURN_BIN" cosim tree.yaml --report a.html --report-window 5000:5001
reject "--report|leave out --shrink" "$UTURN_BIN" cosim tree.yaml --report a.html --shrink
reject "no/a.html|cannot be written" "$UTURN_BIN" cosim tree.yaml --report no/a.html
sed '/^faults/,/at:/d; s/.*kind: fat_tree.*/topology: {kind: torus, sizes: [20, 20]}/; s/algorithm: .*/algorithm: dor}/; s/, route_cycles: 0//' tree.yaml >large.yaml
reject "large.yaml|too large a network to be played|256" "$UTURN_BIN" cosim large.yaml --report a.html
expect 2 "$UTURN_BIN" cosim tree.yaml --cycles 100 --report a.html --report-window mismatch
grep -q -- '--report-window mismatch: there was no mismatch' err || fail "no word of the missing mismatch: $(cat err)"
[ ! -e a.html ] || fail "a.html is left"
