#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# axis_slow: the example with AXI4-Stream terminals in Verilator; with back-pressure on both sides, cut links, several VCs, wormhole
# switching nothing is lost or changed; the bench finds planted faults.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "axis: $*" >&2; exit 1; }

UTURN=$UTURN_BIN examples/axis_mesh/run verilator
# bench OPTION...: builds it.  simulate PLUSARG...: its last line
bench() {
  iverilog -g2005-sv -Irtl -yrtl -yrtl/axis -s axis_mesh_tb "$@" -o "$work/bench" "$work/axis_mesh_tb.v" examples/axis_mesh/axis_mesh.v
}
simulate() { vvp -n "$work/bench" +frames=examples/axis_mesh/frames.txt "$@" | tail -n 1; }
cp examples/axis_mesh/axis_mesh_tb.v "$work"
bench -Paxis_mesh_tb.V=2
simulate +stall=3 | grep -q '^passed: 160 frames, 0 cut, 0 discarded, 0 lost' || fail "two VCs with back-pressure"
bench -Paxis_mesh_tb.SWITCHING=1 -Paxis_mesh_tb.DEPTH=2 -Paxis_mesh_tb.W=128
simulate +stall=2 | grep -q '^passed: 160 frames, 0 cut, 0 discarded, 0 lost' || fail "wormhole with back-pressure"
cuts=0
for cycle in 40 60 80 100 120; do
  said=$(simulate +stall=4 +cut=$cycle)
  [[ $said == passed* ]] || fail "a link that goes down in cycle $cycle: $said"
  cuts=$((cuts + $(sed 's/.*frames, \([0-9]*\) cut.*/\1/' <<<"$said")))
done
[ $cuts -gt 0 ] || fail "no frame was cut"

# ---- the bench sees what is wrong: a sink that forgets its credits, a source that ignores them, another order of beats
planted() { # VCS FILE SED
  local vcs=$1
  shift
  mkdir -p "$work/axis"
  cp rtl/axis/*.v "$work/axis"
  sed -i "$2" "$work/axis/$1"
  ! cmp -s "rtl/axis/$1" "$work/axis/$1" || fail "'$2' changes nothing"
  iverilog -g2005-sv -Irtl -yrtl -y"$work/axis" -s axis_mesh_tb "-Paxis_mesh_tb.V=$vcs" -o "$work/bench" "$work/axis_mesh_tb.v" examples/axis_mesh/axis_mesh.v
  simulate +stall=4 >"$work/said" 2>&1 || true
  ! grep -q '^passed' "$work/said" || fail "not found: $2"
}
planted 1 ut_axis_sink.v 's/credit_q <= ~dead & (pop\[v\] | |pending_credits_q)/credit_q <= ~dead \& |pending_credits_q/'
planted 1 ut_axis_source.v 's/most >= NEED\[CW-1:0\]/most != 0/'
planted 2 ut_axis_sink.v 's/owner_q & there : turn/turn : turn/'
planted 1 ut_axis_sink.v 's/tail & flit_tag\[2\]/flit_tag[2]/;s/nonempty ? front : data_i/data_i/'
