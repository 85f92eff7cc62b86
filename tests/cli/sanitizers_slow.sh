#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A second build, by clang, with AddressSanitizer and UndefinedBehaviorSanitizer: its unit tests, each family with faults, bad input,
# and some seconds of fuzzing (tests/libfuzzer).
#
#   tests/cli/sanitizers_slow.sh [--all]     --all: also unit tests that take more than 25 s there
set -eu
long='test_(channels|detour|elaborate|every_mistake|header_stack|journey|literal|model_cache|plan|replay|ruft|table|tolerance|topology|traffic_seen|tree_symmetry|upsets|walks|zero_load)$'
[ "${1-}" != --all ] || long='^$'
build=$UTURN_BUILD-sanitize
mkdir -p "$build"
log=$build/sanitize.log
export ASAN_OPTIONS=abort_on_error=0:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
{ CC=clang cmake -S "$UTURN_ROOT" -B "$build" -G Ninja -DUTURN_SANITIZE=ON -DUTURN_FUZZ=ON && ninja -C "$build"; } >"$log" 2>&1 ||
  { tail -n 40 "$log" >&2; echo "sanitizers: the build failed" >&2; exit 1; }
grep -q '^UTURN_SANITIZE:BOOL=ON' "$build/CMakeCache.txt"
ctest --test-dir "$build" -L unit -E "$long" -j 2 --no-tests=error --output-on-failure >"$log" 2>&1 || { tail -n 60 "$log" >&2; exit 1; }
. "$UTURN_ROOT/tests/cli/threads.scenarios.bash"
mkdir -p "$build/scenarios"
write_scenarios "$build/scenarios"
for file in "$build/scenarios"/*.yaml; do
  status=0
  "$build/uturn" run "$file" --cycles 800 --elaborate never --json >"$build/run.json" 2>"$log" || status=$?
  case $status in
  0 | 4) ;; # 4: a deadlock
  *) cat "$log" >&2; echo "sanitizers: $(basename "$file"): status $status" >&2; exit 1 ;;
  esac
done
UTURN_BIN=$build/uturn "$UTURN_ROOT/tests/cli/bad_input.sh"
UTURN_FUZZ_SEED=1 "$UTURN_ROOT/tests/libfuzzer/run" 4 # others: by hand, for longer
