# SPDX-License-Identifier: Apache-2.0
# add_a_scenario_key.bash - part of worked_examples_slow.sh, for docs/howto/add_a_scenario_key.md: the key is known to every command,
# and all three texts of the switch obey it.

# The lines of the second kind of key are those of the sources.
for file in scenario_schema.c scenario_keys.c; do
  line=$(sed -n "s/^| \`csim\/scenario\/$file\` | \`\(.*\)\` |\$/\1/p" "$page")
  [ -n "$line" ] && grep -qF -- "$line" "$UTURN_ROOT/csim/scenario/$file" || fail "csim/scenario/$file has no line '$line'"
done

# The key is known, and so are its mistakes.
scenario=scenarios/fixed_pointer.yaml
refused $scenario "did you mean 'route_pointer'?" 's/route_pointer/route_ponter/'
refused $scenario "did you mean 'fixed'?" 's/fixed/fixd/'

# RTL, golden model and spec agree in it; and it does something.
"$UTURN_BIN" cosim $scenario --json >"$work/fixed" 2>"$work/log" || { cat "$work/log" >&2; fail "cosim: exit status $?"; }
grep -q '"mismatches": 0,' "$work/fixed" || { cat "$work/fixed" >&2; fail "mismatches"; }
sed 's/, route_pointer: fixed//' $scenario >moving.yaml
"$UTURN_BIN" run moving.yaml --packets "$work/moving.csv" >/dev/null
"$UTURN_BIN" run $scenario --packets "$work/fixed.csv" >/dev/null
! cmp -s "$work/moving.csv" "$work/fixed.csv" || fail "the pointer makes no difference"
for test in test_spec test_scenario_write; do
  "build/$test" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; fail "$test"; }
done

# A golden model that does not obey is found.
sed -i 's/if (!form.fixed_pointer)/if (true)/' csim/switch/input_unit.h
ninja -C build test_spec >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "not built without the line"; }
! build/test_spec >"$work/log" 2>&1 || fail "a model whose pointer always moves is not found"
echo "the example is a key like all others"
