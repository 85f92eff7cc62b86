#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# prove --transitions: counts, exit statuses, the drawing, a replay that ends in its deadlock; certificates, and forged
# ones that are refused.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
here=$UTURN_ROOT/scenarios/transition.yaml
# json KEY: the values of a key, of faults and of repairs
json() { sed -n "s/^ *\"$1\": \([^,]*\).*/\1/p" out | tr '\n' ' '; }
is() { [ "$(json "$1")" = "$2 " ] || fail "$1 is $(json "$1"), expected $2"; }
cp "$UTURN_ROOT/scenarios/transition.anynet" .
with() { sed "s/update: mixed/$1/" "$here" | sed '/^faults:/,/^ *-/d'; } # the scenario's own fault is transient

# every table alone is fine, and yet
expect 0 "$UTURN_BIN" prove "$here" --faults 0..1 --json
expect 4 "$UTURN_BIN" prove "$here" --faults 0..1 --transitions --json --svg cycle.svg --replay dies.yaml
is transitions "40 40"; is with_cycle "8 8"; is with_whole_cycle "7 8"; is looping "0 0"; is losing "8 27"; is safe "32 13"
grep -q '"tables": "old"' out && grep -q '"tables": "new"' out || fail "the cycle does not say old and new"
grep -q 'old table' cycle.svg || fail "nor does its drawing"
grep -q 'ends with a deadlock' err || fail "the replay shows nothing"
expect 4 "$UTURN_BIN" run dies.yaml
expect 4 "$UTURN_BIN" prove "$here" --faults 1 --transitions --certificate none
[ ! -e none ] || fail "a certificate in spite of a counter-example"

# one event: the fault, and the repair
expect 4 "$UTURN_BIN" prove "$here" --fault "link router0-router5" --transitions --show discard --json
is transitions "1 1"; grep -q '"kind": "discard"' out || fail "no packet is lost"
# nothing is wrong with the other updates
for update in two_phase safe; do
  with "update: $update" >"$update.yaml"
  expect 0 "$UTURN_BIN" prove "$update.yaml" --faults 1 --transitions --json
  is with_cycle "0 0"; is looping "0 0"; grep -q "\"update\": \"$update\"" out || fail "the update is not named"
done

# what is not supported
with 'tables: static' | sed 's!, manager_[a-z_]*: [0-9]*!!g' >static.yaml
expect 2 "$UTURN_BIN" prove static.yaml --faults 1 --transitions
grep -q 'never change' err || fail "static tables"
expect 2 "$UTURN_BIN" prove "$UTURN_ROOT/scenarios/torus_8x8x8.yaml" --transitions
expect 2 "$UTURN_BIN" prove "$here" --faults 1 --samples 3 --transitions --certificate some

# certificates
sed 's/file: transition.anynet/file: ring.anynet/' safe.yaml >ring.yaml
printf 'router %s node %s router %s\n' 0 0 1 1 1 2 2 2 3 3 3 4 4 4 5 5 5 0 >ring.anynet
expect 0 "$UTURN_BIN" prove ring.yaml --faults 1..2 --transitions --certificate ring.cert
check() { # STATUS TEXT: of forged.cert
  status=0
  "$UTURN_ROOT/tools/check_certificate" forged.cert >out 2>err || status=$?
  [ $status = "$1" ] || fail "exit status $status, expected $1: $(cat err)"
  cat out err | grep -q "$2" || fail "expected '$2', got $(cat out err)"
}
cp ring.cert forged.cert && check 0 'accepted: graph of 6 switches, 6 terminals, 102 transitions, all with links 1, 2'
awk '/^transition/ {n++} n != 5' ring.cert >forged.cert && check 1 'expected a transition'
awk '/^old/ && !done {done = 1; next} {print}' ring.cert >forged.cert && check 1 'others than before'
awk '/^old/ && / to / && !done {done = 1; $NF = $NF == 1 ? 2 : 1} {print}' ring.cert >forged.cert && check 1 refused
awk '/^write/ && !done {done = 1; next} {print}' ring.cert >forged.cert && check 1 refused
awk '/^rank/ && !done && $4 != $3 {done = 1; a = $3; $3 = $4; $4 = a} {print}' ring.cert >forged.cert && check 1 'no higher rank'
awk '/^cable/ && !done {done = 1; next} {print}' ring.cert >forged.cert && check 1 refused
grep -v '^end' ring.cert >forged.cert && check 1 'too early'
echo more >>ring.cert && cp ring.cert forged.cert && check 1 'behind the end'
echo "transitions keep their contract"
