#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# blocks_slow.sh - every block of the RTL against the spec under random stimulus (tests/rtl), with the RTL's assertions; no
# module of the RTL is without a bench (tests/rtl/modules.tsv).
# Usage: tests/cosim/blocks_slow.sh [bench...]; UTURN_BUILD is the build folder (default: build).
set -eu
cd "$(dirname "$0")/../.."
. tests/cosim/blocks.bash

modules=$(grep -v '^#' tests/rtl/modules.tsv)
for file in rtl/ut_*.v; do
  module=$(basename "$file" .v)
  echo "$modules" | grep -q "^${module#ut_}	" || { echo "$file: tests/rtl/modules.tsv names no bench for it"; exit 1; }
done
for module in $(echo "$modules" | cut -f 1); do
  [ -f "rtl/ut_$module.v" ] || { echo "tests/rtl/modules.tsv: there is no rtl/ut_$module.v"; exit 1; }
done

one() {
  build_bench "$1" rtl "$out/$1" >"$out/$1.log" 2>&1 || {
    echo "building $1 fails:"
    tail -n 20 "$out/$1.log"
    return 1
  }
  "$out/$1/test"
}

# shellcheck disable=SC2046 # names are words
if [ $# -eq 0 ]; then # long ones first
  set -- vc_allocator route_fattree output_unit $(echo "$modules" | cut -f 2 | sort -u |
    grep -vxE 'vc_allocator|route_fattree|output_unit')
fi
build_common
in_pairs one "$@"
