#!/bin/bash
# The wave dump of the demo's first fault: every signal of the generated layout stands in the dump, a wrong one is noticed, and the
# picture is drawn.
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
for tool in Xvfb xwd convert; do
  command -v $tool >/dev/null || { echo "no $tool: the picture is not drawn"; exit 0; }
done
"$UTURN_BIN" wave "$work/demo.fst" --png "$work/demo.png"
size=$(stat -c %s "$work/demo.png")
geometry=$(convert "$work/demo.png" -format '%w %h %k' info:)
echo "picture: $geometry colours, $size bytes"
set -- $geometry
[ "$1" -ge 1600 ] && [ "$2" -ge 1000 ] && [ "$3" -gt 8 ] && [ "$size" -gt 20000 ]
