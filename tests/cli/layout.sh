#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools/layout: bad input, a tool that is missing; and what it adds to the tools: wires of a small layout, with lengths,
# resistance and capacitance worked out by hand, their delay, the table.  The tools that place and route are not run.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
layout() { "$UTURN_ROOT/tools/layout" "$@"; }
refuses() { # "WORD|WORD" COMMAND...: as reject, by the name of this script
  local words=$1 word
  shift
  expect 2 "$@"
  [ "$(grep -c '^layout: ' err)" = 1 ] || fail "$*: not one message: $(cat err)"
  while read -r -d '|' word; do
    grep -qF -- "$word" err || fail "$*: the message lacks '$word': $(cat err)"
  done <<<"$words|"
}
parts=$UTURN_ROOT/tools/layout_parts
tech=/usr/share/qflow/tech/osu018
scenario=$UTURN_ROOT/scenarios/cost_layout.yaml

# ---- bad input
mkdir full
touch full/file
refuses "usage: tools/layout" layout
refuses "usage: tools/layout" layout "$scenario"
refuses "--densty|expected --density D or --quick" layout --densty 0.5 "$scenario" new
for density in 0 0.0 1.5 -1 x ''; do refuses "--density|at most 1" layout --density "$density" "$scenario" new; done
refuses "missing.yaml|no such file" layout missing.yaml new
refuses "full|not empty" layout "$scenario" full
[ ! -e new ] || fail "bad input makes a folder"

# ---- a tool is missing
mkdir few
for tool in bash dirname readlink ls mkdir sed; do ln -s "$(command -v $tool)" few; done
refuses "graywolf is not installed|apt-get install graywolf" env PATH="$work/few" "$UTURN_ROOT/tools/layout" "$scenario" new
[ ! -e new ] || fail "a missing tool makes a folder"

# ---- the netlist: names, ports without a cell
cat >netlist.v <<'V'
/* by hand */
module ut_switch(clk_i, \in_i[0] , \out_o[0] , \out_o[1] );
  input clk_i;
  wire clk_i;
  input \in_i[0] ;
  output \out_o[0] ;
  output \out_o[1] ;
  wire far;
  DFFPOSX1 \g_in[0].data_q[3]_reg  (.CLK(clk_i), .D(far), .Q(\g_in[0].data_q[3] ));
  INVX1 _1_ (.A(\g_in[0].data_q[3] ), .Y(far));
  INVX1 _2_ (
    .A(far),
    .Y(\out_o[0] )
  );
  assign \out_o[1]  = 1'h0;
endmodule
V
mkdir small
python3 "$parts/netlist.py" netlist.v small
grep -qx '.inputs clk_i' small/top.blif && grep -qx '.outputs out_o_0' small/top.blif || fail "ports: $(cat small/top.blif)"
grep -qx '.gate INVX1 A=far Y=out_o_0' small/top.blif || fail "cells: $(cat small/top.blif)"
grep -q 'g_in\[0\].data_q\[3\]_reg' small/names.json || fail "names: $(cat small/names.json)"
sed "s/.D(far)/.D(1'h0)/" netlist.v >constant.v
expect 1 python3 "$parts/netlist.py" constant.v small
grep -q "constant.v: .*constant 1'h0" err || fail "a constant at a pin: $(cat err)"

# ---- wires: 1,000 um of metal 2 between two cells, the third one (upside down) halfway; a piece that is drawn twice
cat >small/top_route.def <<'D'
UNITS DISTANCE MICRONS 100 ;
DIEAREA ( 0 -600 ) ( 110000 1000 ) ;
COMPONENTS 4 ;
- INVX1_1 INVX1 + PLACED ( 0 0 ) N ;
- INVX1_2 INVX1 + PLACED ( 50100 -540 ) FS ;
- DFFPOSX1_1 DFFPOSX1 + PLACED ( 100000 -100 ) N ;
- FILL_1 FILL + PLACED ( 102000 0 ) N ;
END COMPONENTS
PINS 4 ;
- vdd + NET vdd
  + LAYER metal6 ( -80 -40 ) ( 80 40 )
  + PLACED ( 1920 -260 ) N ;
- gnd + NET gnd
  + LAYER metal6 ( -80 -40 ) ( 80 40 )
  + PLACED ( 4880 -260 ) N ;
- clk_i + NET clk_i
  + LAYER metal2 ( -15 -15 ) ( 15 15 )
  + PLACED ( 100000 1000 ) N ;
- out_o_0 + NET out_o_0
  + LAYER metal2 ( -15 -15 ) ( 15 15 )
  + PLACED ( 50200 -600 ) N ;
END PINS
NETS 4 ;
- far
  ( DFFPOSX1_1 D )
  ( INVX1_2 A )
  ( INVX1_1 Y )
+ ROUTED metal1 ( 140 230 ) M2_M1
  NEW metal2 ( 140 230 ) ( 100140 * ) M2_M1
  NEW metal2 ( 140 230 ) ( 100140 * )
  NEW metal1 ( 50140 230 ) M2_M1
  NEW metal1 ( 100140 230 ) ( * 330 ) ;
- g_in_0_data_q_3
  ( INVX1_1 A )
  ( DFFPOSX1_1 Q ) ;
- clk_i
  ( PIN clk_i )
  ( DFFPOSX1_1 CLK ) ;
- out_o_0
  ( PIN out_o_0 )
  ( INVX1_2 Y ) ;
END NETS
SPECIALNETS 1 ;
- vdd
+ FIXED metal6 160 ( 1920 -300 ) ( * 5300 )
 ;
END SPECIALNETS
END DESIGN
D
python3 "$parts/netlist.py" netlist.v small
python3 "$parts/wires.py" "$tech/osu018_stdcells.lef" small
python3 - <<'P' || fail "wires: $(cat small/wires.json small/top.spef)"
import json, re
wires = json.load(open("small/wires.json"))
assert wires["wire_mm_by_layer"]["metal2"] == 1 and wires["wire_mm_by_layer"]["metal1"] == 0.001
assert wires["vias"] == 3 and wires["cells"] == 3 and wires["ports"] == 2, wires
net = re.search(r"\*D_NET far (\S+)\n(.*?)\*END", open("small/top.spef").read(), re.S)
pf = 1000 * (0.3 * 1.9e-5 + 2 * 6e-5) + 1 * (0.3 * 3.8e-5 + 2 * 8e-5)
assert abs(float(net[1]) - pf) < 1e-6, (net[1], pf)
ohm = [float(line.split()[3]) for line in net[2].split("*RES\n")[1].splitlines()]
assert abs(sum(ohm) - (1001 * 0.08 / 0.3 + 3 * 5.68)) < 0.1, sum(ohm)
assert sum(abs(r - 500 * 0.08 / 0.3) < 0.01 for r in ohm) == 2, ohm
P

# ---- delay and table
{ echo "set liberty $tech/osu018_stdcells.lib"; cat "$parts/timing.tcl"; } >small/timing_run.tcl
(cd small && sta -no_init -no_splash -exit timing_run.tcl) >timing.log 2>&1 || fail "OpenSTA: $(cat timing.log)"
printf 'drc = 2\nrule 2 Metal3 spacing < 3\n' >small/magic.log
echo "Circuits match uniquely." >small/lvs.txt
echo "routing 7" >small/seconds.txt
python3 "$parts/picture.py" "$tech/osu018_stdcells.lef" small
python3 -c "import xml.dom.minidom; xml.dom.minidom.parse('small/layout.svg')" || fail "the picture is no SVG"
expect 1 python3 "$parts/report.py" small
grep -q '^rules *broken in 2 places' out && grep -q '^netlist *match' out && grep -q '2 Metal3 spacing' out || fail "table: $(cat out)"
python3 - <<'P' || fail "delay: $(cat small/layout.json)"
import json
layout = json.load(open("small/layout.json"))
assert 0.15 < layout["same_path"]["ns"] - layout["before"]["ns"] < 0.25, layout  # 0.13 pF behind the smallest inverter
assert layout["same_path"]["ns"] <= layout["after"]["ns"]
P
sed -i 's/drc = 2/drc = 0/; /^rule/d' small/magic.log
expect 0 python3 "$parts/report.py" small
grep -q '^rules *kept' out || fail "no broken rule: $(cat out)"
echo "Netlists do not match." >small/lvs.txt
expect 1 python3 "$parts/report.py" small
grep -q '^netlist *differ' out || fail "another netlist: $(cat out)"
echo "layouts: wires, delays, table, bad input"
