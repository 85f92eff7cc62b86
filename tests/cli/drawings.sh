#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# drawings.sh - pictures of networks of all kinds and sizes, of journeys that are not over, and of counter-examples: each is a whole
# picture, with every terminal in it.
set -eu
cd "$UTURN_ROOT"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "drawings: $*" >&2; exit 1; }
grid() { # KIND KEYS ALGORITHM VCS
  printf 'topology: {kind: %s, %s}\nswitch: {vcs: %s, depth_flits: 8, packet_flits: 4}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.3}\n' \
    "$1" "$2" "$4" "$3"
}
# draw TERMINALS STATUS COMMAND...: the picture names terminals 0 to TERMINALS - 1
draw() {
  local terminals=$1 want=$2 status=0 i
  shift 2
  rm -f "$work/x.svg"
  "$UTURN_BIN" "$@" --svg "$work/x.svg" >/dev/null 2>"$work/err" || status=$?
  [ $status = "$want" ] || fail "$*: status $status: $(cat "$work/err")"
  [ "$(tail -n 1 "$work/x.svg")" = "</svg>" ] || fail "$*: the picture is not whole"
  for ((i = 0; i < terminals; i++)); do grep -q ">$i<" "$work/x.svg" || fail "$*: no terminal $i"; done
}

for n in 1 2 3 4; do
  grid hypercube "n: $n" ecube 1 >"$work/cube.yaml"
  draw $((1 << n)) 0 net "$work/cube.yaml"
  draw 0 0 trace "$work/cube.yaml" --cycles 300
done
grid hypercube "n: 2, local_ports: 2, terminal_links: 2" ecube 1 >"$work/links.yaml"
draw 8 0 net "$work/links.yaml" --loads --cycles 200
grid ft_ruft_222 "k: 2, n: 2" ruft 1 >"$work/ruft.yaml"
draw 4 0 net "$work/ruft.yaml" --loads --cycles 200
draw 0 0 trace "$work/ruft.yaml" --cycles 300
grid ruft "k: 4, n: 3" ruft 1 >"$work/wide.yaml"
draw 64 0 net "$work/wide.yaml"
grid fat_tree "k: 4, n: 3" fta 1 >"$work/tree.yaml"
draw 64 0 net "$work/tree.yaml"

# a packet at its source, on its first link, in a switch, on a link, and there
for cycles in 5 6 7 8 9 10 12 15 30; do draw 0 0 trace scenarios/trace_uturn.yaml --cycles $cycles; done
for cycles in 21 23 25 27 29; do draw 0 0 trace scenarios/detour_example_mesh.yaml --cycles $cycles; done
grid mesh "k: 3, n: 2" dor 1 >"$work/lost.yaml"
echo 'faults: [{at: 0, link: {level: 0, switch: 4, port: 0}}, {at: 0, link: {level: 0, switch: 4, port: 2}}]' >>"$work/lost.yaml"
for packet in 3:0 4:0 1:0 0:0; do draw 0 0 trace "$work/lost.yaml" --packet $packet --cycles 200; done

# each kind of counter-example
draw 8 4 prove tests/scenarios/tree_one_layer.yaml --faults 2 --show=loop
draw 8 4 prove tests/scenarios/tree_one_layer.yaml --faults 2 --show=cycle
draw 9 4 prove tests/scenarios/tree_switches.yaml --switch-faults 2 --faults 1 --show=discard
draw 4 4 prove tests/scenarios/ring_4.yaml --faults 1 --show=escape
draw 8 4 prove tests/scenarios/worm_ring.yaml
draw 16 4 prove tests/scenarios/cube_literal.yaml --node-faults 1..2 --samples 30 --show=loop
draw 8 4 prove scenarios/show/4_deadlock.yaml

# Loads: each link is as wide as the legend says of its busier direction; levels stand above each other, the roots on top.  Graphviz is
# told of each line and node in a line of its own: a stand-in gives that back.
mkdir "$work/bin"
printf '#!/bin/sh\necho "<svg>"; cat; echo "</svg>"\n' >"$work/bin/neato"
chmod +x "$work/bin/neato"
cat >"$work/loads.yaml" <<'YAML'
topology: {kind: fat_tree, k: 2, n: 2}
routing: {algorithm: fta}
traffic: {pattern: hot_spot, hot_spot_fraction: 0.5, hot_spot_node: 0, load_flits_per_cycle: 0.2}
YAML
PATH="$work/bin:$PATH" "$UTURN_BIN" net "$work/loads.yaml" --loads --cycles 2000 --svg "$work/x.svg" >/dev/null
"$UTURN_BIN" net "$work/loads.yaml" --loads --cycles 2000 --json >"$work/loads.json"
python3 - "$work/x.svg" "$work/loads.json" <<'PYTHON' || fail "a picture of loads is not as it should be"
import json, re, sys
text, loads = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))["loads"]
level = {int(m[2]): float(m[1]) for m in re.finditer(r'pos="[-0-9.]+,([-0-9.]+)",shape=box,[^\n]*label=<(\d)\.', text)}
terminals = {float(y) for y in re.findall(r'  t\d \[pos="[-0-9.]+,([-0-9.]+)"', text)}
assert max(terminals) < level[0] < level[1], f"heights: terminals {terminals}, levels {level}"
lines = [(float(y), float(width)) for y, width in re.findall(r's0 -> s0 \[pos="[-0-9.]+,([-0-9.]+) [^\n]*penwidth=([0-9.]+)', text)]
legend, drawn = [w for y, w in lines if y < min(terminals)], sorted(w for y, w in lines if y > min(terminals))
full = float(re.search(r'label="([0-9.]+) flits/cycle, the busier direction', text)[1])
links = {}
for load in loads:
    ends = ("terminal", load["to_terminal"]) if "to_terminal" in load else tuple(sorted((load["switch"], load["to_switch"])))
    links[ends] = max(links.get(ends, 0), load["flits_per_cycle"])
wanted = sorted(legend[0] + (legend[-1] - legend[0]) * load / full for load in links.values())
assert len(drawn) == len(wanted) and all(abs(a - b) < 0.01 for a, b in zip(drawn, wanted)), f"widths {drawn}, expected {wanted}"
PYTHON

# Networks of any form: no two boxes lie on each other, all links and terminals are there, few links run behind a box that is not theirs,
# and levels stand above each other.  Of each: kind and keys, how many links may run behind boxes, levels.
look() { # KIND KEYS HITS LEVELS
  printf 'topology: {kind: %s, %s}\nrouting: {algorithm: forwarding}\ntraffic: {load_flits_per_cycle: 0.1}\n' "$1" "$2" >"$work/graph.yaml"
  looks=$((looks + 1))
  PATH="$work/bin:$PATH" "$UTURN_BIN" net "$work/graph.yaml" --svg "$work/look$looks.svg" --json >"$work/look$looks.json"
  echo "$work/look$looks $3 $4 $1, $2" >>"$work/looks"
}
looks=0
grid mesh "sizes: [8, 8]" dor 1 >"$work/mesh.yaml"
"$UTURN_BIN" net "$work/mesh.yaml" --write "$work/mesh.net" >/dev/null
printf 'router %s node %s node %s router 3 router 3 router 4\n' 0 0 1 1 2 3 2 4 5 >"$work/spines.anynet"
look dragonfly 'routers: 4, local_ports: 2, global_links: 2' 0 0
look hyperx 'sizes: [4, 4], local_ports: 2' 0 0
look hyperx 'sizes: [8]' 0 0
look slim_fly 'q: 5' 38 0
look xgft 'down: [4, 4, 4], up: [1, 4, 4]' 0 3
look graph "file: $work/spines.anynet" 0 2
look graph "file: $work/mesh.net" 0 0
python3 - "$work/looks" <<'PYTHON' || fail "a picture of a graph is not as it should be"
import json, re, sys
number = r"([-0-9.]+)"
for look in open(sys.argv[1]):
    file, hits, levels, name = look.rstrip("\n").split(" ", 3)
    text, net = open(file + ".svg").read(), json.load(open(file + ".json"))
    box = [tuple(map(float, m)) for m in re.findall(rf'  s\d+ \[pos="{number},{number}".*?width={number},height={number}', text)]
    terminal = [tuple(map(float, m)) for m in re.findall(rf'  t\d+ \[pos="{number},{number}".*?width={number},height={number}', text)]
    lines = [tuple(map(float, m)) for m in re.findall(rf's0 -> s0 \[pos="{number},{number} .*? {number},{number}"', text)]
    assert len(box) == net["switches"] and len(terminal) == net["terminals"], f"{name}: {len(box)} switches, {len(terminal)} terminals"
    assert len(lines) == net["links"] + net["terminals"], f"{name}: {len(lines)} lines, expected {net['links'] + net['terminals']}"
    everything = box + terminal
    for i, (x, y, w, h) in enumerate(everything):
        for u, v, a, b in everything[:i]:
            assert abs(x - u) >= 36 * (w + a) - 0.1 or abs(y - v) >= 36 * (h + b) - 0.1, f"{name}: boxes at {x, y} and {u, v} overlap"
    behind = 0
    for x, y, u, v in lines:
        for bx, by, w, h in box:  # the middle of a box that is nearer to a line than half of its height, and not at its end
            length = ((u - x) ** 2 + (v - y) ** 2) ** 0.5
            along, beside = ((bx - x) * (u - x) + (by - y) * (v - y)) / length, ((bx - x) * (v - y) - (by - y) * (u - x)) / length
            behind += 0 < along < length and abs(beside) < 12
    assert behind <= int(hits), f"{name}: {behind} boxes with a link behind them, expected at most {hits}"
    heights = len({round(y, 1) for _, y, _, _ in box})
    assert not int(levels) or heights == int(levels), f"{name}: {heights} heights, expected {levels} levels"
PYTHON
