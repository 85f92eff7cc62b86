#!/bin/bash
# The wave dump of the demo's first fault: every signal of the generated layout stands in the dump, a wrong one is noticed, and the
# picture is drawn.  Those of switches that keep states of nodes show a live switch, its states, and detours in colour.
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
grep -q 'vector_q' "$work/demo.gtkw" && grep -q 'vc_state.filter' "$work/demo.gtkw"
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
