#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cost --fpga with stand-ins for yosys and nextpnr-ice40: what is counted and compared, a switch that does not fit, bad input.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
export UTURN_CACHE="$work/cache"
cat >small.yaml <<'S'
topology: {kind: fat_tree, k: 2, n: 2}
switch: {vcs: 1, depth_flits: 2, packet_flits: 2}
routing: {algorithm: fta}
traffic: {load_flits_per_cycle: 0.1}
S
mkdir bin
# yosys [-V|-q SCRIPT]: a netlist of a LUT (two with VC 1), a register of a buffer and one of the re-route vector
cat >bin/yosys <<'S'
#!/bin/bash
set -eu
[ "$1" != -V ] || { echo "stand-in 1"; exit; }
echo "$(basename "$2")" >>"$CALLS"
[ "$2" = flat.ys ] || { echo '{}' >pins.json; exit; }
second=
! grep -q 'chparam V 2' flat.ys || second='"l2": {"type": "SB_LUT4", "connections": {"O": [7]}},'
: >entry/ut_switch.il
cat >entry/ut_switch.json <<J
{"modules": {"ut_switch": {"ports": {"clk_i": {"direction": "input", "bits": [2]}, "in_i": {"direction": "input", "bits": [3]},
  "out_o": {"direction": "output", "bits": [5]}},
 "cells": {"l1": {"type": "SB_LUT4", "connections": {"O": [4]}}, $second
  "f1": {"type": "SB_DFFE", "connections": {"D": [4], "Q": [5]}}, "f2": {"type": "SB_DFF", "connections": {"D": [3], "Q": [6]}},
  "c1": {"type": "SB_CARRY", "connections": {}}},
 "netnames": {"g_in[0].u_input.u_fifo.data_q[1]": {"hide_name": 0, "bits": [5]},
  "g_state.u_vector.timer_q": {"hide_name": 0, "bits": [6]}}}}}
J
S
cat >bin/nextpnr-ice40 <<'S'
#!/bin/bash
set -eu
case " $* " in
  *" --version "*) echo "stand-in 1" ;;
  *" --pack-only "*) echo pack >>"$CALLS"; printf 'Info: port $nextpnr_ICESTORM_LC_72.I1\nInfo:  ICESTORM_LC:  %s/ 7680  1%%\n' "${USED:-12}" ;;
  *)
    echo route >>"$CALLS"
    cat >pnr.json <<'J'
{"critical_paths": [{"from": "posedge clk", "to": "posedge clk", "path": [
 {"type": "clk-to-q", "delay": 1, "from": {"cell": "u_switch.l1_LC"}, "to": {"cell": "u_switch.f2_DFFLC"}},
 {"type": "routing", "delay": 3, "from": {"cell": "u_switch.f2_DFFLC"}, "to": {"cell": "u_switch.l1_LC"}},
 {"type": "setup", "delay": 1, "from": {"cell": "u_switch.l1_LC"}, "to": {"cell": "u_switch.l1_LC"}}]}]}
J
    ;;
esac
S
chmod +x bin/*
export CALLS="$work/calls"
PATH="$work/bin:$PATH"
cost() { "$UTURN_BIN" cost "$@"; }
has() { grep -q -- "$1" out || fail "no '$1' in: $(cat out)"; }

# ---- bad input
reject "--fpga|'ice4'|did you mean 'ice40'|ice40, ecp5, xilinx" cost small.yaml --fpga ice4
reject "--fpga|'virtex'|ice40, ecp5, xilinx" cost small.yaml --fpga virtex
reject "--fpga|--liberty" cost small.yaml --fpga ice40 --liberty osu035
reject "--fpga|--memory" cost small.yaml --fpga ice40 --memory
reject "--network" cost small.yaml --fpga ice40 --network
mkdir without
ln -s "$work/bin/yosys" /bin/bash /usr/bin/env without/
reject "nextpnr-ice40|apt-get install nextpnr-ice40" env PATH="$work/without" "$UTURN_BIN" cost small.yaml --fpga ice40
reject "yosys|apt-get install yosys" env PATH="$work" "$UTURN_BIN" cost small.yaml --fpga ecp5
[ ! -s calls ] || fail "bad input was synthesized: $(cat calls)"

# ---- one switch, named paths, the cache
expect 0 cost small.yaml --fpga ice40
has '^LUTs  *1, 0 of them as RAM$'
has '^flip-flops  *2: buffers 1, control 0, re-route 1$'
has '^carry cells  *1$'
has '^iCE40 HX8K  *10 logic cells of 7,680, 2 more for its pins$'
has '^maximum clock  *200.0 MHz after routing$'
has '5.00 ns, 3.00 of it in wires, 0 LUTs.* between g_state.u_vector.timer_q and g_in\[0\].u_input.u_fifo.data_q\[1\]$'
[ "$(tr '\n' ' ' <calls)" = 'flat.ys pins.ys pack route ' ] || fail "tools called: $(cat calls)"
: >calls
expect 0 cost small.yaml --fpga ice40 --json
[ ! -s calls ] || fail "the second call makes something again: $(cat calls)"
for word in '"fpga": "ice40"' '"luts": 1' '"mhz": 200' '"logic_cells": 10' '"logic_cells_of_pins": 2' '"fits": true' '"SB_DFFE": 1'; do has "$word"; done

# ---- several: a table, differences, a chart
expect 0 cost small.yaml --fpga ice40 --vary vcs=1,2 --compare --chart chart.svg
has '^Lattice iCE40 HX .*LUTs .*re-rt. .*MHz .*+ LUTs'
has '^vcs=2  .* 200.0 .*+1  *+100.0 %  *+0'
grep -q 'LUTs: logic' chart.svg || fail "the chart does not show LUTs"
expect 0 cost small.yaml --fpga ice40 --vary vcs=1,2 --compare --json
has '"luts": 1.0'
# other parts are not placed
cp bin/yosys yosys.ice40
sed -i 's/SB_LUT4/LUT4/; s/SB_DFFE*/TRELLIS_FF/g; s/SB_CARRY/CCU2C/' bin/yosys
: >calls
expect 0 cost small.yaml --fpga ecp5
has '^LUTs  *3, 0' # two in the carry cell
has 'before routing'
[ "$(cat calls)" = flat.ys ] || fail "ecp5: tools called: $(cat calls)"

# ---- it does not fit: what is known is printed, then the message; also the second time
rm -rf cache
mv yosys.ice40 bin/yosys
export USED=7681
for again in 1 2; do
  expect 2 cost small.yaml --fpga ice40
  has '7,679 logic cells of 7,680, 2 more'
  grep -q 'small does not fit the iCE40 HX8K.* 1 LUTs and 2 flip-flops take 7679 logic cells, its pins 2, .* 7680\..*--fpga ecp5' err ||
    fail "$again: $(cat err)"
  ! grep -q MHz out || fail "a clock of what does not fit"
done
! grep -q route calls || fail "what does not fit was routed"
expect 2 cost small.yaml --fpga ice40 --vary vcs=1,2 --compare
has '^vcs=2  '
grep -q 'vcs=1 (and 1 more of these switches) does not fit' err || fail "several: $(cat err)"
# a router that fails: its words
printf '#!/bin/bash\n[ "$1" != --version ] || exec echo 2\necho "ERROR: no bels left"\nexit 1\n' >bin/nextpnr-ice40
expect 2 cost small.yaml --fpga ice40
grep -q 'no bels left' err || fail "the router's words: $(cat err)"
if ls -d cache/*.tmp >/dev/null 2>&1; then fail "a temporary folder is left"; fi
echo "cost --fpga: as expected"
