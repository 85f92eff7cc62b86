#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The wave dump of the demo's first fault: every signal of the generated layout stands in the dump, a wrong one is noticed, and the
# picture is drawn.  Those of switches that keep states of nodes show a live switch, its states, and detours in colour.  The dump of a
# mismatch holds both sides and what follows, and says what the flits are.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$UTURN_ROOT"
"$UTURN_BIN" cosim scenarios/demo.yaml --cycles 20200 --wave "$work/demo.fst" --wave-window fault >/dev/null 2>"$work/log" ||
  { cat "$work/log"; exit 1; }
[ -s "$work/demo.fst" ]
waves/show --check "$work/demo.fst"
# the check can fail: a copy of the script that asks for a register which is not there
mkdir -p "$work/waves" "$work/rtl"
cp rtl/header.tsv "$work/rtl/"
sed 's/u_fifo\.count_q/u_fifo.cuont_q/g' waves/show >"$work/waves/show"
chmod +x "$work/waves/show"
if "$work/waves/show" --check "$work/demo.fst" 2>/dev/null; then
  echo "a stale name was not noticed"
  exit 1
fi
waves/show --layout "$work/demo.fst" "$work/demo.gtkw"
grep -q 'vector_q' "$work/demo.gtkw" && grep -q '^+{packet} words\.s1_5\.in_down0\.' "$work/demo.gtkw" ||
  { echo "no re-route vector, or no packets: $(cat "$work/demo.gtkw")"; exit 1; }
# nodes that have failed from the start: what a mesh keeps of states
"$UTURN_BIN" cosim scenarios/detour_example_mesh.yaml --wave "$work/mesh.fst" >/dev/null 2>"$work/log" || { cat "$work/log"; exit 1; }
waves/show --check "$work/mesh.fst"
waves/show --layout "$work/mesh.fst" "$work/mesh.gtkw"
for word in '^-node$' '^#{state} .*out_up_i.*u_nodes\.unsafe_q' 'u_nodes\.bad_q' 'u_nodes\.refuses_q' '^#{s0_.* state} ' 'candidates}' '#{flit}' \
  'u_nodes.*disabled_q' 'u_nodes.*diagonal_q' 'u_nodes.*border_q' 'u_nodes.*corner_q'; do
  grep -q -- "$word" "$work/mesh.gtkw" || { echo "mesh: no $word"; exit 1; }
done
grep -q '^-switch s0_9$' "$work/mesh.gtkw" || { echo "not the busiest neighbour of the node that has failed"; exit 1; }
# the check can fail there, too
sed -i 's/u_fifo\.cuont_q/u_fifo.count_q/g; s/\.front"/.fornt"/g' "$work/waves/show"
if "$work/waves/show" --check "$work/mesh.fst" 2>/dev/null; then
  echo "a stale name in a combined signal was not noticed"
  exit 1
fi
# A mismatch: the printed command's dump.  A credit that switch 1.1 gets back too early in cycle 501 is seen below, too.
cat >"$work/tree.yaml" <<'YAML'
topology: {kind: fat_tree, k: 2, n: 3}
switch: {depth_flits: 4, packet_flits: 2, route_cycles: 0}
routing: {algorithm: reroute_adaptive_link, reroute_timeout_cycles: 500}
traffic: {load_flits_per_cycle: 0.6}
faults:
  - {at: 300, until: 700, link: {level: 1, switch: 1, port: 1}}
run: {warmup_cycles: 0, measure_cycles: 2000, drain: false, seed: 3}
YAML
# changes NAME SIGNAL: its changes in cycles 495 to 509, as cycle:value
changes() {
  echo $(awk -v signal="$2" '/^\$scope/ { scope[++d] = $3 } /^\$upscope/ { d-- }
    /^\$var/ { path = ""; for (i = 1; i <= d; i++) path = path scope[i] "."; if (path $5 == signal) id = $4 }
    /^#/ { time = substr($0, 2) / 1000 }
    time < 495 || time > 509 { next }
    /^[01]/ && substr($0, 2) == id { print time ":" substr($0, 1, 1) }
    /^[bs]/ && $2 == id { gsub(/\\040/, "_", $1); print time ":" substr($1, 2) }' "$work/$1.vcd")
}
# is WHAT EXPECTED GOT
is() { [ "$2" = "$3" ] || { echo "$1: expected '$2', got '$3'"; exit 1; }; }
# mismatch NAME OPTIONS...: dumps and shows it
mismatch() {
  local name=$1 status=0
  shift
  "$UTURN_BIN" cosim "$work/tree.yaml" --inject 501:1.1:in0.vc0.pending_credits_q:0 --wave "$work/$name.fst" "$@" >/dev/null 2>"$work/log" || status=$?
  is "status with a mismatch" 3 $status
  waves/show --check "$work/$name.fst"
  waves/show --layout "$work/$name.fst" "$work/$name.gtkw"
  fst2vcd "$work/$name.fst" >"$work/$name.vcd" 2>/dev/null
  is "$name: marker" 502000 "$(awk '/^\*/ { print $2 }' "$work/$name.gtkw")"
  is "$name: the first register shown" "in0 vc0 credit_q RTL" "$(sed -n 's/^+{\(.* RTL\)}.*/\1/p' "$work/$name.gtkw" | head -1)"
}
mismatch mismatch --wave-window mismatch
is "RTL" "502:1 503:0 506:1" "$(changes mismatch lockstep.s1_1.in0.vc0.credit_q.rtl)"
is "golden side" "506:1" "$(changes mismatch lockstep.s1_1.in0.vc0.credit_q.golden)"
is "they differ" "502:1 503:0" "$(changes mismatch lockstep.s1_1.in0.vc0.credit_q.differs)"
is "the network differs" "502:1" "$(changes mismatch lockstep.differs)"
is "the switch below has a credit too many" "503:1 508:0" "$(changes mismatch lockstep.s0_0.out3.vc0.credits_q.differs)"
is "the last cycle" "#512000" "$(grep '^#' "$work/mismatch.vcd" | tail -2 | head -1)"
is "what fails" "s link_0.1-1.1_down" "$(sed -n 's/\\040/_/g; s/^s\(link.*\) .*/s \1/p' "$work/mismatch.vcd")"
is "what leads up" "508:0>5_#120_head 509:0>5_#120_tail" "$(changes mismatch words.s1_1.out_up2.vc0.sends)"
is "what arrives from below" "495: 509:1>2_#125_head" "$(changes mismatch words.s1_1.in_down0.vc0.arrives)"
is "what waits" "506:1>2_#122_active_down0 507:0>5_#120_idle 508:0>5_#120_active_up2 509:1>2_#125_idle" \
  "$(changes mismatch words.s1_1.in_down0.vc0.packet)"
# The same in a window by its cycles, and with the spec's switches.
mismatch window --wave-window 490:530 --golden spec
is "the last cycle of the window" "#530000" "$(grep '^#' "$work/window.vcd" | tail -2 | head -1)"
# `trace` says the same of the packet that leads up.
"$UTURN_BIN" trace "$work/tree.yaml" --packet 0:120 >"$work/trace"
grep -q '^ *3 *508  2.1' "$work/trace" || { echo "packet 0:120 is not on the wire from 1.1 to 2.1 in cycle 508: $(cat "$work/trace")"; exit 1; }
# A window behind a gap: cycles in which nothing happens are jumped up to the window, and all of it stands in the dump.
printf '10 0 7 2\n2000000100 3 4 2\n' >"$work/gap.trace"
sed -e 's/^traffic.*/traffic: {pattern: trace, trace_file: gap.trace}/; s/measure_cycles: 2000/measure_cycles: 3000000000/' "$work/tree.yaml" >"$work/gap.yaml"
timeout 100 "$UTURN_BIN" cosim "$work/gap.yaml" --wave "$work/gap.fst" --wave-window 2000000080:2000000130 >/dev/null 2>"$work/log" ||
  { cat "$work/log"; exit 1; }
fst2vcd "$work/gap.fst" >"$work/gap.vcd" 2>/dev/null
is "the first and the last cycle behind a gap" "#2000000080000 #2000000130500" "$(grep '^#' "$work/gap.vcd" | sed -n '1p;$p' | tr '\n' ' ' | sed 's/ $//')"
is "every cycle of a window behind a gap" 102 "$(grep -c '^#' "$work/gap.vcd")"
is "a packet behind a gap" "s3>4_#0_head" "$(sed -n 's/\\040/_/g; s/^\(s3>4_#0_head\) .*/\1/p' "$work/gap.vcd" | head -1)"
# Ctrl-C while it dumps: what is there is kept, and said; before that, that there is nothing.
sed -e 's/measure_cycles: 2000/measure_cycles: 60000/; /^faults/,/port/d' "$work/tree.yaml" >"$work/long.yaml"
"$UTURN_BIN" cosim "$work/long.yaml" --wave "$work/long.fst" --wave-window 20:60000 >"$work/out" 2>"$work/log" &
for _ in $(seq 600); do
  size=$(stat -c %s "$work"/long.fst*.part 2>/dev/null | head -1)
  [ "${size:-0}" -lt 1000 ] || break
  sleep 0.1
done
sleep 0.5
kill -INT $!
status=0
wait $! || status=$?
is "status after Ctrl-C" 130 $status
last=$(sed -n 's/^uturn: interrupted: .*long.fst holds cycles 20 to \([0-9]*\) of 12 switches.*/\1/p' "$work/log")
[ -n "$last" ] && [ "$last" -gt 20 ] && [ "$last" -lt 60000 ] || { echo "what the dump holds: $(cat "$work/log")"; exit 1; }
waves/show --check "$work/long.fst"
is "the last cycle before Ctrl-C" "#${last}" "$(fst2vcd "$work/long.fst" 2>/dev/null | grep '^#' | tail -1 | sed 's/[05]00$//')"
rm -f "$work/long.fst"
sed -i 's/measure_cycles: 60000/measure_cycles: 60000000/' "$work/long.yaml"
"$UTURN_BIN" cosim "$work/long.yaml" --wave "$work/long.fst" >"$work/out" 2>"$work/log" &
sleep 1
kill -INT $!
wait $! && exit 1
grep -q "interrupted before the run that is dumped: no .*long.fst is written" "$work/log" || { echo "not said: $(cat "$work/log")"; exit 1; }
for tool in Xvfb xwd convert; do
  command -v $tool >/dev/null || { echo "no $tool: the picture is not drawn"; exit 0; }
done
"$UTURN_BIN" wave "$work/demo.fst" --png "$work/demo.png"
size=$(stat -c %s "$work/demo.png")
geometry=$(convert "$work/demo.png" -format '%w %h %k' info:)
echo "picture: $geometry colours, $size bytes"
set -- $geometry
[ "$1" -ge 1600 ] && [ "$2" -ge 1000 ] && [ "$3" -gt 8 ] && [ "$size" -gt 20000 ]
# faulty, unsafe and disabled nodes beside the block, and the detour
"$UTURN_BIN" wave "$work/mesh.fst" --png "$work/mesh.png"
for colour in FF0000 B8860B A020F0 D2691E; do
  convert "$work/mesh.png" -fuzz 2% -fill white +opaque "#$colour" -fill black -opaque "#$colour" -format '%[fx:int((1-mean)*w*h)]' info: >"$work/pixels"
  [ "$(cat "$work/pixels")" -gt 1000 ] || { echo "nothing is #$colour: $(cat "$work/pixels") pixels"; exit 1; }
done
