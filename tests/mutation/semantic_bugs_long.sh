#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# semantic_bugs_long.sh - none of the bugs of tests/semantic_bugs/ is equivalent: in the scenario that it names lockstep ends with
# status 3, at the register that it names.  Run by hand: a model of the RTL each, some 15 minutes in all.
#
#   tests/mutation/semantic_bugs_long.sh [NAME...]     default: all bugs
#
# UTURN_ROOT, UTURN_BUILD and UTURN_BIN as in all tests; default: this repository and its build/.
set -eu
: "${UTURN_ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${UTURN_BUILD:=$UTURN_ROOT/build}"
: "${UTURN_BIN:=$UTURN_BUILD/uturn}"
export UTURN_ROOT UTURN_BUILD
. "$UTURN_ROOT/tests/mutants.bash"
[ -x "$UTURN_BIN" ] || { echo "semantic_bugs: $UTURN_BIN is not there: build it, or set UTURN_BIN" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
export UTURN_CACHE="$work/cache"
if [ $# = 0 ]; then
  # shellcheck disable=SC2046 # names
  set -- $(semantic_bugs)
fi

missed=0
for name; do
  [ -f "$UTURN_ROOT/tests/semantic_bugs/$name.patch" ] || { echo "semantic_bugs: there is no bug '$name'" >&2; exit 2; }
  read -r scenario register < <(semantic_bug_says "$name" seen)
  plant_mutant "$name" "$work/rtl"
  status=0
  "$UTURN_BIN" cosim "$UTURN_ROOT/tests/semantic_bugs/scenarios/$scenario" --rtl "$work/rtl" >"$work/out" 2>"$work/err" || status=$?
  place=$(grep -m1 -E '^cycle [0-9]+: switch ' "$work/out" | cut -d: -f1,2)
  if [ $status = 3 ] && [[ $place =~ [.\ ]$register(\[|$) ]]; then
    echo "$name: $place"
  else
    echo "$name: $scenario: status $status, ${place:-no mismatch}; expected status 3, at $register" >&2
    head -n 5 "$work/err" >&2
    missed=$((missed + 1))
  fi
done
echo "$(($# - missed)) of $# bugs are seen in lockstep"
[ $missed = 0 ]
