#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cost --fpga with the real tools: registers and RAMs where the part has them, a routed switch.  Two ports only: 20 s of processor time.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
export UTURN_CACHE="$work/a cache" # tools read from it
cat >small.yaml <<'S'
topology: {kind: hypercube, n: 1}
switch: {vcs: 1, depth_flits: 2, packet_flits: 2}
routing: {algorithm: ecube}
traffic: {load_flits_per_cycle: 0.1}
S
# number KEY: of the object in out, the first one of that name
number() { sed -n "s/^ *\"$1\": \([0-9]*\).*/\1/p" out | head -n 1; }
# within KEY FROM TO
within() { [ "$(number "$1")" -ge "$2" ] && [ "$(number "$1")" -le "$3" ] || fail "$1 is $(number "$1"), expected $2..$3"; }

expect 0 "$UTURN_BIN" cost small.yaml --fpga ice40 --json
within buffers 402 415 # 2 ports of 2 flits of 67 bits, and of an output register of 67 bits; Yosys may add some to read ports
within reroute 0 0
within luts_as_ram 0 0
within luts 300 1200
within logic_cells 450 1600
within logic_cells_of_pins 420 420 # bits of ports without the clock: 64 + 64 of straps and orders, 2 ports, and a few
within mhz 40 250
# the path is one of the switch: it begins at a register of a block, or of its own
grep -q '"from": "\(near \)\{0,1\}[a-z_]*\(\[[0-9]\]\)\{0,1\}\.u_\|"from": "[a-z_]*_q\|"from": "u_' out || fail "the path begins at: $(grep '"from"' out)"
sum=$(sed -n 's/^ *"SB_DFF[A-Z]*": \([0-9]*\).*/\1/p' out | awk "{n += \$1} END {print n}")
[ "$sum" = $(($(number buffers) + $(number control))) ] || fail "$sum registers, counted $(number buffers) and $(number control)"

# buffers become distributed RAM where there is some, but for the tags of flits: 134 registers of outputs are left
for part in ecp5 xilinx; do
  expect 0 "$UTURN_BIN" cost small.yaml --fpga $part --json
  within buffers 134 210
  within luts_as_ram 50 400
  within luts 250 1600
  within block_rams 0 0
  grep -q '"longest_path_ns": null' out || fail "$part: a path without a router"
done
echo "cost --fpga, real tools: as expected"
