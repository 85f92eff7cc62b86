#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# upsets: what is refused before anything is synthesized.  What it does: upsets_slow.sh, tests/tb/test_upsets.c.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
export UTURN_CACHE="$work/cache"
cp "$UTURN_ROOT/scenarios/gate_4ary2tree.yaml" small.yaml
upsets() { "$UTURN_BIN" upsets small.yaml "$@"; }
reject "--count|at least 1" upsets --count 0
reject "--count 10000001|10000000" upsets --count 10000001
reject "--workers|at least 1" upsets --workers 0
reject "--list|left.txt|.csv|.json" upsets --list left.txt
reject "nowhere/left.csv" upsets --list nowhere/left.csv
reject "nowhere.lib|osu018" upsets --liberty nowhere.lib
reject "nowhere" upsets --rtl nowhere
sed -i 's/uniform, load_flits_per_cycle: 0.4/all_to_all, message_bytes: 64/; s/warmup_cycles: 500, //' small.yaml
reject "small.yaml|traffic.pattern|uniform" upsets
cp "$UTURN_ROOT/scenarios/gate_4ary2tree.yaml" small.yaml
sed -i 's/reroute_adaptive_link/table/' small.yaml
reject "small.yaml|routing.algorithm|written through the configuration port" upsets
sed 's/n: 2/n: 5/' "$UTURN_ROOT/scenarios/gate_4ary2tree.yaml" >small.yaml
reject "small.yaml|512 switches|1280" upsets
[ ! -e "$UTURN_CACHE" ] || [ -z "$(find "$UTURN_CACHE" -name '*.v')" ] || fail "something was synthesized"
