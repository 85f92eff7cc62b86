#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cosim --engine: what is refused before anything is synthesized.  What it does: tests/cosim/gate_slow.sh.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
export UTURN_CACHE="$work/cache"
cp "$UTURN_ROOT/scenarios/gate_4ary2tree.yaml" small.yaml
reject "--engine|verilator|lanes|vectors" "$UTURN_BIN" cosim small.yaml --dut gate --engine vectors
[ ! -e "$UTURN_CACHE" ] || fail "something was synthesized"
