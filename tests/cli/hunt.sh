#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
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

# What it adds up, as text and JSON, is the sum over the scenarios that it writes down, each of them run alone.
hunt_nodes=(--families nodes --shapes 2 --each 3 --seed 3 --jobs 1)
"$UTURN_BIN" hunt "${hunt_nodes[@]}" --write nodes
for scenario in nodes/*.yaml; do "$UTURN_BIN" run "$scenario" --json >"$scenario.json" || [ $? = 4 ]; done
"$UTURN_BIN" hunt "${hunt_nodes[@]}" --golden model >text
"$UTURN_BIN" hunt "${hunt_nodes[@]}" --golden model --json >sums.json
python3 - <<'PYTHON' || fail "the sums of a hunt: $(cat text sums.json)"
import glob, json, re
runs = [json.load(open(path)) for path in glob.glob("nodes/*.json")]
said, text = json.load(open("sums.json")), open("text").read()
lost = {reason: sum(run["discarded_packets"][reason] for run in runs) for reason in runs[0]["discarded_packets"]}
wanted = {key: sum(run[key] for run in runs) for key in ("cycles", "switch_cycles", "delivered_packets", "u_turns")}
wanted.update(scenarios=len(runs), discarded_packets=sum(lost.values()), deadlocks=sum(run["deadlock"] for run in runs))
for key, sum_of_runs in wanted.items():
    assert said[key] == sum_of_runs, f"{key} is {said[key]}, expected {sum_of_runs}"
words = {f"{reason}": number for reason, number in lost.items()}
words.update({"scenarios of": len(runs), "delivered": wanted["delivered_packets"], "switch-cycles": wanted["switch_cycles"], "U-turns": wanted["u_turns"]})
for word, number in words.items():
    assert re.search(rf"\b{number} {word}\b", text), f"the text does not say {number} {word}"
assert all(lost.values()), f"one of {lost} is 0: the scenarios test nothing"
PYTHON

refuses() { # WORDS ARGUMENT...
  local words=$1 status=0
  shift
  "$UTURN_BIN" hunt "$@" >out 2>err || status=$?
  [ $status = 2 ] && grep -qF -- "$words" err || fail "$*: exit status $status: $(cat err)"
}
refuses "--families knows 'trees', 'ruft', 'tori', 'nodes', 'graphs', not 'rings'" --families trees,rings
refuses "--minutes wants a number above 0, as in 10 or 1e9, not 'soon'" --minutes soon
refuses "has no ut_switch.v" --rtl "$work" --shapes 2
refuses "no folder for scenarios" --write /dev/null/x
