#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# mutants_slow.sh - the benches and the assertions are tested: a mutant of a module (tests/mutants.txt) must be found by the
# module's bench (tests/rtl/modules.tsv), in the way that it tells.  Every module has a mutant for its bench or for lockstep,
# where tests/cosim/checker.sh looks for it.
# Usage: tests/cosim/mutants_slow.sh [--all | mutant...]; default: one mutant for each bench (tests/mutation/rtl_slow.sh draws
# others).  UTURN_BUILD is the build folder (default: build).
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

# bench_of MUTANT
bench_of() {
  local module
  module=$(mutant_says "$1" file)
  module=${module#ut_}
  sed -n "s/^${module%.v}	//p" tests/rtl/modules.tsv
}

one() {
  local name=$1 expected bench
  expected=$(mutant_says "$name" bench)
  [ "$expected" ] || { echo "no bench is told to find mutant '$name'"; return 1; }
  bench=$(bench_of "$name")
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
case "${1-}" in
--all) set -- $(mutants_with bench) ;;
'') set -- $(for name in $(mutants_with bench); do echo "$(bench_of "$name") $name"; done | sort -u -k 1,1 | cut -d ' ' -f 2) ;;
esac
build_common
in_pairs one "$@"
