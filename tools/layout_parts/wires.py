# SPDX-License-Identifier: Apache-2.0
"""Wires of a routed layout: lengths, and resistance and capacitance of each net for OpenSTA.

    python3 wires.py CELLS.lef FOLDER    reads FOLDER/top_route.def, names.json; writes top.spef, wires.json

The capacitance of a wire is that of LEF: area and both edges.  Vias have the resistance that Magic's file of the process
gives those of metal 1.  A net is a tree of resistances from its driver; where the router closed a loop, the longer way
falls open.
"""
import collections
import heapq
import json
import os
import statistics
import sys

from geometry import Def, Lef

VIA_OHM = 5.68
METAL = [f"metal{i}" for i in range(1, 7)]
OUTPUTS = {"Y", "Q", "YC", "YS"}
HEADER = """*SPEF "IEEE 1481-1998"
*DESIGN "top"
*DATE ""
*VENDOR ""
*PROGRAM "uturn layout"
*VERSION ""
*DESIGN_FLOW ""
*DIVIDER /
*DELIMITER :
*BUS_DELIMITER [ ]
*T_UNIT 1 NS
*C_UNIT 1 PF
*R_UNIT 1 OHM
*L_UNIT 1 HENRY

"""


class Tree:
    """Nodes are (layer, x, y), and (instance, pin) of the pins."""

    def __init__(self, lef, layout, name):
        self.lef, self.layout, self.net = lef, layout, layout.net[name]
        self.near, self.pf, self.um = collections.defaultdict(dict), collections.Counter(), collections.Counter()
        self.vias = self.joined = 0
        self.points()
        self.wires()
        for pin in self.net.pins:
            self.pin(pin)
        self.walk()

    def join(self, a, b, ohm):
        self.near[a][b] = self.near[b][a] = min(ohm, self.near[a].get(b, ohm))

    def points(self):
        self.at = collections.defaultdict(set)
        for layer, _, a, b in self.net.drawn:
            self.at[layer] |= {a, b}
        for low, high, place in self.net.vias:
            self.at[low].add(place)
            self.at[high].add(place)

    def wires(self):
        done = set()
        for layer, _, a, b in self.net.drawn:
            low, high = (min(a[0], b[0]), min(a[1], b[1])), (max(a[0], b[0]), max(a[1], b[1]))
            on = sorted(p for p in self.at[layer] if low[0] <= p[0] <= high[0] and low[1] <= p[1] <= high[1])
            for pair in zip(on, on[1:]):
                if (layer, pair) not in done:  # the router draws some pieces twice
                    done.add((layer, pair))
                    self.piece(layer, *pair)
        for low, high, place in set(self.net.vias):
            self.join((low, *place), (high, *place), VIA_OHM)
            self.vias += 1

    def piece(self, layer, p, q):
        metal = self.lef.layer[layer]
        um = (abs(p[0] - q[0]) + abs(p[1] - q[1])) / self.layout.units
        self.um[layer] += um
        for end in (p, q):
            self.pf[(layer, *end)] += um * (metal["width"] * metal["c"] + 2 * metal["edge"]) / 2
        self.join((layer, *p), (layer, *q), um * metal["r"] / metal["width"])

    def pin(self, pin):
        """A pin is one piece of metal: all points of wires on it are the same node, nearly."""
        self.near[pin]
        if pin[0] == "PIN":
            layer, x, y = self.layout.port[pin[1]]
            boxes = [(layer, (x, y, x, y))]
        else:
            boxes = self.layout.pin_boxes(self.lef, *pin)
        half = 20  # a via reaches so far
        for layer, (left, low, right, high) in boxes:
            for x, y in self.at[layer]:
                if left - half <= x <= right + half and low - half <= y <= high + half:
                    self.join(pin, (layer, x, y), 0.001)

    def walk(self):
        driver = [p for p in self.net.pins if p[0] != "PIN" and p[1] in OUTPUTS]
        self.driver = (driver or [p for p in self.net.pins if p[0] == "PIN"] or [None])[0]
        self.reach()
        while len(self.ohm) < len(self.near):  # pieces that touch beside their ends: the router's bends at a pin off its grid
            self.joined += 1
            self.touch()
            self.reach()

    def reach(self):
        self.ohm, self.parent, queue, n = {}, {}, [(0, 0, self.driver, None)], 0
        while queue:
            ohm, _, node, parent = heapq.heappop(queue)
            if node in self.ohm:
                continue
            self.ohm[node] = ohm
            self.parent[node] = parent
            for other, more in self.near[node].items():
                n += 1
                heapq.heappush(queue, (ohm + more, n, other, node))

    def touch(self):
        def place(node):
            if len(node) == 3:
                return node[1:]
            if node[0] == "PIN":
                return self.layout.port[node[1]][1:]
            box = self.layout.pin_boxes(self.lef, *node)[0][1]
            return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2

        def gap(pair):
            (x, y), (u, v) = place(pair[0]), place(pair[1])
            return abs(x - u) + abs(y - v) + 1000 * (len(pair[0]) == len(pair[1]) == 3 and pair[0][0] != pair[1][0])

        here, there = list(self.ohm), [node for node in self.near if node not in self.ohm]
        a, b = min(((p, q) for p in here for q in there), key=gap)
        self.join(a, b, 0.5)


def write_spef(file, name, tree, instance):
    """The node of a pin has its name, other nodes a number."""
    label = {}

    def of(node):
        if node[0] == "PIN":
            return node[1]
        if len(node) == 2:
            return f"{instance[node[0]]}:{node[1]}"
        return f"{name}:{label.setdefault(node, len(label) + 1)}"

    file.write(f"*D_NET {name} {sum(tree.pf.values()):.6g}\n*CONN\n")
    for pin in tree.net.pins:
        port = pin[0] == "PIN"
        file.write(f"*{'P' if port else 'I'} {of(pin)} {'I' if (pin == tree.driver) == port else 'O'}\n")
    file.write("*CAP\n")
    for i, (node, pf) in enumerate(tree.pf.items(), 1):
        file.write(f"{i} {of(node)} {pf:.6g}\n")
    file.write("*RES\n")
    ways = [(node, parent) for node, parent in tree.parent.items() if parent is not None]
    for i, (node, parent) in enumerate(ways, 1):
        file.write(f"{i} {of(parent)} {of(node)} {tree.near[node][parent]:.6g}\n")
    file.write("*END\n\n")


def main(lef_path, folder):
    lef, layout = Lef(lef_path), Def(os.path.join(folder, "top_route.def"))
    with open(os.path.join(folder, "names.json"), encoding="utf-8") as file:
        names = json.load(file)
    um, vias, joined, nets = collections.Counter(), 0, 0, []
    with open(os.path.join(folder, "top.spef"), "w", encoding="utf-8") as file:
        file.write(HEADER)
        for name in layout.net:
            tree = Tree(lef, layout, name)
            write_spef(file, name, tree, names["instance"])
            um += tree.um
            vias += tree.vias
            joined += tree.joined
            nets.append((sum(tree.um.values()), sum(tree.pf.values()), len(tree.net.pins) - 1, name))
    nets.sort(reverse=True)
    area = collections.Counter()
    for kind, *_ in layout.cell.values():
        width, height = lef.cell[kind]["size"]
        area["fill" if kind.startswith("FILL") else "cells"] += width * height
    left, low, right, high = (v / layout.units for v in layout.die)
    clock = [n for n in nets if n[3] == "clk_i" or n[3].startswith("clock_tree_")]
    signals = [n for n in nets if n not in clock]
    result = {
        "cells": sum(not kind.startswith("FILL") for kind, *_ in layout.cell.values()),
        "ports": len(layout.port) - 2,
        "nets": len(nets),
        "die_um": [round(right - left, 2), round(high - low, 2)],
        "cell_area_um2": round(area["cells"]),
        "fill_area_um2": round(area["fill"]),
        "wire_mm": round(sum(um.values()) / 1000, 3),
        "wire_mm_by_layer": {metal: round(um[metal] / 1000, 3) for metal in METAL},
        "vias": vias,
        "wire_pf": round(sum(n[1] for n in nets), 3),
        "net_um": {"mean": round(statistics.mean(n[0] for n in signals), 1), "median": round(statistics.median(n[0] for n in signals), 1)},
        "longest": [{"net": names["rtl"][n[3]], "um": round(n[0], 1), "pf": round(n[1], 4), "sinks": n[2]} for n in signals[:5]],
        "clock_um": sum(n[0] for n in clock),
        "joined": joined,
    }
    with open(os.path.join(folder, "wires.json"), "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
