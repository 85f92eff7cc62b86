#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The same command twice at the same time, with the same files and the same cache: what stands there in the end is all of what one of them
# wrote, and each of them ends well, or says that the other one is at work.
#
#   tests/cli/two_at_once_slow.sh [ROUNDS]     default 4
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/hostile.bash
. "$UTURN_ROOT/tests/cli/hostile.bash"
rounds=${1:-4} pairs=0
uturn=$UTURN_BIN
scenarios
# both BUSY COMMAND...: runs it twice; BUSY: what one of them may say instead, with status 2
both() {
  local busy=$1 first=0 second=0
  shift
  "$@" >out.1 2>err.1 </dev/null &
  "$@" >out.2 2>err.2 </dev/null || second=$?
  wait $! || first=$?
  for i in 1 2; do
    local status=$first
    [ $i = 1 ] || status=$second
    case $status in
    0 | 4) ;;
    2) [ -n "$busy" ] && grep -q "$busy" err.$i || fail "$*: status 2: $(cat err.$i)" ;;
    *) fail "$*: status $status: $(cat err.$i)" ;;
    esac
  done
  [ $first != 2 ] || [ $second != 2 ] || fail "$*: both have failed: $(cat err.1)"
  pairs=$((pairs + 1))
}
# twice "FILES" BUSY COMMAND...
twice() {
  local files=$1 busy=$2 file
  shift 2
  "$@" >out 2>err </dev/null || [ $? = 4 ] || fail "$*: $(cat err)"
  for file in $files; do plain "$file" >"whole.$file"; done
  for ((round = 0; round < rounds; round++)); do
    rm -f $files
    both "$busy" "$@"
    for file in $files; do
      plain "$file" >found
      cmp -s found "whole.$file" || fail "$*, twice: another $file"
    done
  done
  [ -z "$(find . -name '*.part')" ] || fail "$*: left behind: $(find . -name '*.part')"
}
twice "p.csv h.csv t.json" "" "$uturn" run planned.yaml --packets p.csv --histogram h.csv --timeline t.json --every 100
twice "my.yaml" "is there already" "$uturn" new torus my.yaml
twice "net.svg" "" "$uturn" net brief.yaml --svg net.svg
twice "good.cert" "" "$uturn" prove good.yaml --certificate good.cert
twice "replay.yaml" "" "$uturn" prove cycle.yaml --replay replay.yaml
twice "page.html" "" "$uturn" report page.html brief.yaml
cp "$UTURN_ROOT/docs/reference/scenario.md" page.md
both "" "$uturn" schema --write page.md
cmp -s page.md "$UTURN_ROOT/docs/reference/scenario.md" || fail "schema --write, twice: another page"

# databases: one of the two waits or says so, and then everything is there
"$uturn" sweep sweep.yaml >wanted 2>err
"$uturn" plot sweep.yaml -o curve.svg >/dev/null
for ((round = 0; round < rounds; round++)); do
  rm -f sweep.sqlite*
  both "another sweep is writing" "$uturn" sweep sweep.yaml
  "$uturn" sweep sweep.yaml --read >found
  cmp -s found wanted || fail "sweep, twice: other results"
  rm -f sweep.sqlite*
  both "another sweep is writing" "$uturn" plot sweep.yaml -o curve.svg
  grep -q '</svg>' curve.svg || fail "plot, twice: no picture"
done

# caches: one builds, the other one waits for it
export UTURN_CACHE=$work/cache
"$uturn" run brief.yaml --json --elaborate never | grep -v '"wall_s"\|per_s' >wanted
for ((round = 0; round < 2; round++)); do
  rm -rf cache
  both "" "$uturn" run brief.yaml --json --elaborate always
  for i in 1 2; do grep -v '"wall_s"\|per_s' out.$i | cmp -s - wanted || fail "run --elaborate, twice: other results"; done
  [ "$(find cache -name complete | wc -l)" = 1 ] && [ -z "$(find cache -name '*.tmp')" ] || fail "run --elaborate, twice: $(find cache)"
done
both "" "$uturn" cosim brief.yaml --json
for i in 1 2; do grep -q '"mismatches": 0' out.$i || fail "cosim, twice: $(cat out.$i)"; done
echo "two_at_once: $pairs pairs"
