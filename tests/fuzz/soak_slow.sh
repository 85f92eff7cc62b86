#!/bin/bash
# tools/soak: killed at random moments and called again, it has each scenario once in its tally; torn lines and those of
# another version do not count; bad input.
set -eu
root=${UTURN_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "soak: $*" >&2; exit 1; }
export UTURN_CAMPAIGN_TIMES=1 SOAK_CAMPAIGNS=ruft_slow # its first eight seeds take two elaborations
tally=$work/tally target=200000
soak() { "$root/tools/soak" "$tally" "$@"; }

# A torn line, and one of another version that would be enough alone.
{ echo "0123456789ab ruft_slow 1 0 shape 999999999 1 0 0 0 0 0 1 0 0 1 1"; printf 'x ruft_slow 2 0 sha'; } >"$tally"
kills=0
for ((i = 0; i < 40 && kills < 5; i++)); do
  setsid "$root/tools/soak" "$tally" $target >"$work/out" 2>&1 &
  pid=$!
  sleep "0.$((RANDOM % 9 + 1))"
  kill -9 -- "-$pid" 2>/dev/null && kills=$((kills + 1)) || break
  wait "$pid" 2>/dev/null || true
done
soak $target >"$work/out" || fail "status $?: $(cat "$work/out")"
reached=$(sed -n 's/^\([0-9]*\) switch-cycles in .*: 0 mismatches, 0 failed$/\1/p' "$work/out")
[ "${reached:-0}" -ge $target ] && [ "$reached" -lt 99999999 ] || fail "not reached: $(cat "$work/out")"
version=$(tail -n 1 "$tally" | cut -d ' ' -f 1)
twice=$(awk -v v="$version" '$1 == v && NF == 17 { print $2, $3 }' "$tally" | sort | uniq -d)
[ -z "$twice" ] || fail "more than once: $twice"
lines=$(wc -l <"$tally")
soak $target >"$work/again" && cmp -s "$work/out" "$work/again" || fail "not the same again: $(cat "$work/again")"
[ "$(wc -l <"$tally")" = "$lines" ] || fail "a tally that is full grows"

# A mismatch stays where it was found.
echo "$version ruft_slow 99999 3 shape 100 100 1 0 0 0 0 1 0 0 1 1" >>"$tally"
! soak $target >"$work/out" || fail "a failed scenario gives status 0"
grep -q ' 1 mismatches, 1 failed' "$work/out" || fail "the failed scenario is not counted: $(cat "$work/out")"

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
SOAK_CAMPAIGNS=nothing refuses 'no campaign' "$tally"
exec 7<"$tally"
flock -n 7 || fail "the tally is still locked"
refuses 'in use' "$tally"
echo "soak: $kills kills, $reached switch-cycles"
