#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --help, -h and help of every command exit with 0 and explain on standard output, in the same words, in columns; --version, -V.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "help: $*" >&2; exit 1; }

"$UTURN_BIN" --help >"$work/out" 2>"$work/err" || fail "--help: exit status $?"
[ ! -s "$work/err" ] || fail "--help writes to standard error"
for command in cosim coverage faults run new schema wave trace net route prove tolerance cost bench validate test man completion; do
  grep -q "^  $command " "$work/out" || fail "--help does not name $command"
  "$UTURN_BIN" $command --help >"$work/$command" 2>"$work/err" || fail "$command --help: exit status $?"
  grep -q "^Usage: .*$command" "$work/$command" || fail "$command --help does not show its usage"
  [ ! -s "$work/err" ] || fail "$command --help writes to standard error"
  for words in "$command -h" "help $command" "$command -?"; do
    "$UTURN_BIN" $words | cmp -s - "$work/$command" || fail "$words is not what $command --help prints"
  done
  "$UTURN_BIN" $command -V | cmp -s - <("$UTURN_BIN" --version) || fail "$command -V: $("$UTURN_BIN" $command -V 2>&1)"
  ! grep -nE '^.{80}|^ {7,28}[^ ]|^ {30}' "$work/$command" || fail "$command --help: not in columns"
  grep -qE '^  -q, --quiet {16}[a-z]' "$work/$command" || fail "$command --help does not name --quiet"
done
grep -q 'exit status: 0 .*1 .*2 .*3 .*4 .*130' "$work/out" || fail "--help does not list the exit statuses"
for option in json seed cycles load wave wave-window wave-switches rtl inject histogram packets timeline every; do
  grep -q -- "--$option" "$work/cosim" || fail "cosim --help does not name --$option"
done
for option in json seed cycles load rtl file missing verbose html lines threads; do
  grep -q -- "--$option" "$work/coverage" || fail "coverage --help does not name --$option"
done
for option in json seed cycles load histogram packets timeline every compare seeds; do
  grep -q -- "--$option" "$work/run" || fail "run --help does not name --$option"
done
for option in faults switch-faults node-faults blocks dateline total exhaustive samples seed json svg replay show workers; do
  grep -q -- "--$option" "$work/prove" || fail "prove --help does not name --$option"
done
for option in packet svg json seed cycles load; do
  grep -q -- "--$option" "$work/trace" || fail "trace --help does not name --$option"
done
for option in svg loads at json seed cycles load; do
  grep -q -- "--$option" "$work/net" || fail "net --help does not name --$option"
done
for option in faults exhaustive samples links directed switch-faults switch-levels seed json workers; do
  grep -q -- "--$option" "$work/tolerance" || fail "tolerance --help does not name --$option"
done
for option in json liberty fpga compare memory vary chart rtl; do
  grep -q -- "--$option" "$work/cost" || fail "cost --help does not name --$option"
done
for option in json only quick all booksim lanes from against slower write; do
  grep -q -- "--$option" "$work/bench" || fail "bench --help does not name --$option"
done
for option in booksim only loads theirs json write pictures; do
  grep -q -- "--$option" "$work/validate" || fail "validate --help does not name --$option"
done
"$UTURN_BIN" --version | grep -Eq '^uturn [0-9]+\.[0-9]+\.[0-9]+$' || fail "--version"
