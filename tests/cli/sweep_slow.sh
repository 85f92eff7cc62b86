#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# uturn sweep: 2,000 runs, killed 100 times with SIGKILL at random moments, have the rows of an undisturbed sweep, none
# twice; and what a sweep costs more than its runs.
set -eu
name=sweep_slow
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$UTURN_ROOT/tests/cli/sweep.common.bash"

small "$work/k.yaml" 50 20
"$UTURN_BIN" sweep "$work/k.yaml" --results "$work/whole.sqlite" >"$work/out"
sound "$work/whole.sqlite" 2000
kill_often "$work/k.yaml" "$work/killed.sqlite" 100 1000
left=$((2000 - $(sql "$work/killed.sqlite" 'SELECT count(*) FROM runs')))
"$UTURN_BIN" sweep "$work/k.yaml" --results "$work/killed.sqlite" >"$work/out"
sound "$work/killed.sqlite" 2000
same "$work/whole.sqlite" "$work/killed.sqlite" "after kills"
echo "sweep_slow: 2,000 rows after 100 kills, which left $left to make"
