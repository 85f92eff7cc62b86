# SPDX-License-Identifier: Apache-2.0
# add_a_policy.bash - part of worked_examples_slow.sh, for docs/howto/add_a_policy.md: the policy lints, runs by the spec in lockstep
# with the RTL, then by the model.

for vcs in 1 2 5; do
  verilator --lint-only -Wall --top-module ut_switch -Irtl -GV=$vcs -GARBITRATION=4 rtl/ut_switch.v >"$work/log" 2>&1 && [ ! -s "$work/log" ] ||
    { cat "$work/log" >&2; fail "lint with $vcs VCs"; }
done

# The model does not know it: the spec runs, is told of, and equals the RTL; nothing can be checked against it.
scenario=scenarios/fullest_first.yaml
by_spec="uturn: the model does not know this 'switch.arbitration' yet: the spec ran in its place, which is slower"
"$UTURN_BIN" cosim $scenario --json >"$work/json" 2>"$work/log" || { cat "$work/log" >&2; fail "cosim: exit status $?"; }
grep -q '"mismatches": 0,' "$work/json" || { cat "$work/json" >&2; fail "mismatches"; }
grep -qxF "$by_spec" "$work/log" || fail "cosim does not say that the spec runs: $(cat "$work/log")"
grep -qxF "$by_spec" "$page" || fail "the page does not say: $by_spec"
"$UTURN_BIN" run $scenario --packets "$work/spec.csv" --elaborate always >/dev/null 2>"$work/log" || { cat "$work/log" >&2; fail "run: exit status $?"; }
[ "$(cat "$work/log")" = "$by_spec" ] || fail "run says: $(cat "$work/log"), expected: $by_spec"
status=0
"$UTURN_BIN" run $scenario --check spec >/dev/null 2>"$work/log" || status=$?
[ $status = 2 ] && grep -q "the spec runs in its place" "$work/log" || fail "--check spec: exit status $status: $(cat "$work/log")"
status=0
"$UTURN_BIN" prove $scenario >/dev/null 2>"$work/log" || status=$?
[ $status = 2 ] && grep -q "switch.arbitration.*starve" "$work/log" || fail "prove: exit status $status: $(cat "$work/log")"
status=0
"$UTURN_BIN" cosim $scenario --inject 200:0.5:in1.vc0.state_q:0 >"$work/log" 2>&1 || status=$?
[ $status = 3 ] && grep -q "spec expected" "$work/log" || fail "a flipped bit: exit status $status: $(cat "$work/log")"

# It does something.
sed 's/, arbitration: fullest_first//' $scenario >without.yaml
"$UTURN_BIN" run without.yaml --packets "$work/without.csv" >/dev/null
! cmp -s "$work/spec.csv" "$work/without.csv" || fail "the policy makes no difference"

# The model knows it, and is the spec; one that does not obey is found.
sed -i '/	fullest_first	/s/	no	/	yes	/' rtl/policies.tsv
tools/generate 2>/dev/null
ninja -C build uturn >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the model is not built"; }
"$UTURN_BIN" run $scenario --packets "$work/model.csv" --check spec >/dev/null 2>"$work/log" || { cat "$work/log" >&2; fail "model and spec: exit status $?"; }
[ ! -s "$work/log" ] || fail "run with the model says: $(cat "$work/log")"
diff "$work/spec.csv" "$work/model.csv" >&2 || fail "packets of the spec (<) and of the model (>) differ"
sed -i 's/return ut_count(work, n, form)/return ut_count(work, n, form) > 1/' csim/switch/policy_fullest_first.h
ninja -C build uturn >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "not built with a mistake"; }
status=0
"$UTURN_BIN" run $scenario --check spec >/dev/null 2>"$work/log" || status=$?
[ $status = 3 ] || fail "a model with another rank: exit status $status, expected 3"
echo "the example is a policy like all others"
