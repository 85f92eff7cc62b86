#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools/layout with the tools that place and route, where they are installed: an output unit of flits of four bits goes
# through all of them.  Inputs of a gate that change places, and wires laid on others, are found.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
for tool in graywolf qrouter magic netgen-lvs; do
  command -v $tool >/dev/null || { echo "not run: $tool is not installed"; exit 0; }
done
cp /usr/share/qflow/tech/osu018/osu018_stdcells.lib cells.lib
printf 'set_driving_cell BUFX2\nset_load 50\n' >cells.constr
yosys -q -p "read_verilog -I$UTURN_ROOT/rtl $UTURN_ROOT/rtl/*.v; hierarchy -top ut_output_unit -chparam W 4
  synth -flatten -noabc -top ut_output_unit; setundef -zero; dfflibmap -liberty cells.lib
  abc -liberty cells.lib -constr cells.constr -D 4000; opt_clean -purge; read_liberty -lib -ignore_miss_func cells.lib
  rename -wire -suffix _reg t:DFFPOSX1; splitnets -ports; opt_clean -purge; write_verilog -noattr -noexpr unit.v" >yosys.log 2>&1 ||
  fail "synthesis: $(tail -n 3 yosys.log)"
expect 0 "$UTURN_ROOT/tools/layout" unit.v unit
grep -q '^rules *kept' out && grep -q '^netlist *match' out || fail "table: $(cat out)"
python3 - <<'P' || fail "figures: $(cat unit/layout.json)"
import json
layout = json.load(open("unit/layout.json"))
assert layout["before"]["ns"] < layout["after"]["ns"] < 2 * layout["before"]["ns"], layout
assert layout["nets"] > layout["cells"] > 50 and 1 < layout["wire_mm"] < 10, layout
P
[ -s unit/layout.svg ] || fail "no picture"

# another netlist: the inputs of a gate change places; Netgen knows the cells as boxes, not as gates
cd unit
awk '/^XNAND2X1_1 / { t = $5; $5 = $6; $6 = t } { print }' top.spc >other.spc
! cmp -s top.spc other.spc || fail "nothing was changed"
netgen-lvs -batch lvs "top.spice top" "other.spc top" /usr/share/qflow/tech/osu018/osu018_setup.tcl lvs.txt -json -blackbox >lvs.log 2>&1
expect 1 python3 "$UTURN_ROOT/tools/layout_parts/report.py" .
grep -q '^netlist *differ' out || fail "another netlist: $(cat out)"
# wires on others
sed 's/^+ ROUTED metal2 /+ ROUTED metal2 ( 1000 300 ) ( * 4000 )\n  NEW metal2 /' top_route.def >moved.def
! cmp -s top_route.def moved.def || fail "no wire was added"
mv moved.def top_route.def
magic -dnull -noconsole -rcfile /usr/share/qflow/tech/osu018/osu018.magicrc magic_run.tcl >magic.log 2>&1 </dev/null
expect 1 python3 "$UTURN_ROOT/tools/layout_parts/report.py" .
grep -q '^rules *broken' out || fail "a wire over others: $(cat out)"
echo "an output unit as a layout"
