#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Random lockstep (`uturn hunt`) in the test suite: RTL against the model, then against the spec, in scenarios of the same switches:
# no mismatch, no deadlock that an algorithm claims not to have, and every switch takes part.
#
#   tests/fuzz/hunt_slow.sh [--all]     --all: every switch; each takes a model of the RTL
set -eu
shapes=(--shapes 24)
[ "${1-}" != --all ] || shapes=()
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "hunt: $*" >&2; exit 1; }

# hunt GOLDEN EACH
hunt() {
  local status=0
  "$UTURN_BIN" hunt --golden "$1" --each "$2" "${shapes[@]}" --jobs "${UTURN_JOBS:-2}" --output "$UTURN_BUILD/hunt_$1.yaml" \
    >"$work/$1" 2>"$work/err" || status=$?
  [ $status = 0 ] || fail "against the $1: exit status $status: $(cat "$work/$1" "$work/err")"
  cat "$work/$1"
  ! grep -q 'could not be run' "$work/$1" || fail "a switch of hunt/shapes.c cannot be run"
  grep -Eq "^[0-9]+ scenarios of ${shapes[1]-[0-9]+} switches" "$work/$1" || fail "not every switch took part"
}
hunt model 4
hunt spec 2
