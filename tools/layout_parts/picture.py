# SPDX-License-Identifier: Apache-2.0
"""A picture of a routed layout: where the registers of each port are, the longest path with wires, and all wires of a cutout.

    python3 picture.py CELLS.lef FOLDER     reads FOLDER/top_route.def, names.json, after.txt; writes layout.svg
"""
import collections
import json
import os
import re
import sys

from geometry import Def, Lef

WIDE, CUT_UM = 620, 48  # points of each half; side of the cutout
METAL = {
    "metal1": "#4a6fd0",
    "metal2": "#d0443e",
    "metal3": "#2f9e5b",
    "metal4": "#c7892b",
    "metal5": "#8d52c4",
    "metal6": "#2aa5b5",
}
HUES = ["#1f77b4", "#d9822b", "#2c9c3f", "#c23b8f", "#7a5cc9", "#8c6d31", "#17a2a2", "#b23a3a"]
LOGIC, FRAME, POWER = "#c9ccd1", "#555", "#e3e5e8"


def port_of(register, widths):
    """(side, port) of a register by its name in the RTL; None: it belongs to no port."""
    inside = re.match(r"g_(in|out)\[(\d+)\]", register)
    if inside:
        return inside[1], int(inside[2])
    bit = re.match(r"((in|out)_\w+_o)\[(\d+)\]", register)
    return (bit[2], int(bit[3]) * widths["ports"] // widths[bit[1]]) if bit else None


def widths_of(registers):
    widths = collections.Counter()
    for register in registers:
        bit = re.match(r"((?:in|out)_\w+_o)\[(\d+)\]", register)
        inside = re.match(r"g_in\[(\d+)\]", register)
        if bit:
            widths[bit[1]] = max(widths[bit[1]], int(bit[2]) + 1)
        if inside:
            widths["ports"] = max(widths["ports"], int(inside[1]) + 1)
    return widths


class View:
    """Places of the layout to places of the picture; y goes up in a layout."""

    def __init__(self, window, left, top, wide):
        self.window, self.left, self.top = window, left, top
        self.scale = wide / (window[2] - window[0])
        self.high = self.scale * (window[3] - window[1])

    def xy(self, x, y):
        return self.left + (x - self.window[0]) * self.scale, self.top + (self.window[3] - y) * self.scale

    def path(self, boxes):
        text = []
        for left, low, right, high in boxes:
            x, y = self.xy(left, high)
            wide, deep = (right - left) * self.scale, (high - low) * self.scale
            text.append(f"M{x:.1f} {y:.1f}h{wide:.1f}v{deep:.1f}h{-wide:.1f}z")
        return "".join(text)


class Picture:
    def __init__(self, lef, layout, names):
        self.lef, self.layout, self.names, self.svg = lef, layout, names, []
        die, units = layout.die, layout.units
        self.die = View(die, 20, 40, WIDE)
        x, y = (die[0] + die[2]) // 2, (die[1] + die[3]) // 2
        high = CUT_UM * units * self.die.high / WIDE
        self.cut = View((x - CUT_UM * units / 2, y - high / 2, x + CUT_UM * units / 2, y + high / 2), WIDE + 60, 40, WIDE)

    def add(self, text):
        self.svg.append(text)

    def text(self, x, y, words, more=""):
        self.add(f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>')

    def frame(self, view, title):
        x, y = view.xy(view.window[0], view.window[3])
        self.add(f'<rect x="{x}" y="{y}" width="{WIDE}" height="{view.high:.1f}" fill="#fff" stroke="{FRAME}"/>')
        self.text(view.left, view.top - 10, title)

    def groups(self):
        """The boxes of cells, by what they are."""
        rtl = {i: self.names["rtl"][self.names["instance"][i]] for i in self.layout.cell if i in self.names["instance"]}
        widths = widths_of(rtl.values())
        groups = collections.defaultdict(list)
        for instance, register in rtl.items():
            port = port_of(register, widths) if register.endswith("_reg") else "logic"
            groups[port or "other"].append(self.layout.box(self.lef, instance))
        return groups, widths["ports"]

    def placement(self, path):
        self.frame(self.die, "Cells; the registers of each port; the longest path with wires")
        power = [wire for net in self.layout.special.values() for wire in net.drawn if wire[0] == "metal6"]
        stripes = [(a[0] - width / 2, min(a[1], b[1]), a[0] + width / 2, max(a[1], b[1])) for _, width, a, b in power]
        self.add(f'<path d="{self.die.path(stripes)}" fill="{POWER}"/>')
        groups, ports = self.groups()
        legend = [("logic", LOGIC, 1, "logic")]
        for port in range(ports):
            legend.append((("in", port), HUES[port % len(HUES)], 1, f"input port {port}"))
            legend.append((("out", port), HUES[port % len(HUES)], 0.45, f"output port {port}"))
        legend.append(("other", "#222", 1, "other registers"))
        for group, colour, opacity, _ in legend:
            self.add(f'<path d="{self.die.path(groups[group])}" fill="{colour}" fill-opacity="{opacity}"/>')
        points = [self.die.xy(*place) for place in path]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.add(f'<polyline points="{line}" fill="none" stroke="#fff" stroke-width="4"/>')
        self.add(f'<polyline points="{line}" fill="none" stroke="#000" stroke-width="1.6"/>')
        for x, y in points:
            self.add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6"/>')
        box = self.die.path([self.cut.window])
        self.add(f'<path d="{box}" fill="none" stroke="#000" stroke-width="1.5" stroke-dasharray="4 2"/>')
        return [(colour, opacity, words) for group, colour, opacity, words in legend if groups[group]]

    def wires(self):
        self.frame(self.cut, f"Cutout of {CUT_UM} um (dashed on the left): every wire and via")
        left, low, right, high = self.cut.window
        self.add(f'<clipPath id="cut"><path d="{self.cut.path([self.cut.window])}"/></clipPath><g clip-path="url(#cut)">')
        cells = []
        for instance, (kind, *_) in self.layout.cell.items():
            box = self.layout.box(self.lef, instance)
            if box[0] < right and box[2] > left and box[1] < high and box[3] > low and not kind.startswith("FILL"):
                cells.append(box)
        self.add(f'<path d="{self.cut.path(cells)}" fill="#eef0f3" stroke="#c4c8ce" stroke-width=".7"/>')
        boxes = {metal: [] for metal in METAL}
        for net in [*self.layout.net.values(), *self.layout.special.values()]:
            for metal, width, a, b in net.drawn:
                half = (width or self.lef.layer[metal]["width"] * self.layout.units) / 2
                box = min(a[0], b[0]) - half, min(a[1], b[1]) - half, max(a[0], b[0]) + half, max(a[1], b[1]) + half
                if box[0] < right and box[2] > left and box[1] < high and box[3] > low:
                    boxes[metal].append((max(box[0], left), max(box[1], low), min(box[2], right), min(box[3], high)))
        for metal, colour in METAL.items():
            self.add(f'<path d="{self.cut.path(boxes[metal])}" fill="{colour}" fill-opacity=".75"/>')
        vias = [p for net in self.layout.net.values() for _, _, p in net.vias if left < p[0] < right and low < p[1] < high]
        self.add(f'<path d="{self.cut.path([(x - 10, y - 10, x + 10, y + 10) for x, y in vias])}" fill="#000"/></g>')

    def legend(self, items, left, top):
        x, y = left, top
        for colour, opacity, words in items:
            wide = 26 + 6.6 * len(words)
            if x + wide > left + WIDE:
                x, y = left, y + 20
            self.add(f'<rect x="{x:.1f}" y="{y}" width="12" height="12" fill="{colour}" fill-opacity="{opacity}"/>')
            self.text(x + 17, y + 10.5, words, 'font-size="12"')
            x += wide

    def write(self, path, places):
        ports = self.placement(places)
        self.wires()
        below = self.die.top + self.die.high + 14
        self.legend(ports, self.die.left, below)
        self.legend([(colour, 0.75, metal) for metal, colour in METAL.items()] + [("#000", 1, "via")], self.cut.left, below)
        wide, high = 2 * WIDE + 80, below + 60
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high:.0f}" viewBox="0 0 {wide} {high:.0f}" '
                'font-family="DejaVu Sans, sans-serif" font-size="14">\n<rect width="100%" height="100%" fill="#fff"/>\n'
            )
            file.write("\n".join(self.svg) + "\n</svg>\n")


def path_places(report, layout, lef, names):
    """Where the cells of the longest path are."""
    instance = {plain: i for i, plain in names["instance"].items()}
    places = []
    for line in report:
        if "data arrival" in line:
            break
        step = re.search(r"[v^] (\S+)/\w+ \(", line)
        if step and step[1] in instance:
            left, low, right, high = layout.box(lef, instance[step[1]])
            place = (left + right) / 2, (low + high) / 2
            places += [place] if places[-1:] != [place] else []
    return places


def main(lef_path, folder):
    lef, layout = Lef(lef_path), Def(os.path.join(folder, "top_route.def"))
    with open(os.path.join(folder, "names.json"), encoding="utf-8") as file:
        names = json.load(file)
    with open(os.path.join(folder, "after.txt"), encoding="utf-8") as file:
        places = path_places(file, layout, lef, names)
    Picture(lef, layout, names).write(os.path.join(folder, "layout.svg"), places)


if __name__ == "__main__":
    main(*sys.argv[1:])
