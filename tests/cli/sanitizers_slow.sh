#!/bin/bash
# A second build, by clang, with AddressSanitizer and UndefinedBehaviorSanitizer: its unit tests, the start of the demo, bad input, and a
# minute of fuzzing (tests/libfuzzer).
set -eu
build=$UTURN_BUILD-sanitize
mkdir -p "$build"
log=$build/sanitize.log
export ASAN_OPTIONS=abort_on_error=0:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
{ CC=clang cmake -S "$UTURN_ROOT" -B "$build" -G Ninja -DUTURN_SANITIZE=ON -DUTURN_FUZZ=ON && ninja -C "$build"; } >"$log" 2>&1 ||
  { tail -n 40 "$log" >&2; echo "sanitizers: the build failed" >&2; exit 1; }
grep -q '^UTURN_SANITIZE:BOOL=ON' "$build/CMakeCache.txt"
ctest --test-dir "$build" -L unit --no-tests=error --output-on-failure >"$log" 2>&1 || { tail -n 60 "$log" >&2; exit 1; }
"$build/uturn" run "$UTURN_ROOT/scenarios/demo.yaml" --cycles 3000 --json >"$build/run.json"
grep -q '"cycles": 3000,' "$build/run.json"
UTURN_BIN=$build/uturn "$UTURN_ROOT/tests/cli/bad_input.sh"
UTURN_FUZZ_SEED=1 "$UTURN_ROOT/tests/libfuzzer/run" 7 # others: by hand, for longer
