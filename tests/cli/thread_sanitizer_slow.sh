#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A third build, with ThreadSanitizer: no two threads touch the same byte at once, in any family with faults.
set -eu
build=$UTURN_BUILD-threads
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$build"
{ cmake -S "$UTURN_ROOT" -B "$build" -G Ninja -DUTURN_SANITIZE_THREADS=ON && ninja -C "$build" uturn test_threads; } \
  >"$build/build.log" 2>&1 || { tail -n 40 "$build/build.log" >&2; echo "thread_sanitizer: the build failed" >&2; exit 1; }
grep -q '^UTURN_SANITIZE_THREADS:BOOL=ON' "$build/CMakeCache.txt"
export TSAN_OPTIONS=exitcode=66:halt_on_error=1
"$build/test_threads"
. "$UTURN_ROOT/tests/cli/threads.scenarios.bash"
write_scenarios "$work"
for file in "$work"/*.yaml; do
  status=0
  "$build/uturn" run "$file" --cycles 800 --threads 3 --elaborate never --json >"$work/out" 2>"$work/err" || status=$?
  if [ $status != 0 ] && [ $status != 4 ]; then # 4: a deadlock is no race
    head -n 40 "$work/err" >&2
    echo "thread_sanitizer: $(basename "$file"): status $status" >&2
    exit 1
  fi
done
