#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The checker is tested: bits flipped in the RTL's registers, a lost credit and mutants of the RTL (tests/mutants.txt) must
# each end the run with status 3, at the place and in the cycle of the difference, with the command that repeats it, whether
# the golden switches are the model's or the spec's.
#
#   tests/cosim/checker.sh [--all]     --all: every mutant for lockstep; each takes a model of the RTL of its own
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "checker: $*" >&2; exit 1; }
. "$UTURN_ROOT/tests/mutants.bash"

cat >"$work/base.yaml" <<'YAML'
topology: {kind: fat_tree, k: 2, n: 3}
switch: {depth_flits: 4, packet_flits: 2, route_cycles: 0}
routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: 500}
traffic: {load_flits_per_cycle: 0.6}
faults:
  - {at: 300, until: 700, link: {level: 1, switch: 1, port: 1}}
run: {warmup_cycles: 0, measure_cycles: 2000, drain: false, seed: 3}
YAML

# scenario SED: the scenario with changes
scenario() {
  sed "$1" "$work/base.yaml" >"$work/small.yaml"
}

# Registers are told by the steps of the cycle that decide them, the first one first.
in_order() {
  awk -v steps="arrive,route,VC allocation,switch allocation,traverse,transmit,update,derived,output" '
    BEGIN { count = split(steps, name, ","); for (i = 1; i <= count; i++) rank[name[i]] = i }
    /no register of a step before/ { split($0, part, "\047"); last = rank[part[2]] }
    /^    also / { sub(/.*  /, ""); sub(/: .*/, ""); if (rank[$0] < last) exit bad = 1; last = rank[$0] }
    END { exit bad || !last }' "$work/out"
}

# expect_of GOLDEN THIRD NAME PLACE FIRST_CYCLE LAST_CYCLE OPTIONS...: what lockstep with these golden switches reports; the
# third text is the one that is asked which side is wrong.
expect_of() {
  local golden=$1 third=$2 name="$3, golden $1" place=$4 first=$5 last=$6 status=0 cycle
  shift 6
  "$UTURN_BIN" cosim "$work/small.yaml" --quiet "$@" >"$work/out" 2>"$work/err" || status=$?
  [ $status = 3 ] || { cat "$work/err" >&2; fail "$name: exit status $status, expected 3"; }
  [ ! -s "$work/err" ] || { cat "$work/err" >&2; fail "$name: the report is not in one stream"; }
  grep -Eq "^cycle [0-9]+: $place: RTL holds 0x[0-9a-f]+, $golden expected 0x[0-9a-f]+$" "$work/out" ||
    { cat "$work/out" >&2; fail "$name: the report does not name '$place'"; }
  grep -q "^  two of three: the $third agrees with the $golden in all registers of this switch, so the RTL is wrong$" "$work/out" ||
    { cat "$work/out" >&2; fail "$name: the report does not say that the RTL is wrong"; }
  cycle=$(sed -n 's/^cycle \([0-9]*\): switch .*/\1/p' "$work/out")
  [ "$cycle" -ge "$first" ] && [ "$cycle" -le "$last" ] || fail "$name: found in cycle $cycle, expected $first to $last"
  in_order || { cat "$work/out" >&2; fail "$name: the registers are not sorted by their steps"; }
  grep -q "^  events at switch .* in cycles $((cycle > 20 ? cycle - 20 : 0)) to $((cycle - 1)):" "$work/out" ||
    { cat "$work/out" >&2; fail "$name: events are not those of the 20 cycles before cycle $cycle"; }
  grep -q "^reproduce and look: uturn cosim $work/small.yaml .*--wave mismatch.fst --wave-window mismatch$" "$work/out" ||
    { cat "$work/out" >&2; fail "$name: no command to reproduce"; }
  for option; do grep -q -- "$option" "$work/out" || fail "$name: the command to reproduce lacks $option"; done
  grep -q "  lockstep    1 mismatch:" "$work/out" || fail "$name: the results do not count the mismatch"
}

# The mismatch as it is told whoever is asked; names of sides are padded.
report() { sed -n '/^cycle /,$p' "$1" | sed '/^  two of three/,$d' | tr -s ' '; }

# expect NAME PLACE FIRST_CYCLE LAST_CYCLE OPTIONS...: lockstep with the spec and with the model finds it, and both report the
# same switch, cycle, registers and values; the place is an extended regular expression.
expect() {
  expect_of spec model "$@" --golden spec
  report "$work/out" | sed 's/\<spec\>/model/g' >"$work/spec"
  expect_of model spec "$@"
  report "$work/out" | diff "$work/spec" - >"$work/diff" ||
    { cat "$work/diff" >&2; fail "$1: lockstep with the spec (<) and with the model (>) report different things"; }
  checked=$((checked + 1))
}
checked=0

# Without a plant there is no difference: what follows finds the plants and nothing else.
for algorithm in reroute_adaptive_link reroute_adaptive_switch reroute_det_link table; do
  scenario "s/reroute_adaptive_link/$algorithm/"
  "$UTURN_BIN" cosim "$work/small.yaml" >"$work/out" || fail "the scenario itself does not pass with $algorithm"
done
# What that run has not exercised it says, and no more: the algorithm with tables has no re-route vector.
! grep -q "^  unexercised" "$work/out" || fail "table: $(grep unexercised "$work/out")"
scenario ""
"$UTURN_BIN" cosim "$work/small.yaml" >"$work/out"
grep -q "^  unexercised no re-route timer expired$" "$work/out" || fail "an unused timer: $(head -3 "$work/out")"

# A plant that the run does not reach is no test of anything: it is said, also of a switch that is not there.
never() { # WORDS PLANT
  local status=0
  "$UTURN_BIN" cosim "$work/small.yaml" --inject "$2" >"$work/out" 2>"$work/err" || status=$?
  [ $status = 2 ] && grep -q "$1" "$work/err" || fail "--inject $2: status $status: $(cat "$work/err")"
}
never 'the run has ended in cycle [0-9]*, before it' 1000000:1.1:credit
never "there is no switch '9.9'" 200:9.9:credit
# ... and what is no register, or has no such bit, before the run.
never "switch 1.1 has no register 'in1.vc0.pending_credits'; did you mean 'in1.vc0.pending_credits_q'" 200:1.1:in1.vc0.pending_credits:0
[ ! -s "$work/out" ] || fail "--inject of no register: the scenario was run"
never "register 'in1.vc0.pending_credits_q' has bits 0 to 2" 200:1.1:in1.vc0.pending_credits_q:3
"$UTURN_BIN" cosim "$work/small.yaml" --inject list >"$work/out" || fail "--inject list: status $?"
for name in credit stale_link_q u_vector.timer_q in1.vc0.pending_credits_q out3.vc0.credits_q; do
  grep -q "^  $name\b" "$work/out" || fail "--inject list does not name $name"
done

# plant CYCLE SWITCH REGISTER BIT: a flipped bit is found in its own cycle.  Where that very cycle overwrites the bit, or
# makes a protocol error of it, the next cycle is taken, of ten.
plant() {
  local cycle=$1
  while [ "$cycle" -lt $(($1 + 9)) ] && ! "$UTURN_BIN" cosim "$work/small.yaml" --cycles $((cycle + 2)) \
    --inject "$cycle:$2:$3:$4" 2>&1 | grep -q "^cycle $((cycle + 1)): switch $2 $3:"; do
    cycle=$((cycle + 1))
  done
  expect "plant $3" "switch ${2//./\\.} ${3//./\\.}" "$((cycle + 1))" "$((cycle + 1))" --inject "$cycle:$2:$3:$4"
}
scenario s/reroute_adaptive_link/reroute_adaptive_switch/
plant 210 1.1 in2.vc0.rt_q 0
scenario s/reroute_adaptive_link/table/
plant 204 1.1 u_tables.table_q 1
plant 204 1.1 u_tables.bank_q 2
scenario s/reroute_adaptive_link/reroute_det_link/
plant 203 1.1 in1.vc0.pending_credits_q 0
scenario ""
plant 202 2.0 in1.vc0.state_q 1
plant 205 1.0 in1.vc0.state_q 2
plant 203 0.0 in1.vc0.fifo.count_q 0
plant 206 1.0 in3.vc0.fifo.rd_q 1
plant 250 0.2 in1.vc0.fifo.wr_q 0
plant 204 1.3 in0.vc0.fifo.data_q 5
plant 205 1.2 in2.vc0.pending_credits_q 2
plant 207 1.0 in3.vc0.open_q 0
plant 203 1.1 out3.vc0.owned_q 0
plant 201 0.2 out2.vc0.credits_q 1
plant 220 1.2 error_q 0
grep -q "^    also error_o  *RTL 0x1 *model 0x0 .*: may follow$" "$work/out" || fail "plant error_q: the report does not tell of error_o"

# Deep buffers: a flit that waits is compared in every cycle, an empty place in its turn, here every eighth cycle.
scenario "s/depth_flits: 4/depth_flits: 16/; s/cycle: 0.6/cycle: 1.0/"
for cycle in 502 505 515; do
  expect "plant in a waiting flit" "switch 1\.1 in0\.vc0\.fifo\.data_q" "$((cycle + 1))" "$((cycle + 1))" \
    --inject "$cycle:1.1:in0.vc0.fifo.data_q:7"
done
scenario "s/depth_flits: 4/depth_flits: 16/"
expect "plant in an empty place" "switch 1\.1 in0\.vc0\.fifo\.data_q" 212 218 --inject "210:1.1:in0.vc0.fifo.data_q:7"
scenario ""

# A credit that a link loses: the sender has one less than the golden model says.
expect "lost credit" "switch [0-2]\.[0-3] out[0-3]\.vc0\.credits_q" 201 201 --inject 200:1.1:credit

# The same as JSON: what differs, nearest to the cause first, what happened before, both sides, and the command.
status=0
"$UTURN_BIN" cosim "$work/small.yaml" --inject 200:1.1:credit --json >"$work/out" 2>"$work/err" || status=$?
[ $status = 3 ] && [ ! -s "$work/err" ] || fail "--json: status $status, $(cat "$work/err")"
python3 - "$work/out" <<'PYTHON' || fail "--json: $(sed -n '/"mismatch":/,$p' "$work/out")"
import json, re, sys
m = json.load(open(sys.argv[1]))["mismatch"]
first, last = m["registers"][0], m["registers"][-1]
assert m["cycle"] == 201 and re.fullmatch(r"[0-2]\.[0-3]", m["switch"]), (m["cycle"], m["switch"])
assert first["register"].endswith("credits_q") and first["could_be_first"] and first["step"] == "update", first
assert int(first["model"], 16) == int(first["rtl"], 16) + 1 == int(first["spec"], 16), first
assert last["register"].endswith("offer_q") and not last["could_be_first"], last
assert m["events"] and all(181 <= e["cycle"] <= 200 and e["text"] for e in m["events"]), m["events"]
assert any(p["place"].startswith("output port") and p["rtl"] != p["model"] for p in m["places"]), m["places"]
assert m["two_of_three"].endswith("so the RTL is wrong") and "--inject 200:1.1:credit" in m["command"], m
PYTHON

UTURN_CACHE="$work/cache"
export UTURN_CACHE
mutants=$(mutants_with lockstep)
[ "${1-}" = --all ] || mutants=$(echo "$mutants" | awk 'NR % 3 == 1') # the test suite: every third
for name in $mutants; do
  scenario "$(mutant_says "$name" scenario)"
  plant_mutant "$name" "$work/$name"
  # shellcheck disable=SC2046 # first and last cycle
  expect "mutant $name" "$(mutant_says "$name" lockstep)" $(mutant_says "$name" cycles) --rtl "$work/$name"
done
echo "$checked planted faults found, against the model and against the spec"
