#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Templates of scenarios run in lockstep with the RTL; tests/cli/new.sh runs all of them without it.
#
#   tests/cosim/templates_slow.sh [NAME...|all]     default: three kinds of faults; building a model takes longer than running it
#
# Those of sweeps have bases like these, and are tried by tests/cli/new.sh: what they add is which runs there are, not what a run is.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -gt 0 ] || set -- faults planned ruft
[ "$1" != all ] || set -- $(cd "$UTURN_ROOT/scenarios/templates" && basename -s .yaml -- *.yaml)
for name; do
  "$UTURN_BIN" new "$name" "$work/$name.yaml" 2>/dev/null
  # without warm-up, so that the faults come soon
  sed -i 's/^  warmup_cycles: 1000/  warmup_cycles: 0/' "$work/$name.yaml"
  "$UTURN_BIN" cosim "$work/$name.yaml" --cycles 4500 >"$work/out" 2>&1 || { echo "templates: $name: $(cat "$work/out")" >&2; exit 1; }
  grep -q '^  lockstep ' "$work/out" || { echo "templates: $name: no lockstep: $(cat "$work/out")" >&2; exit 1; }
  # that a re-route timer ends is shown by one of them
  [ "$name" != faults ] || ! grep 'no re-route timer' "$work/out" >&2 || exit 1
done
echo "$(ls "$work"/*.yaml | wc -l) templates in lockstep"
