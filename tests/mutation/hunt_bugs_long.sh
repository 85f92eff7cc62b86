#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# hunt_bugs_long.sh - how soon does `uturn hunt` find the bugs of tests/semantic_bugs/?  Run by hand: up to ten minutes a bug.
#
#   tests/mutation/hunt_bugs_long.sh [--minutes M] [--folder DIR] [NAME...]     M: budget of each bug, default 10; default: all bugs
#
# Each bug gets a line in DIR/results.tsv when its hunt has ended (DIR: default hunt_bugs/ in the build folder); a second call
# goes on with those that have none.  DIR/NAME.yaml is the scenario that found it, DIR/NAME.json what the hunt says.  In the end
# a table of the bugs named.  Status 1: a hunt could not be run.
# UTURN_ROOT, UTURN_BUILD and UTURN_BIN as in all tests; default: this repository and its build/.
set -eu
: "${UTURN_ROOT:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${UTURN_BUILD:=$UTURN_ROOT/build}"
: "${UTURN_BIN:=$UTURN_BUILD/uturn}"
export UTURN_ROOT UTURN_BUILD
[ -x "$UTURN_BIN" ] || { echo "hunt_bugs: $UTURN_BIN is not there: build it, or set UTURN_BIN" >&2; exit 2; }
minutes=10 folder="$UTURN_BUILD/hunt_bugs"
while [ "${1-}" = --minutes ] || [ "${1-}" = --folder ]; do
  [ $# -ge 2 ] || { echo "hunt_bugs: $1 needs a value" >&2; exit 2; }
  [ "$1" = --minutes ] && minutes=$2 || folder=$2
  shift 2
done
. "$UTURN_ROOT/tests/mutants.bash"
script="$UTURN_ROOT/tests/mutation/hunt_bugs.py"
if [ $# = 0 ]; then
  # shellcheck disable=SC2046 # names
  set -- $(semantic_bugs)
fi
for name; do
  [ -f "$UTURN_ROOT/tests/semantic_bugs/$name.patch" ] || { echo "hunt_bugs: there is no bug '$name' in tests/semantic_bugs/" >&2; exit 2; }
done
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
results="$folder/results.tsv"
touch "$results"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Models of a bug are of no use behind its hunt: each begins with what all models share, and nothing else is cached.
UTURN_CACHE="$work/shared" "$UTURN_BIN" cosim "$UTURN_ROOT/tests/scenarios/tree_2_3.yaml" --cycles 10 >"$work/err" 2>&1 ||
  { head -n 5 "$work/err" >&2; exit 1; }
export UTURN_CACHE="$work/cache"

failed=0
for name; do
  ! grep -q "^$name	" "$results" || continue
  plant_mutant "$name" "$work/rtl"
  rm -rf "$work/cache"
  cp -r "$work/shared" "$work/cache"
  status=0
  "$UTURN_BIN" hunt --rtl "$work/rtl" --minutes "$minutes" --output "$folder/$name.yaml" --json >"$folder/$name.json" \
    2>"$work/err" || status=$?
  case $status in
  0 | 3) python3 "$script" line "$name" "$(semantic_bug_says "$name" shows)" <"$folder/$name.json" | tee -a "$results" >&2 ;;
  130) exit 130 ;;
  *)
    { echo "hunt_bugs: $name: exit status $status of uturn hunt:"; head -n 5 "$work/err"; } >&2
    failed=1
    ;;
  esac
done
python3 "$script" table "$@" <"$results"
exit $failed
