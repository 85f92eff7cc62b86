#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Switches of more than 32 ports: RTL and model in lockstep with 36, and with --all also with 40, 48 and 64, whose models take
# minutes to build; model and spec with 64.
#
#   tests/cosim/ports_slow.sh [--all]
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "ports: $*" >&2; exit 1; }

# has_turned WHAT: the run in `out` found no difference, lost no packet, and packets made U-turns
has_turned() {
  grep -q 'U-turns *[1-9]' out || fail "$1: no packet has turned: $(cat out)"
  grep -q 'corrupt 0' out || fail "$1: $(cat out)"
}

all='18'
[ "${1-}" != --all ] || all='18 20 24 32'
for k in $all; do
  sed "s/k: 32/k: $k/" "$UTURN_ROOT/scenarios/ports_64.yaml" >"p$k.yaml"
  "$UTURN_BIN" cosim "p$k.yaml" >out || fail "$((2 * k)) ports: $(cat out)"
  grep -q 'lockstep *0 mismatches' out || fail "$((2 * k)) ports: $(cat out)"
  has_turned "$((2 * k)) ports"
done
"$UTURN_BIN" run "$UTURN_ROOT/scenarios/ports_64.yaml" --check spec >out || fail "spec: $(cat out)"
grep -q 'spec *0 differences' out || fail "spec: $(cat out)"
has_turned spec
