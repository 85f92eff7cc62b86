#!/bin/bash
# mutants_slow.sh - the benches and the assertions are tested: each mutant of a module (tests/mutants.txt) must be found by the
# module's bench (tests/rtl/modules.tsv), in the way that it tells.  Every module has a mutant for its bench or for lockstep,
# where tests/cosim/checker.sh looks for it.
# Usage: tests/cosim/mutants_slow.sh [mutant...]; UTURN_BUILD is the build folder (default: build).
set -eu
cd "$(dirname "$0")/../.."
UTURN_ROOT=$PWD
. tests/cosim/blocks.bash
. tests/mutants.bash
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

files=" $(for name in $(mutants_with bench) $(mutants_with lockstep); do mutant_says "$name" file; done | tr '\n' ' ')"
for module in $(grep -v '^#' tests/rtl/modules.tsv | cut -f 1); do
  [[ $files == *" ut_$module.v "* ]] || { echo "no mutant of rtl/ut_$module.v"; exit 1; }
done

one() {
  local name=$1 expected file module bench
  expected=$(mutant_says "$name" bench)
  [ "$expected" ] || { echo "no bench is told to find mutant '$name'"; return 1; }
  file=$(mutant_says "$name" file)
  module=${file#ut_}
  bench=$(sed -n "s/^${module%.v}	//p" tests/rtl/modules.tsv)
  plant_mutant "$name" "$work/$name" || return 1
  build_bench "$bench" "$work/$name" "$work/$name.build" >"$work/$name.log" 2>&1 || {
    echo "building $bench with $name fails:"
    tail -n 20 "$work/$name.log"
    return 1
  }
  if "$work/$name.build/test" >"$work/$name.out" 2>&1; then
    echo "$name: $bench does not find it"
    return 1
  fi
  grep -Eq -- "$expected" "$work/$name.out" || {
    echo "$name: $bench does not say what was expected:"
    tail -n 5 "$work/$name.out"
    return 1
  }
  echo "$name: $(grep -E -m 1 -- "$expected" "$work/$name.out")"
  rm -rf "$work/$name" "$work/$name.build"
}

# shellcheck disable=SC2046 # names are words
if [ $# -eq 0 ]; then # those of the long bench first
  set -- preferred_ignored $(mutants_with bench | grep -vx preferred_ignored)
fi
build_common
in_pairs one "$@"
