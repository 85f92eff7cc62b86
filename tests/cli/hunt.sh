#!/bin/bash
# uturn hunt: finds a bug of the RTL and keeps a scenario that shows it; leaves out switches that are not concerned; bad input.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "hunt: $*" >&2; exit 1; }
. "$UTURN_ROOT/tests/mutants.bash"
cd "$work"

# A bug of the re-route vector: switches of RUFT, tori and nodes, which have none, are not even built.
plant_mutant known_uturn_lets_timer_run rtl_vector
status=0
"$UTURN_BIN" hunt --rtl rtl_vector --shapes 8 --each 8 --json >found.json 2>err || status=$?
[ $status = 3 ] || fail "a bug of the RTL: exit status $status: $(cat found.json err)"
python3 - <<'PYTHON' || fail "--json: $(cat found.json)"
import json
found = json.load(open("found.json"))
assert found["found"] and found["status"] == 3 and found["family"] == "trees", found
assert found["families"]["tori"] == found["families"]["ruft"] == 0 and found["unchanged_switches"] >= 1, found
assert found["mismatch"]["registers"] and found["scenario"] == "hunt.yaml", found
PYTHON
status=0
"$UTURN_BIN" cosim hunt.yaml --golden spec --rtl rtl_vector >again 2>err || status=$?
[ $status = 3 ] || fail "the scenario that was kept: exit status $status: $(cat err)"

# What was not changed is not looked at.
cp -r "$UTURN_ROOT/rtl" rtl_same
"$UTURN_BIN" hunt --rtl rtl_same --shapes 2 --each 1 >same
grep -q '^2 switches are the same hardware as in the unchanged RTL$' same || fail "the same RTL: $(cat same)"

# The same seeds are the same scenarios.
"$UTURN_BIN" hunt --write first --families ruft --shapes 3 --each 2 --seed 7
"$UTURN_BIN" hunt --write second --families ruft --shapes 3 --each 2 --seed 7
diff -r first second || fail "other scenarios of the same seed"
[ "$(ls first | wc -l)" = 6 ] || fail "--write: $(ls first)"

refuses() { # WORDS ARGUMENT...
  local words=$1 status=0
  shift
  "$UTURN_BIN" hunt "$@" >out 2>err || status=$?
  [ $status = 2 ] && grep -qF -- "$words" err || fail "$*: exit status $status: $(cat err)"
}
refuses "--families knows 'trees', 'ruft', 'tori', 'nodes', not 'rings'" --families trees,rings
refuses "--minutes is 'soon'; expected: a number" --minutes soon
refuses "has no ut_switch.v" --rtl "$work" --shapes 2
refuses "no folder for scenarios" --write /dev/null/x
