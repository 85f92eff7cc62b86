#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# faults: what is refused before anything is synthesized.  What it does: faults_slow.sh, tests/stuck/test_stuck.c.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
export UTURN_CACHE="$work/cache"
cp "$UTURN_ROOT/scenarios/gate_4ary2tree.yaml" small.yaml
faults() { "$UTURN_BIN" faults small.yaml "$@"; }
reject "--switch|9.0|LEVEL.INDEX" faults --switch 9.0
reject "--switch|first|LEVEL.INDEX" faults --switch first
reject "--sample|at least 1" faults --sample 0
reject "--conflicts|at least 1" faults --prove --conflicts 0
reject "--conflicts|at most" faults --prove --conflicts 1000001
reject "--conflicts is for --prove" faults --conflicts 10
reject "nowhere.yaml" faults nowhere.yaml
reject "64 scenarios" faults $(seq 64)
reject "--list|left.txt|.csv|.json" faults --list left.txt
reject "nowhere/left.csv" faults --list nowhere/left.csv
reject "nowhere.lib|osu018" faults --liberty nowhere.lib
reject "nowhere" faults --rtl nowhere
[ ! -e "$UTURN_CACHE" ] || [ -z "$(find "$UTURN_CACHE" -name '*.v')" ] || fail "something was synthesized"
