#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The netlist in lockstep with the golden model: a fat tree with a link that fails while packets are on their way; Verilator and
# lanes say the same, of the RTL, too; and what is wrong is found: changed RTL, a lost credit, flipped bits.
#
#   tests/cosim/gate_slow.sh [all]     all: also a ring with header stacks, a torus, `fta`, with two VCs `reroute_det_link`, and
#                                      tables in both engines; synthesis takes minutes
set -eu
all=${1-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "gate: $*" >&2; exit 1; }

# equal NAME SCENARIO SED: at least 5,000 cycles without a mismatch
equal() {
  sed "$3" "$UTURN_ROOT/scenarios/$2.yaml" >"$work/$1.yaml"
  "$UTURN_BIN" cosim "$work/$1.yaml" --dut gate --json >"$work/$1.json" || fail "$1: exit status $?"
  awk -v name="$1" '
    { gsub(/[",]/, ""); v[$1] = $2 }
    END {
      printf "%s: %d cycles, %d switch states of %d bits, %d packets, %d U-turns, %d mismatches\n", name, v["cycles:"],
        v["compared_switch_states:"], v["compared_state_bits_per_switch:"], v["delivered_packets:"], v["u_turns:"], v["mismatches:"]
      exit !(v["dut:"] == "gate" && v["mismatches:"] == 0 && v["cycles:"] >= 5000 && v["delivered_packets:"] > 5000 && v["corrupt_packets:"] == 0)
    }' "$work/$1.json" || fail "$1: $(cat "$work/$1.json")"
}
equal reroute_adaptive_link gate_4ary2tree ''
if [ "$all" = all ]; then
  equal ring gate_torus 's/sizes: .4, 4./sizes: [8]/'
  equal torus gate_torus '' &
  equal fta gate_4ary2tree s/reroute_adaptive_link/fta/ &
  equal reroute_det_link gate_4ary2tree 's/reroute_adaptive_link/reroute_det_link/; s/vcs: 1/vcs: 2/' &
  wait -n && wait -n && wait -n || exit 1
fi

# same NAME [rtl]: through both engines, with the same results
same() {
  local engine
  for engine in verilator lanes; do
    "$UTURN_BIN" cosim "$work/$1.yaml" --dut "${2-gate}" --engine $engine --json >"$work/all" || fail "$1, $engine: exit status $?"
    grep -v '"wall_s"\|_per_s"' "$work/all" >"$work/$engine.json"
  done
  grep -q '"mismatches": 0,' "$work/lanes.json" || fail "$1: $(cat "$work/lanes.json")"
  cmp "$work/verilator.json" "$work/lanes.json" || fail "$1 ${2-}: the engines differ"
}

# expect DUT NAME TEXT OPTION...: status 3, and that text; through both engines at the same place, of small.yaml or $scenario
sed 's/k: 4/k: 2/; s/port: 5/port: 3/' "$UTURN_ROOT/scenarios/gate_4ary2tree.yaml" >"$work/small.yaml"
expect() {
  local dut=$1 name=$2 text=$3 engine status file=$work/${scenario-small}.yaml
  shift 3
  for engine in lanes verilator; do
    status=0
    "$UTURN_BIN" cosim "$file" --dut "$dut" --engine $engine "$@" >"$work/out" 2>"$work/err" || status=$?
    [ $status = 3 ] || fail "$name, $engine: exit status $status, expected 3: $(cat "$work/err")"
    grep "^cycle " "$work/out" >"$work/$engine.first"
  done
  grep -q "$text" "$work/out" || fail "$name: no '$text' in $(cat "$work/out")"
  cmp "$work/lanes.first" "$work/verilator.first" || fail "$name: the engines report different places"
  grep -q "^reproduce.*: uturn cosim $file " "$work/out" || fail "$name: no command to reproduce"
}
same small
same small rtl
# a switch that fails, and comes back: it is not clocked while others are
sed 's/link: {[^}]*}/switch: {level: 1, switch: 1}/' "$work/small.yaml" >"$work/failed.yaml"
same failed
same failed rtl
# registers that synthesis names otherwise: forwarding tables and buffers of one place
if [ "$all" = all ]; then
  sed 's/reroute_adaptive_link/table/; s/depth_flits: [0-9]*/depth_flits: 1/; s/packet_flits: [0-9]*/packet_flits: 1/' "$work/small.yaml" >"$work/other.yaml"
  same other
  sed -i 's/flits: 1/flits: 2/' "$work/other.yaml"
  same other rtl
fi
# several VCs and a crossbar input for each, in a ring
cat >"$work/torus.yaml" <<'YAML'
topology: {kind: torus, sizes: [4]}
switch: {vcs: 2, depth_flits: 4, packet_flits: 2, crossbar: vc, route_cycles: 1}
routing: {algorithm: duato}
traffic: {load_flits_per_cycle: 0.4}
run: {warmup_cycles: 0, measure_cycles: 3000, seed: 5}
YAML
[ "$all" != all ] || same torus rtl
# buffers that are memories in lanes, of flits of two words; a link that fails and comes back
sed 's/depth_flits: 4/depth_flits: 12, flit_bits: 128/; s/packet_flits: 2/packet_flits: 3/; s/3000/3000, drain: true/' "$work/torus.yaml" >"$work/deep.yaml"
cat >>"$work/deep.yaml" <<'YAML'
faults:
  - {at: 700, until: 1500, link: {level: 0, switch: 1, port: 0}}
YAML
same deep rtl
scenario=deep expect rtl "a bit of a deep buffer" 'in1.vc0.fifo.data_q: RTL holds' --inject 433:0.2:in1.vc0.fifo.data_q:5
expect gate "a lost credit" 'credits_q: netlist holds' --inject 400:0.0:credit
expect rtl "a lost credit" 'credits_q: RTL holds' --inject 400:0.0:credit
# one register of each way in which lanes compare
for plant in in1.vc0.fifo.rd_q:1 in1.vc0.fifo.data_q:31 in1.select_q:1 out1.vc0.credits_q:1 out1.bad_q:0; do
  expect rtl "$plant" "cycle 401: switch 1.1 ${plant%:*}: RTL holds" --inject "400:1.1:$plant"
done
. "$UTURN_ROOT/tests/mutants.bash"
plant_mutant reroute_bit "$work/rtl"
expect gate "changed RTL" 'vector_q: netlist holds' --rtl "$work/rtl"
