#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cosim --shrink: mutants of the RTL (tests/mutants.txt) make a large run fail; what is written must be small, and must fail in
# the same register when the printed command is carried out.
#
#   tests/cosim/shrink.sh [--all | NAME...]     --all: every mutant for lockstep, and a table of what became of each
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "shrink: $*" >&2; exit 1; }
. "$UTURN_ROOT/tests/mutants.bash"
UTURN_CACHE="$work/cache"
export UTURN_CACHE
cd "$work"

# The scenario of checker.sh, with switches of k ports each way.
scenario() { # K SED
  cat >base.yaml <<YAML
topology: {kind: fat_tree, k: $1, n: 3}
switch: {depth_flits: 4, packet_flits: 2, route_cycles: 0}
routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: 500}
traffic: {load_flits_per_cycle: 0.6}
faults:
  - {at: 300, until: 700, link: {level: 1, switch: 1, port: 1}}
run: {warmup_cycles: 0, measure_cycles: 2000, drain: false, seed: 3}
YAML
  sed "$2" base.yaml >large.yaml
}

# The field of the report of `cosim --shrink --json` that this Python expression names.
field() { python3 -c "import json, sys; r = json.load(open('out.json')); print($1)"; }

# shrink NAME: the smaller scenario of a mutant, its report in out.json; the model is that of the folder rtl.
shrink() {
  local status=0 began=$SECONDS class
  "$UTURN_BIN" cosim large.yaml --rtl "$1" --shrink --json >out.json 2>err || status=$?
  [ $status = 3 ] || { cat out.json err >&2; fail "$1: exit status $status, expected 3"; }
  [ $((SECONDS - began)) -lt 150 ] || fail "$1: the search has taken $((SECONDS - began)) s, with the first model"
  [ "$(field 'r["after"]["switches"]')" -le 12 ] || fail "$1: $(field 'r["after"]["switches"]') switches are left"
  [ "$(field 'r["after"]["packets"]')" -le 20 ] || fail "$1: $(field 'r["after"]["packets"]') packets are left"
  class=$(field 'r["register_class"]')
  status=0
  # shellcheck disable=SC2046 # the command, word by word
  "$UTURN_BIN" $(field 'r["command"]' | cut -d ' ' -f 2-) --json >again.json || status=$?
  [ $status = 3 ] || fail "$1: the printed command ends with status $status, expected 3"
  python3 - "$class" <<'PYTHON' || fail "$1: the printed command shows another mismatch than '$class'"
import json, re, sys
first = json.load(open("again.json"))["mismatch"]["registers"][0]["register"]
assert re.sub(r"\[.*|[0-9]", "", first) == sys.argv[1], first
PYTHON
}

# one NAME: a mutant in the largest of these networks in which lockstep finds it; a line of the table
one() {
  local k status
  plant_mutant "$1" "$1"
  for k in 4 2; do
    scenario $k "$(mutant_says "$1" scenario)"
    status=0
    "$UTURN_BIN" cosim large.yaml --rtl "$1" >out 2>&1 || status=$?
    [ $status != 3 ] || break
  done
  [ $status = 3 ] || { cat out >&2; fail "$1: lockstep does not find it"; }
  shrink "$1"
  field "'| \`$1\` | \`' + r['register_class'] + '\` | ' + ' | '.join(', '.join(str(r[w][n]) for n in ('switches', 'packets', 'faults', 'cycles'))
    for w in ('before', 'after')) + f' | {r[\"seconds\"]:.0f} | {r[\"runs\"]} | {r[\"models\"]} | {r[\"end\"]} |'"
}

case ${1-} in
'') ;;
--all) set -- $(mutants_with lockstep) ;&
*)
  echo '| mutant | register | switches, packets, faults, cycles | after | seconds | runs | models | search |'
  echo '|---|---|---|---|---|---|---|---|'
  for name; do one "$name"; done
  exit
  ;;
esac

# refused WORDS OPTIONS...: status 2 and that message, before anything is run
refused() {
  local words=$1 status=0
  shift
  "$UTURN_BIN" cosim large.yaml --rtl reroute_bit "$@" >out 2>err || status=$?
  [ $status = 2 ] && grep -q -- "$words" err || fail "$*: status $status: $(cat err)"
}
scenario 2 ""
plant_mutant reroute_bit reroute_bit
refused "leave out --shrink" --shrink --inject 200:1.1:credit
refused "leave out --shrink" --shrink --wave a.fst
refused "--shrink-to is for --shrink" --shrink-to a
echo "mine" >mismatch.trace
refused "mismatch.trace: is there already, and no shrunk scenario; choose another name by --shrink-to" --shrink
[ "$(cat mismatch.trace)" = mine ] || fail "a file of others is overwritten"
rm mismatch.trace

# A U-turn around a dead link takes a switch above two others, one packet and one fault.
shrink reroute_bit
[ "$(field '[r["after"][n] for n in ("switches", "packets", "faults")]')" = "[4, 1, 1]" ] || fail "reroute_bit: $(cat out.json)"
[ "$(field 'r["end"], r["register_class"]')" = "complete u_vector.vector_q" ] || fail "reroute_bit: $(cat out.json)"
[ "$(grep -vc '^#' mismatch.yaml)" -le 8 ] || fail "more than a few lines: $(cat mismatch.yaml)"
[ "$(grep -vc '^#' mismatch.trace)" = 1 ] || fail "not one packet: $(cat mismatch.trace)"
grep -q "^# uturn cosim mismatch.yaml --rtl reroute_bit$" mismatch.yaml || fail "the command is missing: $(cat mismatch.yaml)"
grep -q "^shrink: 12 switches, .* -> 4 switches, 1 packet, 1 fault, [0-9]* cycles; [0-9]* runs$" err || fail "no progress: $(cat err)"
cp mismatch.yaml first.yaml
cp mismatch.trace first.trace

# The same again: what it has written itself it may replace, and the result is the same.
shrink reroute_bit
cmp mismatch.yaml first.yaml && cmp mismatch.trace first.trace || fail "another search finds something else: $(cat mismatch.yaml)"

# Nothing to shrink where RTL and model agree; in a scenario that is small already it stays.
"$UTURN_BIN" cosim mismatch.yaml --shrink --shrink-to none >out || fail "without a mismatch: status $?"
grep -q "^mismatch.yaml: no mismatch, so there is nothing to shrink$" out && [ ! -e none.yaml ] || fail "without a mismatch: $(cat out)"
