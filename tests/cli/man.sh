#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The manual page renders without warnings, whole and for each command, and has every option of --help.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
render() { # FILE: into FILE.txt
  MANWIDTH=200 LC_ALL=C.UTF-8 man --warnings=w -l "$1" 2>"$work/err" | sed 's/.\x08//g' >"$1.txt"
  [ ! -s "$work/err" ] || fail "$1: $(head -5 "$work/err")"
}
"$UTURN_BIN" man >"$work/all.1"
render "$work/all.1"
grep -q 'mismatch' "$work/all.1.txt" && grep -q 'UTURN_CACHE' "$work/all.1.txt" || fail "no exit statuses, or no variables"
options=0
for command in $("$UTURN_BIN" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  "$UTURN_BIN" man "$command" >"$work/$command.1"
  render "$work/$command.1"
  grep -q "^ *uturn $command \[OPTIONS\]" "$work/$command.1.txt" || fail "$command: no usage"
  for option in $("$UTURN_BIN" "$command" --help | grep -oE '^ {2,6}(-.*)?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
    options=$((options + 1))
    [ "$option" = --usage ] || grep -qE -- "^ *(-., )?$option(=| |\$)" "$work/$command.1.txt" || fail "$command: $option is not there"
    case $option in --usage | --help) ;; *) grep -qF -- "$option" "$work/all.1.txt" || fail "$option is not in the whole page" ;; esac
  done
done
[ $options -ge 80 ] || fail "only $options options"
reject "unknown command|did you mean 'cosim'" "$UTURN_BIN" man cosmi
# warnings are found
printf '.TH X 1\n.SH NAME\nx \\- y\n.nonsense\n' >"$work/bad.1"
! (render "$work/bad.1") 2>/dev/null || fail "does not see a bad page"
echo "$options options"
