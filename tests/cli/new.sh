#!/bin/bash
# `uturn new`: every template runs as it is and with each key that it shows, explains its keys, and says nothing else.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
run() { "$UTURN_BIN" run "$1" --cycles 50 --elaborate never >out 2>err || fail "$2: $(cat err)"; }
bare() { sed -E 's/(^| +)#.*//; /^ *$/d' "$1"; }

"$UTURN_BIN" new >list
shown=0
for template in "$UTURN_ROOT"/scenarios/templates/*.yaml; do
  name=$(basename "$template" .yaml)
  grep -q "^  $name  *[A-Za-z0-9]" list || fail "the list lacks $name"
  "$UTURN_BIN" new "$name" "$name.yaml" 2>err || fail "$name: $(cat err)"
  grep -q "uturn run $name.yaml" err || fail "$name: does not say what is next"
  [ "$(bare "$template")" = "$(bare "$name.yaml")" ] || fail "$name: the comments change the scenario"
  grep -qE "uturn (run|cosim) $name.yaml" "$name.yaml" && ! grep -q THIS.yaml "$name.yaml" || fail "$name: does not name the file"
  [ "$(wc -L <"$name.yaml")" -le 120 ] || fail "$name: a line of $(wc -L <"$name.yaml") columns"
  run "$name.yaml" "$name"
  # Each key is explained where it first stands, and each that is commented out can be used.
  for key in $(sed -nE 's/^ *#?(- )?([a-z_]+):.*/\2/p' "$template" | sort -u); do
    grep -qE "^ *#?(- )?$key:.* # [a-zA-Z0-9]" "$name.yaml" || fail "$name: $key is not explained"
  done
  while read -r number; do
    sed "${number}s/#//" "$name.yaml" >with.yaml
    ! cmp -s with.yaml "$name.yaml" || fail "$name:$number: nothing to use"
    run with.yaml "$name with line $number"
    shown=$((shown + 1))
  done < <(grep -nE '^ *#[a-z_]+:' "$name.yaml" | cut -d: -f1)
done
[ "$(grep -c '^  [a-z]' list)" = "$(ls "$UTURN_ROOT"/scenarios/templates/*.yaml | wc -l)" ] || fail "the list has others"
[ $shown -ge 20 ] || fail "only $shown keys to use"

# The text of a key is that of the table, and the algorithms are those that fit.
"$UTURN_BIN" new torus >torus
grep -q '^  depth_flits: .* # flits in the buffer of each VC; 1\.\.255; default 4$' torus || fail "$(grep depth torus)"
grep -A1 '^  algorithm:' torus | grep -q direction_order && ! grep -q reroute_ torus || fail "$(grep -A1 algorithm: torus)"

# A file that is there stays as it is.
echo mine >mine.yaml
reject "mine.yaml: is there already" "$UTURN_BIN" new torus mine.yaml
[ "$(cat mine.yaml)" = mine ] || fail "overwrites"
reject "unknown template 'torsu'|did you mean 'torus'" "$UTURN_BIN" new torsu
reject "nowhere/x.yaml: No such file" "$UTURN_BIN" new torus nowhere/x.yaml
echo "$(grep -c "^  [a-z]" list) templates, $shown keys tried"
