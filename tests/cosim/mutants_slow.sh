#!/bin/bash
# mutants_slow.sh - the benches and the assertions are tested: each mutant of a module (tests/mutants/blocks) must be found by the
# module's bench (tests/rtl/modules.tsv), in the way that it tells.  Every module has a mutant, here or in tests/mutants,
# where tests/cosim/checker.sh looks for them in lockstep.
# Usage: tests/cosim/mutants_slow.sh [mutant...]; UTURN_BUILD is the build folder (default: build).
set -eu
cd "$(dirname "$0")/../.."
. tests/cosim/blocks.bash
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What `key` says at the top of a mutant.
says() { sed -n "s/^# $2: //p" "$1"; }

for module in $(grep -v '^#' tests/rtl/modules.tsv | cut -f 1); do
  grep -q "^# file: ut_$module.v" tests/mutants/*.sed tests/mutants/blocks/*.sed || { echo "no mutant of rtl/ut_$module.v"; exit 1; }
done

one() {
  local name=$1 mutant=tests/mutants/blocks/$1.sed file module bench
  file=$(says "$mutant" file)
  module=${file#ut_}
  bench=$(sed -n "s/^${module%.v}	//p" tests/rtl/modules.tsv)
  cp -r rtl "$work/$name"
  sed -f "$mutant" "rtl/$file" >"$work/$name/$file"
  ! cmp -s "rtl/$file" "$work/$name/$file" || { echo "$name does not change rtl/$file"; return 1; }
  build_bench "$bench" "$work/$name" "$work/$name.build" >"$work/$name.log" 2>&1 || {
    echo "building $bench with $name fails:"
    tail -n 20 "$work/$name.log"
    return 1
  }
  if "$work/$name.build/test" >"$work/$name.out" 2>&1; then
    echo "$name: $bench does not find it"
    return 1
  fi
  grep -Eq -- "$(says "$mutant" expect)" "$work/$name.out" || {
    echo "$name: $bench does not say what was expected:"
    tail -n 5 "$work/$name.out"
    return 1
  }
  echo "$name: $(grep -E -m 1 -- "$(says "$mutant" expect)" "$work/$name.out")"
  rm -rf "$work/$name" "$work/$name.build"
}

# shellcheck disable=SC2046 # names are words
if [ $# -eq 0 ]; then # those of the long bench first
  set -- preferred_ignored $(cd tests/mutants/blocks && ls | sed 's/\.sed$//' | grep -vx preferred_ignored)
fi
build_common
in_pairs one "$@"
