#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools/soak: killed and called again, it goes on behind the rounds in its tally; torn lines and those of another version do not
# count; bad input.
set -eu
root=${UTURN_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "soak: $*" >&2; exit 1; }
export SOAK_OPTIONS="--golden model --families trees --shapes 1 --each 1"
tally=$work/tally
soak() { "$root/tools/soak" "$tally" "$@"; }

# A line of another version that would be enough alone, and a torn one.
{ echo '0123456789ab 1 { "scenarios": 9, "switch_cycles": 999999999 }'; printf 'x 1 { "scen'; } >"$tally"
soak 1 >"$work/out" || fail "status $?: $(cat "$work/out")"
grep -Eq '^[0-9]+ switch-cycles in 1 scenarios of 1 rounds: no mismatch$' "$work/out" || fail "one round: $(cat "$work/out")"
reached=$(sed 's/ .*//;q' "$work/out")
# Killed in the middle, wherever that is, it goes on.
for delay in 0.05 0.2 0.4; do
  setsid "$root/tools/soak" "$tally" 1e12 >"$work/out" 2>&1 &
  pid=$!
  sleep $delay
  until kill -9 -- "-$pid" 2>/dev/null; do :; done # its group is there only when setsid has run
  wait "$pid" 2>/dev/null || true
  flock -w 60 "$tally" true || fail "the tally is locked a minute after the kill" # its children die a little later
done
soak $((2 * reached)) >"$work/out" || fail "status $?: $(cat "$work/out")"
version=$(tail -n 1 "$tally" | cut -d ' ' -f 1)
twice=$(awk -v v="$version" '$1 == v && /}$/ { print $2 }' "$tally" | sort | uniq -d)
[ -z "$twice" ] || fail "seeds more than once: $twice"
soak 1 >"$work/again" && cmp -s "$work/out" "$work/again" || fail "a tally that is full grows: $(cat "$work/again")"

refuses() { # WORD ARGUMENT...
  local word=$1 status=0
  shift
  "$root/tools/soak" "$@" >"$work/out" 2>"$work/err" || status=$?
  [ $status = 2 ] && grep -q "$word" "$work/err" || fail "$*: status $status, $(cat "$work/err")"
}
refuses 'is no option' --tally
(cd "$work" && "$root/tools/soak" --help >out && grep -q 'tools/soak TALLY' out && [ ! -e ./--help ]) || fail "--help: $(ls "$work")"
refuses 'no number' "$tally" many
refuses 'is no file' "$work"
refuses 'cannot be written' "$work/nowhere/tally"
exec 7<"$tally"
flock -n 7 || fail "the tally is still locked"
refuses 'in use' "$tally"
