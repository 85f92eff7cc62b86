#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every command that writes files, killed with SIGKILL at random moments: under a file's name stands what stood there, or all of
# the new file, never half of it; and the next call gives what an undisturbed one gives.  Databases: sweep.sh, sweep_slow.sh.
#
#   tests/cli/kills_slow.sh [KILLS]      of each command, default 5; 200 take about an hour
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
. "$UTURN_ROOT/tests/cli/hostile.bash"
kills=${1:-5}
uturn=$UTURN_BIN
total=0 inside=0

scenarios
sed 's/until: 180/until: 900/; s/measure_cycles: 200/measure_cycles: 2000/' brief.yaml >net.yaml
"$uturn" sweep sweep.yaml >/dev/null
cp "$UTURN_ROOT/docs/reference/scenario.md" page.md
sed '/^| `/d' page.md >old.page.md

# The file is what stood there before, or what an undisturbed call writes.
whole() { # FILE WHAT
  if [ -e "old.$1" ]; then
    ! cmp -s "old.$1" "$1" || return 0
  elif [ ! -e "$1" ]; then
    return 0
  fi
  plain "$1" >found
  cmp -s found "whole.$1" || fail "$2: $1 is neither the old file nor the new one: $(wc -c <"$1") bytes"
  inside=$((inside + 1))
}
# killed "FILES" COMMAND...: FILES are written; those for which there is an old.FILE stood there before.
killed() {
  local files=$1 file i pid began ms
  shift
  began=$(date +%s%N)
  "$@" >out 2>err || [ $? = 4 ] || fail "$*: $(cat err)"
  ms=$((($(date +%s%N) - began) / 1000000 + 2))
  for file in $files; do
    [ -s "$file" ] || fail "$*: writes no $file"
    plain "$file" >"whole.$file"
  done
  for ((i = 0; i < kills; i++)); do
    for file in $files; do
      if [ -e "old.$file" ]; then cp "old.$file" "$file"; else rm -f "$file"; fi
    done
    setsid "$@" >out 2>err </dev/null &
    pid=$!
    sleep "$(awk -v ms=$((RANDOM % ms)) 'BEGIN { printf "%.3f", ms / 1000 }')"
    kill -9 -- "-$pid" 2>/dev/null || true
    wait $pid 2>/dev/null || true
    total=$((total + 1))
    for file in $files; do whole "$file" "$*, killed"; done
  done
  for file in $files; do [ -e "old.$file" ] || rm -f "$file"; done # `new` replaces nothing
  "$@" >out 2>err || [ $? = 4 ] || fail "$* after kills: $(cat err)"
  for file in $files; do
    plain "$file" >found
    cmp -s found "whole.$file" || fail "$* after kills: another $file"
  done
}

killed "p.csv h.csv t.json" "$uturn" run net.yaml --packets p.csv --histogram h.csv --timeline t.json --every 100
killed "my.yaml" "$uturn" new torus my.yaml
killed "page.md" "$uturn" schema --write page.md
killed "net.svg" "$uturn" net brief.yaml --svg net.svg
killed "trace.svg" "$uturn" trace brief.yaml --packet 0:0 --svg trace.svg
killed "cycle.svg replay.yaml" "$uturn" prove cycle.yaml --svg cycle.svg --replay replay.yaml
killed "curve.svg" "$uturn" plot sweep.yaml -o curve.svg
killed "page.html" "$uturn" report page.html brief.yaml sweep.sqlite
killed "dump.fst" "$uturn" cosim brief.yaml --wave dump.fst

# The golden model compiled for a shape: half a compilation is never used.
export UTURN_CACHE=$work/cache
"$uturn" run net.yaml --elaborate never --json | grep -v '"wall_s"\|per_s"' >expected.json
for ((i = 0; i < 6; i++)); do
  setsid "$uturn" run net.yaml --elaborate always >/dev/null 2>&1 </dev/null &
  pid=$!
  sleep "$((RANDOM % 3)).$((RANDOM % 10))"
  kill -9 -- "-$pid" 2>/dev/null || true
  wait $pid 2>/dev/null || true
  total=$((total + 1))
done
"$uturn" run net.yaml --elaborate always --json | grep -v '"wall_s"\|per_s"' >found.json
cmp -s expected.json found.json || fail "after kills of a compilation: $(diff expected.json found.json | head -5)"
echo "kills: $total kills; $inside files were complete, the others what stood there before"
