#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs of single cables end in a deadlock only where prove --transitions finds a cycle, and under update: safe nowhere.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
cp "$UTURN_ROOT/scenarios/transition.anynet" .
sed '/^faults:/,/^ *-/d' "$UTURN_ROOT/scenarios/transition.yaml" >mixed.yaml
sed 's/update: mixed/update: safe/' mixed.yaml >safe.yaml
runs=$UTURN_ROOT/tests/cli/transition_runs.py

# every second of its 40 cables
expect 0 python3 "$runs" "$UTURN_BIN" mixed.yaml 0.2,0.5,0.9 20 8 20
[ "$(cat out)" = "faults transitions 20 with_cycle 5 died 1 died_without_cycle 0 runs 60
repairs transitions 20 with_cycle 5 died 2 died_without_cycle 0 runs 60" ] || fail "$(cat out)"
expect 0 python3 "$runs" "$UTURN_BIN" safe.yaml 0.9 20 8 20
[ "$(grep -c 'with_cycle 0 died 0 ' out)" = 2 ] || fail "$(cat out)"
echo "no deadlock without a cycle"
