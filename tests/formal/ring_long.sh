#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The bubble rule on the RTL: four real switches in a ring, one VC, buffers of two one-flit packets, terminals that do
# anything (ring.v).  yosys-smtbmc and z3 prove, for runs of any length, that there is always space for a packet in the
# ring; and that without the rule (dor_without_bubble) the ring fills.
#
#   tests/formal/ring_long.sh [FOLDER]   keeps the models and the trace of the ring that fills there, as ring_without.vcd
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rtl=${UTURN_ROOT:-$(cd "$here/../.." && pwd)}/rtl
keep=${1-}
work=${keep:-$(mktemp -d)}
mkdir -p "$work"
[ -n "$keep" ] || trap 'rm -rf "$work"' EXIT
fail() { echo "ring: $*" >&2; exit 1; }
nodes=4 base=4 fills=20 covers=10
code() { awk -v name="\`UT_TORUS_$1" '$1 == "`define" && "`" $2 == name { print $3 }' "$rtl/algorithms.vh"; }
dor=$(code DOR) without=$(code DOR_WITHOUT_BUBBLE)
[ -n "$dor$without" ] || fail "algorithms dor and dor_without_bubble are not known"

# connects ALGORITHM: the registers that ring.v looks at.  A name that does not exist stops Yosys.
connects() {
  local n p l s sw in vc out
  see() { echo "connect -nomap -nounset -set see_$1 $2"; }
  for ((n = 0; n < nodes; n++)); do
    sw="\\g_node[$n].u_switch"
    see "straps[$((16 * n + 15)):$((16 * n))]" "$sw.straps_q[15:0]"
    for p in 0 1 2; do
      l=$((3 * n + p)) in="$sw.g_in[$p].u_input" out="$sw.g_out[$p].u_output"
      vc="$in.g_vc[0].u_vc"
      see "credits[$((2 * l + 1)):$((2 * l))]" "$out.g_vc[0].credits_q"
      see "owned[$l]" "$out.g_vc[0].owned_q"
      see "offer[$((2 * l))]" "$out.g_vc[0].offer_q[0]"
      see "out_up[$l]" "$out.up_q"
      see "in_up[$l]" "$in.up_q"
      see "pending_credits[$((2 * l + 1)):$((2 * l))]" "$vc.pending_credits_q"
      see "count[$((2 * l + 1)):$((2 * l))]" "$vc.u_fifo.count_q"
      see "rd[$l]" "$vc.u_fifo.rd_q"
      see "wr[$l]" "$vc.u_fifo.wr_q"
      see "open[$l]" "$vc.open_q"
      see "state[$((3 * l + 2)):$((3 * l))]" "$vc.state_q"
      see "cand[$((3 * l + 2)):$((3 * l))]" "$vc.cand_q"
      [ "$1" != "$dor" ] || see "offer[$((2 * l + 1))]" "$out.g_vc[0].offer_q[1]"
      [ "$1" != "$dor" ] || see "bubble[$((3 * l + 2)):$((3 * l))]" "$vc.g_bubble.bubble_q"
      for s in 0 1; do
        see "tag[$((6 * l + 3 * s + 2)):$((6 * l + 3 * s))]" "$vc.u_fifo.tag_q[$s]"
      done
    done
  done
}

# model NAME ALGORITHM: NAME.smt2.  Down to single bits, so that payload which no decision looks at disappears.
model() {
  {
    echo "read_verilog -formal -I$rtl $(echo "$rtl"/*.v) $here/ring.v"
    echo "chparam -set ALGORITHM $2 ring"
    printf '%s\n' "hierarchy -check -top ring" proc flatten memory_collect memory_map "cd ring"
    connects "$2"
    printf '%s\n' "cd .." "opt -full" async2sync techmap simplemap "opt -full" opt_clean dffunmap \
      "write_smt2 -wires $work/$1.smt2"
  } >"$work/$1.ys"
  yosys -q -l "$work/$1.log" "$work/$1.ys" >/dev/null || fail "Yosys: $(tail -3 "$work/$1.log")"
  ! grep -q 'implicitly declared' "$work/$1.log" || fail "an undeclared name in ring.v: $(grep 'implicitly' "$work/$1.log")"
}

# solve NAME OPTIONS...: runs the solver, its words in NAME.out
solve() {
  local name=$1
  shift
  PATH="$here:$PATH" yosys-smtbmc -s z3 --unroll --noprogress "$@" "$work/$name.smt2" >"$work/$name.out" 2>&1
}

model ring "$dor"
solve ring -t "$base" || fail "the first $base cycles: $(tail -5 "$work/ring.out")"
solve ring -i -t 1 || fail "no induction: $(grep -i 'assert' "$work/ring.out")"
echo "ring of $nodes switches, dor: always space for a packet, in both directions: proven for runs of any length (induction over 1 cycle)"
solve ring -c -t "$covers" || fail "no packet in every buffer within $covers cycles: $(tail -3 "$work/ring.out")"
echo "  a packet in every buffer is reached: the claim is not empty"

model ring_without "$without"
if solve ring_without -t "$fills" ${keep:+--dump-vcd "$work/ring_without.vcd"}; then
  fail "without the rule the ring does not fill within $fills cycles"
fi
grep -q 'Assert failed in ring' "$work/ring_without.out" || fail "not an assertion: $(tail -3 "$work/ring_without.out")"
line=$(grep -n 'THE claim' "$here/ring.v" | cut -d: -f1)
grep -q "ring.v:[0-9.]*-$line\." "$work/ring_without.out" ||
  fail "another assertion than the claim: $(grep Assert "$work/ring_without.out")"
step=$(sed -n 's/.*Checking assertions in step \([0-9]*\).*/\1/p' "$work/ring_without.out" | tail -1)
echo "ring of $nodes switches, dor_without_bubble: full in cycle $step"
