#!/bin/bash
# The netlist in lockstep with the golden model: a fat tree with a link that fails while packets are on their way, a torus with
# header stacks; and what is wrong with a netlist is found: gates of changed RTL, a lost credit.
#
#   tests/cosim/gate_slow.sh [all]     all: also `fta` and, with two VCs, `reroute_det_link`; synthesis takes minutes
set -eu
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
equal reroute_adaptive_link gate_4ary2tree '' &
equal torus gate_torus '' &
wait -n && wait -n || exit 1
if [ "${1-}" = all ]; then
  equal fta gate_4ary2tree s/reroute_adaptive_link/fta/ &
  equal reroute_det_link gate_4ary2tree 's/reroute_adaptive_link/reroute_det_link/; s/vcs: 1/vcs: 2/' &
  wait -n && wait -n || exit 1
fi

# expect NAME TEXT OPTION...: status 3, and that text
sed 's/k: 4/k: 2/; s/port: 5/port: 3/' "$UTURN_ROOT/scenarios/gate_4ary2tree.yaml" >"$work/small.yaml"
expect() {
  local name=$1 text=$2 status=0
  shift 2
  "$UTURN_BIN" cosim "$work/small.yaml" --dut gate "$@" >"$work/out" 2>"$work/err" || status=$?
  [ $status = 3 ] || fail "$name: exit status $status, expected 3: $(cat "$work/err")"
  grep -q "$text" "$work/err" || fail "$name: no '$text' in $(cat "$work/err")"
  grep -q "^reproduce: uturn cosim .*--dut gate$" "$work/err" || fail "$name: no command to reproduce"
}
"$UTURN_BIN" cosim "$work/small.yaml" --dut gate >"$work/out" || fail "2-ary 2-tree: exit status $?"
# registers that synthesis names otherwise: forwarding tables and buffers of one place
sed 's/reroute_adaptive_link/table/; s/depth_flits: [0-9]*/depth_flits: 1/; s/packet_flits: [0-9]*/packet_flits: 1/' "$work/small.yaml" >"$work/other.yaml"
"$UTURN_BIN" cosim "$work/other.yaml" --dut gate >"$work/out" || fail "tables and buffers of one place: exit status $?"
expect "a lost credit" 'credits_q: netlist holds' --plant 400:0.0:credit
mkdir "$work/rtl"
cp "$UTURN_ROOT"/rtl/*.v "$UTURN_ROOT"/rtl/*.vh "$work/rtl/"
sed -i -f "$UTURN_ROOT/tests/mutants/reroute_bit.sed" "$work/rtl/ut_reroute_vector.v"
expect "changed RTL" 'vector_q: netlist holds' --rtl "$work/rtl"
