#!/bin/bash
# The assertions of the RTL run in the block benches: a mutant that breaks one is stopped by it, by its name.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$UTURN_ROOT/rtl" "$work/rtl"
sed -i 's/      assign gnt_o = req_i;/      assign gnt_o = ~req_i;/' "$work/rtl/ut_rr_arbiter.v"
! cmp -s "$UTURN_ROOT/rtl/ut_rr_arbiter.v" "$work/rtl/ut_rr_arbiter.v" || { echo "the mutant changes nothing"; exit 1; }
status=0
UTURN_RTL="$work/rtl" UTURN_BLOCKS="$work/blocks" "$UTURN_ROOT/tests/cosim/blocks.sh" rr_arbiter >"$work/out" 2>&1 || status=$?
[ $status != 0 ] || { echo "the mutant passes"; exit 1; }
grep -q 'Assertion failed.*grant_answers_request' "$work/out" || { echo "no assertion fires:"; tail -5 "$work/out"; exit 1; }
grep 'Assertion failed' "$work/out" | head -1
