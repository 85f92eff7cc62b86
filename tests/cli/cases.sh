#!/bin/bash
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
# tests/scenarios.
set -eu
export LC_ALL=C.UTF-8
export UTURN_ROOT=${UTURN_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
export UTURN_BIN=${UTURN_BIN:-$UTURN_ROOT/build/uturn}
cases=$UTURN_ROOT/tests/cli/cases
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
time_spent='s/\("wall_s"\|"switch_cycles_per_s"\): [^,]*/\1: .../; /^  speed \| fault sets in [0-9.]* s$/d'

# Graphviz in a case gives back what it is told, as what looks like an SVG.
mkdir "$work/bin"
printf '#!/bin/sh\necho "<svg>"; cat; echo "</svg>"\n' >"$work/bin/neato"
chmod +x "$work/bin/neato"

# shellcheck disable=SC2317 # commands of cases
uturn() { "$UTURN_BIN" "$@" </dev/null; }
# shellcheck disable=SC2317
runs() { python3 "$cases/runs.py" "$@"; }

# answer COMMAND: what it prints, indented
answer() {
  local status=0
  (set +e -o pipefail; PATH=$work/bin:$PATH; eval "$1") >"$work/out" 2>"$work/err" || status=$?
  awk 1 "$work/out" "$work/err" | sed -e "$time_spent" -e '/^$/d' -e 's/ *$//' -e 's/^/  /'
  [ $status = 0 ] || echo "  [status $status]"
}

# The transcript so far is how the file of cases begins.
as_expected() { head -c "$(stat -c %s "$work/now")" "$cases/$name.txt" | cmp -s - "$work/now"; }

# transcript FILE: the file, with what its commands print now; with --first up to a difference
transcript() {
  local line command='' input=''
  while IFS= read -r line || [ "$line" ]; do
    if [ "$input" ] && [[ $line == '    '* ]]; then
      printf '%s\n' "${line:4}" >>"$input"
    elif [[ $line == '  > '* ]]; then
      command+=$'\n'${line#  > }
    else
      [ -z "$command" ] || answer "$command"
      [ "$mode" != --first ] || [ -z "$command" ] || as_expected || return 0
      command='' input=''
      case $line in
      '  $ '*) command=${line#  $ } ;;
      '  file '*:) input=${line#  file } && input=${input%:} && : >"$input" ;;
      '  '*) continue ;; # what was expected
      esac
    fi
    printf '%s\n' "$line"
  done <"$1"
  [ -z "$command" ] || answer "$command"
}

mode=
case ${1-} in --write | --first) mode=$1 && shift ;; esac
failed=0
[ $# -gt 0 ] || set -- "$cases"/*.txt
for name; do
  name=$(basename "$name" .txt)
  [ -f "$cases/$name.txt" ] || { echo "cases.sh: there is no $cases/$name.txt" >&2; exit 2; }
  mkdir "$work/$name"
  cd "$work/$name"
  ln -s "$UTURN_ROOT/tests" "$UTURN_ROOT/scenarios" .
  transcript "$cases/$name.txt" >"$work/now"
  if [ "$mode" = --write ]; then
    cp "$work/now" "$cases/$name.txt"
  else
    (cd "$UTURN_ROOT" && diff -U 4 --label "expected: tests/cli/cases/$name.txt" --label "uturn prints now" \
      "tests/cli/cases/$name.txt" "$work/now") || failed=1
  fi
done
[ $failed = 0 ] || echo "cases.sh: if that is meant to be so: tests/cli/cases.sh --write, and read the difference" >&2
exit $failed
