#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `uturn new`: every template runs as it is and with each key that it shows, explains its keys, and says nothing else.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
bare() { sed -E 's/(^| +)#.*//; /^ *$/d' "$1"; }
# As it is used, but short.  Of a sweep all points are checked.
try_run() { "$UTURN_BIN" run "$1" --cycles 50 --elaborate never >out 2>err || fail "$2: $(cat err)"; }
try_sweep() { "$UTURN_BIN" sweep "$1" --check >out 2>err || fail "$2: $(cat err)"; }

"$UTURN_BIN" new >list
shown=0
check() { # FOLDER COMMAND
  for template in "$UTURN_ROOT/$1"/*.yaml; do
    name=$(basename "$template" .yaml)
    grep -q "^  $name  *[A-Za-z0-9]" list || fail "the list lacks $name"
    "$UTURN_BIN" new "$name" "$name.yaml" 2>err || fail "$name: $(cat err)"
    grep -q "uturn $2 $name.yaml" err || fail "$name: does not say what is next"
    [ "$(bare "$template")" = "$(bare "$name.yaml")" ] || fail "$name: the comments change the file"
    grep -qE "uturn (run|cosim|sweep) $name.yaml" "$name.yaml" && ! grep -q THIS.yaml "$name.yaml" || fail "$name: does not name the file"
    [ "$(wc -L <"$name.yaml")" -le 120 ] || fail "$name: a line of $(wc -L <"$name.yaml") columns"
    "try_$2" "$name.yaml" "$name"
    # Each key is explained where it first stands, and each that is commented out can be used.
    for key in $(sed -nE 's/^ *#?(- )?([a-z_]+):.*/\2/p' "$template" | sort -u); do
      grep -qE "^ *#?(- )?$key:.* # [a-zA-Z0-9]" "$name.yaml" || fail "$name: $key is not explained"
    done
    while read -r number; do
      sed "${number}s/#//" "$name.yaml" >with.yaml
      ! cmp -s with.yaml "$name.yaml" || fail "$name:$number: nothing to use"
      "try_$2" with.yaml "$name with line $number"
      shown=$((shown + 1))
    done < <(grep -nE '^ *#[a-z_]+:' "$name.yaml" | cut -d: -f1)
  done
}
check scenarios/templates run
check experiments/templates sweep
[ "$(grep -c '^  [a-z]' list)" = "$(ls "$UTURN_ROOT"/{scenarios,experiments}/templates/*.yaml | wc -l)" ] || fail "the list has others"
[ $shown -ge 35 ] || fail "only $shown keys to use"

# Sweeps give what they say, here with short runs, two of each.
for template in "$UTURN_ROOT"/experiments/templates/*.yaml; do
  name=$(basename "$template" .yaml)
  sed -E '/^  (least|most|until):/d; /^    (result|within_percent|#confidence):/d; s/^repeat:.*/repeat: 2/; s/precision: .*/precision: 0.2/
    s/(warmup|measure)_cycles: .*/\1_cycles: 40/' "$name.yaml" >short.yaml
  "$UTURN_BIN" sweep short.yaml --results "$name.sqlite" >out 2>err || fail "$name: $(cat err)"
  points=$("$UTURN_BIN" sweep short.yaml --check | grep -oE '[0-9]+ points') || fail "$name: $("$UTURN_BIN" sweep short.yaml --check)"
  [ "$(wc -l <out)" = $((${points% points} + 1)) ] || fail "$name: $points, but: $(cat out)"
done

# The text of a key is that of the table, and the algorithms are those that fit.
"$UTURN_BIN" new torus >torus
grep -q '^  depth_flits: .* # flits in the buffer of each VC; 1\.\.255; default 4$' torus || fail "$(grep depth torus)"
grep -A1 '^  algorithm:' torus | grep -q direction_order && ! grep -q reroute_ torus || fail "$(grep -A1 algorithm: torus)"
# In a sweep, keys of the same name are those of the sweep, and of the scenario below its base.
"$UTURN_BIN" new saturation >saturation
grep -q '^    depth_flits: .* # flits in the buffer of each VC; 1\.\.255; default 4$' saturation || fail "$(grep depth saturation)"
grep -q '^  run: .* # how long, and what is measured$' saturation || fail "$(grep run: saturation)"
"$UTURN_BIN" new latency_load | grep -q '^#run: run .* # the command; run, cosim, .*; default run$' || fail "run of a sweep"

# A file that is there stays as it is.
echo mine >mine.yaml
reject "mine.yaml: is there already" "$UTURN_BIN" new torus mine.yaml
[ "$(cat mine.yaml)" = mine ] || fail "overwrites"
reject "unknown template 'torsu'|did you mean 'torus'" "$UTURN_BIN" new torsu
reject "unknown template 'saturatoin'|did you mean 'saturation'" "$UTURN_BIN" new saturatoin
reject "nowhere/x.yaml: cannot be written: No such file" "$UTURN_BIN" new torus nowhere/x.yaml
echo "$(grep -c "^  [a-z]" list) templates, $shown keys tried"
