#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cases.sh - commands, their inputs and what they print, as a person reads it: tests/cli/cases/*.txt.
# Usage: tests/cli/cases.sh [--write|--first] [NAME...]   all files of cases, or those named
#   --write   replaces what is expected by what is so now, on purpose; read the difference before you commit it
#   --first   leaves a file at the first command that prints something else
# In a file of cases
#   "  $ COMMAND" is run by bash in a folder of its own, with tests/ and scenarios/ in it; "  > " goes on with it;
#   "  LINE"      is what it must print: standard output, then standard error, then "[status N]" if N is not 0;
#   "  file NAME:" and lines with two more spaces before them are written to NAME, for the commands below;
#   other lines   say what it shows, and why that is right.
# Blank lines of an output are left out, and so is how long a command took.  Scenarios that other tests read, too, are in
# tests/scenarios.  tools/transcripts reads, runs and compares them, as it does transcripts of pages.
set -eu
export UTURN_ROOT=${UTURN_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
export UTURN_BIN=${UTURN_BIN:-$UTURN_ROOT/build/uturn}
cases=$UTURN_ROOT/tests/cli/cases
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Commands of cases; Graphviz gives back what it is told, as what looks like an SVG.
mkdir "$work/bin"
command_of_cases() { printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1" && chmod +x "$work/bin/$1"; }
# shellcheck disable=SC2016
command_of_cases uturn 'exec "$UTURN_BIN" "$@" </dev/null'
command_of_cases runs "exec python3 '$cases/runs.py' \"\$@\""
command_of_cases neato 'echo "<svg>"; cat; echo "</svg>"'

mode=()
case ${1-} in --write) mode=(--fix) && shift ;; --first) mode=(--first) && shift ;; esac
files=()
[ $# -gt 0 ] || set -- "$cases"/*.txt
for name; do
  name=$(basename "$name" .txt)
  [ -f "$cases/$name.txt" ] || { echo "cases.sh: there is no $cases/$name.txt" >&2; exit 2; }
  files+=("$cases/$name.txt")
done
PATH=$work/bin:$PATH "$UTURN_ROOT/tools/transcripts" "${mode[@]}" "${files[@]}" || {
  echo "cases.sh: if that is meant to be so: tests/cli/cases.sh --write, and read the difference" >&2
  exit 1
}
