#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# axis: the example with AXI4-Stream terminals (examples/axis_mesh) in Icarus: equal to the golden model's terminals in every frame; what
# FuseSoC, Bender and citation tools read is right.  More: axis_slow.sh.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "axis: $*" >&2; exit 1; }

UTURN=$UTURN_BIN examples/axis_mesh/run icarus
# ---- lint
for set in "" "-GV=2 -GSWITCHING=1" "-GSIZE0=3 -GDEPTH=20 -GMAX_PACKET=9 -GW=128 -GV=4"; do
  # shellcheck disable=SC2086
  verilator --lint-only -Wall -Irtl -Irtl/axis --top-module axis_mesh $set examples/axis_mesh/axis_mesh.v >"$work/log" 2>&1 && [ ! -s "$work/log" ] ||
    { cat "$work/log" >&2; fail "Verilator says something about axis_mesh $set"; }
done
iverilog -g2005 -Wall -t null -Irtl -yrtl -yrtl/axis -s axis_mesh examples/axis_mesh/axis_mesh.v >"$work/log" 2>&1 && [ ! -s "$work/log" ] ||
  { cat "$work/log" >&2; fail "Icarus says something about axis_mesh"; }
yosys -q -p "read_verilog -defer -Irtl rtl/*.v rtl/axis/*.v; hierarchy -check -top ut_axis_terminal; proc; check -assert" >"$work/log" 2>&1 && [ ! -s "$work/log" ] ||
  { cat "$work/log" >&2; fail "Yosys says something about ut_axis_terminal"; }

/usr/bin/python3 tests/icarus/packages.py
