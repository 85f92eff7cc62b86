# SPDX-License-Identifier: Apache-2.0
"""A flat netlist of cells, as `uturn cost` keeps it (timing.v), in the forms that the tools of a layout read.

    python3 netlist.py NETLIST.v FOLDER     writes FOLDER/top.v, top.blif and names.json

What drives more than SINKS clock pins gets a tree of buffers, because the router takes minutes for a net of a thousand
pins, each time that it lays it anew.  Registers with the same port and the same bit share a buffer: they will be near.

Names become letters, digits and underscores: DEF, SPICE and Tcl each give brackets a meaning of their own.  names.json
tells the name in the RTL of each instance as the layout calls it: qflow numbers the cells of a kind.  Ports that no cell
is connected to are left out, because a pin without a wire cannot be checked.
"""
import collections
import json
import os
import re
import sys

CLOCK, BUFFER, SINKS = "clk_i", "CLKBUF1", 16
NAME = r"(\\\S+|[A-Za-z_][\w$]*)"


def fail(text):
    sys.exit("layout: " + text)


class Netlist:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        self.ports, self.cells = {}, []  # name: direction; (kind, name, [(pin, net)])
        for statement in text.split(";"):
            self.read(path, statement.strip())
        used = {net for _, _, pins in self.cells for _, net in pins}
        self.left_out = [port for port in self.ports if port not in used]
        self.ports = {port: way for port, way in self.ports.items() if port in used}
        if not self.cells or not self.ports:
            fail(f"{path}: no netlist of cells; expected timing.v of `uturn cost`")

    def read(self, path, statement):
        if not statement or re.match(r"(module|endmodule|wire|assign)\b", statement):
            return  # an assignment here is an output that is constant
        port = re.match(r"(input|output)\s+" + NAME + "$", statement)
        if port:
            self.ports[port[2]] = port[1]
            return
        cell = re.match(r"([A-Za-z]\w*)\s+" + NAME + r"\s*\((.*)\)$", statement, flags=re.S)
        if not cell:
            fail(f"{path}: cannot be read at '{statement[:60]}'; expected cells, nets of one bit")
        pins = [(pin, net.strip()) for pin, net in re.findall(r"\.(\w+)\(([^)]*)\)", cell[3])]
        constant = [net for _, net in pins if "'" in net]
        if constant:
            fail(f"{path}: {cell[2]} has the constant {constant[0]} at a pin; there are no tie cells")
        self.cells.append((cell[1], cell[2], pins))


def near(register):
    """Registers that are alike in this will be placed side by side: port, bit, name."""
    port = re.match(r"g_\w+\[\d+\]|[^[]*", register.lstrip("\\"))[0]
    bits = re.findall(r"\[(\d+)\]", register)
    return port, int(bits[-1]) if bits else -1, register


def add_clock_tree(cells):
    """Level by level: groups of at most SINKS clock pins behind a buffer of their own."""
    sinks = sorted((i for i, (_, _, pins) in enumerate(cells) if (("CLK", CLOCK) in pins)), key=lambda i: near(cells[i][1]))
    level, cells = 0, list(cells)
    while len(sinks) > SINKS:
        groups, level, buffers = -(-len(sinks) // SINKS), level + 1, []
        for group in range(groups):
            net = f"clock_tree_{level}_{group}"
            for i in sinks[len(sinks) * group // groups : len(sinks) * (group + 1) // groups]:
                kind, name, pins = cells[i]
                cells[i] = kind, name, [(pin, net if wire == CLOCK else wire) for pin, wire in pins]
            buffers.append(len(cells))
            cells.append((BUFFER, net + "_buffer", [("A", CLOCK), ("Y", net)]))
        sinks = buffers
    return cells, level


class Names:
    """Plain names, different from each other in any case of letters, because SPICE does not look at it."""

    def __init__(self):
        self.used, self.plain = set(), {}

    def of(self, name, kind):
        if (name, kind) not in self.plain:
            base = re.sub(r"_+", "_", re.sub(r"\W", "_", name)).strip("_") or "n"
            base = "n" + base if base[0].isdigit() else base
            new, i = base, 1
            while new.lower() in self.used:
                i += 1
                new = f"{base}_{i}"
            self.used.add(new.lower())
            self.plain[name, kind] = new
        return self.plain[name, kind]


def main(path, folder):
    netlist, names = Netlist(path), Names()
    net = {port: names.of(port, "net") for port in netlist.ports}
    count, rtl = collections.Counter(), {}
    verilog, blif = [], []
    cells, levels = add_clock_tree(netlist.cells)
    for kind, name, pins in cells:
        for _, wire in pins:
            net[wire] = names.of(wire, "net")
        count[kind] += 1
        rtl[f"{kind}_{count[kind]}"] = names.of(name, "cell")
        verilog.append(f"  {kind} {names.of(name, 'cell')} (" + ", ".join(f".{p}({net[w]})" for p, w in pins) + ");")
        blif.append(f".gate {kind} " + " ".join(f"{p}={net[w]}" for p, w in pins))
    ports = {way: [net[p] for p, w in netlist.ports.items() if w == way] for way in ("input", "output")}
    wires = sorted(set(net.values()) - set(ports["input"]) - set(ports["output"]))
    with open(os.path.join(folder, "top.v"), "w", encoding="utf-8") as file:
        file.write("module top(" + ", ".join(ports["input"] + ports["output"]) + ");\n")
        for way, list_ in [*ports.items(), ("wire", wires)]:
            file.writelines(f"  {way} {name};\n" for name in list_)
        file.write("\n".join(verilog) + "\nendmodule\n")
    with open(os.path.join(folder, "top.blif"), "w", encoding="utf-8") as file:
        file.write(".model top\n.inputs " + " ".join(ports["input"]) + "\n.outputs " + " ".join(ports["output"]) + "\n")
        file.write("\n".join(blif) + "\n.end\n")
    with open(os.path.join(folder, "names.json"), "w", encoding="utf-8") as file:
        rtl_name = {plain: name.lstrip("\\") for (name, _), plain in names.plain.items()}
        tree = {"levels": levels, "buffers": len(cells) - len(netlist.cells)}
        json.dump({"instance": rtl, "rtl": rtl_name, "clock_tree": tree, "left_out": len(netlist.left_out)}, file, indent=0)


if __name__ == "__main__":
    main(*sys.argv[1:])
