#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# semantic_bugs.sh - each bug of tests/semantic_bugs/ applies to rtl/ as it is today, and in its shape it changes what Verilator
# elaborates, without a word of it: the list does not rot.  That lockstep sees them:
# semantic_bugs_long.sh; how soon a search finds them: hunt_bugs_long.sh.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$UTURN_ROOT/tests/mutants.bash"

# elaborated FOLDER SHAPE: the switch of that shape as Verilator has elaborated and checked it, without places in files
elaborated() {
  local set options=
  for set in $2; do options="$options -G$set"; done
  # shellcheck disable=SC2086 # options are words
  verilator --xml-only --xml-output "$1.xml" -Wall --top-module ut_switch -I"$1" $options "$1/ut_switch.v" </dev/null >&2 || return 1
  sed -n '/<netlist>/,$ { s/ loc="[^"]*"//; p; }' "$1.xml"
  rm "$1.xml"
}

# check NAME ORIGINAL: ORIGINAL has what is elaborated of its shape without a bug; prints what is wrong
check() {
  local key scenario
  for key in bug needs shows seen; do
    [ "$(semantic_bug_says "$1" $key)" ] || { echo "$1: says nothing of '$key'"; return; }
  done
  [[ $(semantic_bug_says "$1" shows) =~ ^(soon|rare)$ ]] || { echo "$1: shows neither soon nor rare"; return; }
  read -r scenario _ < <(semantic_bug_says "$1" seen)
  [ -f "$UTURN_ROOT/tests/semantic_bugs/scenarios/$scenario" ] || { echo "$1: there is no scenario $scenario"; return; }
  plant_mutant "$1" "$work/$1" 2>&1 || return 0
  if ! elaborated "$work/$1" "$(semantic_bug_says "$1" shape)" >"$work/$1.text" 2>"$work/$1.log" || [ -s "$work/$1.log" ]; then
    echo "$1: Verilator says: $(head -n 20 "$work/$1.log")"
  elif cmp -s "$work/$1.text" "$2"; then
    echo "$1: the switch of its shape, $(semantic_bug_says "$1" shape), is as it was"
  fi
  rm -rf "${work:?}/$1" "$work/$1.text"
}

# check_shapes HALF: every second shape, and its bugs; prints what is wrong
check_shapes() {
  local shape name
  cp -r "$UTURN_ROOT/rtl" "$work/rtl$1"
  awk -F '\t' -v half="$1" '$1 != before { before = $1; shapes++ } shapes % 2 == half { print $1 }' "$work/list" | uniq |
    while read -r shape; do
      elaborated "$work/rtl$1" "$shape" >"$work/original$1" 2>"$work/log$1" ||
        { echo "$shape: Verilator says: $(head -n 20 "$work/log$1")"; continue; }
      for name in $(awk -F '\t' -v shape="$shape" '$1 == shape { print $2 }' "$work/list"); do
        check "$name" "$work/original$1"
        echo "$name" >>"$work/checked$1"
      done
    done
}

names=$(semantic_bugs | sort)
for name in $names; do printf '%s\t%s\n' "$(semantic_bug_says "$name" shape)" "$name"; done | sort >"$work/list"
check_shapes 0 >"$work/said0" &
check_shapes 1 >"$work/said1"
wait
if [ -s "$work/said0" ] || [ -s "$work/said1" ]; then
  cat "$work/said0" "$work/said1" | sed 's/^/semantic_bugs: /' >&2
  exit 1
fi
[ "$(cat "$work"/checked? | sort)" = "$names" ] || { echo "semantic_bugs: not all of them were looked at" >&2; exit 1; }
rare=$(for name in $names; do semantic_bug_says "$name" shows; done | grep -c rare)
echo "$(echo "$names" | wc -l) bugs, $rare of them rare, apply and change the switch"
