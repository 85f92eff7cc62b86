# SPDX-License-Identifier: Apache-2.0
"""What layout reads of LEF (the process and the cells) and of DEF (a layout).  Lengths of LEF in um, those of DEF in its units."""
import re


class Lef:
    """layer[name]: width, r (ohm a square), c (pF/um2), edge (pF/um); cell[name]: size, pins {name: [(layer, box)]}."""

    def __init__(self, path):
        self.layer, self.cell = {}, {}
        section, pin = None, None
        with open(path, encoding="utf-8") as file:
            for word in (line.split() for line in file):
                if not word or word[0].startswith("#"):
                    continue
                if section is None:
                    section = self.begin(word)
                elif word[0] == "END" and pin is None and len(word) > 1 and word[1] == section[1]:
                    section = None
                elif section[0] == "LAYER":
                    self.of_layer(self.layer[section[1]], word)
                elif section[0] == "MACRO":
                    pin = self.of_cell(self.cell[section[1]], word, pin)

    def begin(self, word):
        if word[0] == "LAYER":
            self.layer[word[1]] = {}
        elif word[0] == "MACRO":
            self.cell[word[1]] = {"pins": {}}
        elif word[0] in ("UNITS", "SPACING") and len(word) == 1:
            return word[0], word[0]
        elif word[0] not in ("VIA", "VIARULE", "SITE"):
            return None
        return word[0], word[1]

    @staticmethod
    def of_layer(layer, word):
        key = {"WIDTH": ("width", 1), "RESISTANCE": ("r", 2), "CAPACITANCE": ("c", 2), "EDGECAPACITANCE": ("edge", 1)}
        if word[0] in key:
            name, at = key[word[0]]
            layer[name] = float(word[at])

    def of_cell(self, cell, word, pin):
        if word[0] == "SIZE":
            cell["size"] = float(word[1]), float(word[3])
        elif word[0] == "PIN":
            pin = word[1]
            cell["pins"][pin] = []
        elif word[0] == "OBS":
            pin = "OBS"
        elif word[0] == "LAYER":
            self.metal = word[1]
        elif word[0] == "RECT" and pin in cell["pins"]:
            cell["pins"][pin].append((self.metal, tuple(float(v) for v in word[1:5])))
        elif word[0] == "END" and (len(word) == 1 and pin == "OBS" or len(word) > 1 and word[1] == pin):
            return None
        return pin


class Net:
    def __init__(self):
        self.pins, self.vias = [], []  # (instance, pin); (lower layer, upper layer, place)
        self.drawn = []  # (layer, width or None where it is that of the layer, from, to)


class Def:
    """die; cell[instance]: (kind, x, y, orientation); port[name]: (layer, x, y); net[name]; special: those of power."""

    SECTIONS = ("COMPONENTS", "PINS", "NETS", "SPECIALNETS", "VIAS")

    def __init__(self, path):
        self.cell, self.port, self.net, self.special = {}, {}, {}, {}
        self.section = self.name = self.at = self.layer = None
        with open(path, encoding="utf-8") as file:
            for word in (line.split() for line in file):
                if word and word[0] in self.SECTIONS:
                    self.section = word[0]
                elif word and word[0] == "END":
                    self.section = None
                elif word:
                    self.line(word)

    def line(self, word):
        if self.section is None and word[0] == "DIEAREA":
            self.die = [int(v) for v in word if re.fullmatch(r"-?\d+", v)]
        elif self.section is None and word[0] == "UNITS":
            self.units = int(word[3])
        elif self.section == "COMPONENTS" and word[0] == "-":
            at = word.index("PLACED")
            self.cell[word[1]] = word[2], int(word[at + 2]), int(word[at + 3]), word[at + 5]
        elif self.section == "PINS":
            self.name = word[1] if word[0] == "-" else self.name
            if "LAYER" in word:
                self.layer = word[word.index("LAYER") + 1]
            if "PLACED" in word:
                at = word.index("PLACED")
                self.port[self.name] = self.layer, int(word[at + 2]), int(word[at + 3])
        elif self.section in ("NETS", "SPECIALNETS"):
            self.of_net(word)

    def of_net(self, word):
        nets = self.net if self.section == "NETS" else self.special
        if word[0] == "-":
            self.name, self.layer = word[1], None
            nets.setdefault(self.name, Net())
            word = word[2:]
        net, i = nets[self.name], 0
        while i < len(word):
            if word[i] in ("ROUTED", "NEW", "FIXED"):
                self.layer, self.at = word[i + 1], None
                i += 2
                self.width = int(word[i]) if self.section == "SPECIALNETS" else None
                i += self.section == "SPECIALNETS"
            elif word[i] == "(" and self.layer is None:
                net.pins.append((word[i + 1], word[i + 2]))
                i += 4
            elif word[i] == "(":
                self.point(net, word[i + 1], word[i + 2])
                i += 4
            else:
                self.via(net, word[i])
                i += 1

    def point(self, net, x, y):
        place = self.at[0] if x == "*" else int(float(x)), self.at[1] if y == "*" else int(float(y))
        if self.at and self.at != place:
            net.drawn.append((self.layer, self.width, self.at, place))
        self.at = place

    def via(self, net, name):
        metal = re.fullmatch(r"M(\d)_M(\d)", name)
        if metal:
            net.vias.append(("metal" + metal[2], "metal" + metal[1], self.at))

    def box(self, lef, instance):
        """The corners of a cell."""
        kind, x, y, _ = self.cell[instance]
        width, height = (round(v * self.units) for v in lef.cell[kind]["size"])
        return x, y, x + width, y + height

    def pin_boxes(self, lef, instance, pin):
        """Where the metal of a cell's pin is: [(layer, corners)]."""
        kind, _, _, turned = self.cell[instance]
        left, low, right, high = self.box(lef, instance)
        boxes = []
        for layer, box in lef.cell[kind]["pins"][pin]:
            a, b, c, d = (round(v * self.units) for v in box)
            x = (right - c, right - a) if turned in ("S", "FN") else (left + a, left + c)
            y = (high - d, high - b) if turned in ("S", "FS") else (low + b, low + d)
            boxes.append((layer, (x[0], y[0], x[1], y[1])))
        return boxes
