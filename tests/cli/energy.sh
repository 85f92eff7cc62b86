#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cost --energy: what is refused before anything is synthesized.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
export UTURN_CACHE="$work/cache"
cat >small.yaml <<'S'
topology: {kind: ruft, k: 2, n: 2}
switch: {vcs: 1, depth_flits: 2, packet_flits: 2}
routing: {algorithm: ruft}
traffic: {load_flits_per_cycle: 0.1}
S
energy() { "$UTURN_BIN" cost small.yaml --energy "$@"; }
timing='timing() { related_pin : "A"; }'
gate() { printf 'cell (%s) { area : 2; pin(A) { direction : input; } %s pin(Y) { direction : output; function : "%s"; %s %s } }\n' "$1" "$2" "$3" "$timing" "${4-}"; }
library() { # library POWER
  echo 'library (tiny) { nom_voltage : 1.8;'
  gate INV '' '!A' "$1"
  gate NAND 'pin(B) { direction : input; }' '!(A B)'
  echo 'cell (DFF) { area : 9; ff (IQ, IQN) { next_state : "D"; clocked_on : "A"; } pin(A) { direction : input; clock : true; }'
  echo "pin(D) { direction : input; } pin(Q) { direction : output; function : \"IQ\"; $timing } } }"
}
library '' >no_power.lib
reject "no_power.lib|no power tables|osu018" energy --liberty no_power.lib
library 'internal_power() { related_pin : "A"; power (missing) { values ("1, 2"); } }' >bad_table.lib
reject "bad_table.lib|cell INV, pin Y|2 values" energy --liberty bad_table.lib
reject "nowhere.lib|osu018" energy --liberty nowhere.lib
reject "--energy|--network" energy --network
reject "--energy|--fpga" energy --fpga ice40
reject "--energy|--memory" energy --memory
reject "--opensta|--energy" "$UTURN_BIN" cost small.yaml --opensta
reject "--vary load|--energy" "$UTURN_BIN" cost small.yaml --vary load=0.1,0.2
reject "--vary load|much" energy --vary load=0.1,much
reject "load" energy --vary load=0.1,-1
reject "chart|.png or .svg" energy --chart chart.jpg
[ ! -e "$UTURN_CACHE" ] || fail "something was synthesized"
