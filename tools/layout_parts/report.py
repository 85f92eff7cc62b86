# SPDX-License-Identifier: Apache-2.0
"""What the tools have found, as one table, and as FOLDER/layout.json.

    python3 report.py FOLDER     exit status 1: a rule is broken, or layout and netlist differ; 2: no result
"""
import json
import os
import re
import sys


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def fail(text):
    print(f"layout: {text}", file=sys.stderr)
    sys.exit(2)


def longest(text):
    """A report of OpenSTA: ns with setup time, cells between the ends, the ends; None: it has no path."""
    slack = slack_of(text)
    ends = re.findall(r"^(?:Start|End)point: (\S+)", text, flags=re.M)
    if slack is None or len(ends) != 2:
        return None
    arrival = text[: text.index("data arrival time")]
    cells = re.findall(r"[v^] (\S+)/(\S+) \((\w+)\)", arrival)
    levels = len({cell for cell, *_ in cells} - set(ends))
    return {"ns": round(10000 - slack, 4), "levels": levels, "from": ends[0], "to": ends[1]}


def slack_of(text):
    slack = re.search(r"([-\d.]+)\s+slack", text)
    return float(slack[1]) if slack else None


def rtl(path, names):
    for end in ("from", "to") if path else ():
        path[end] = re.sub("_reg$", "", names["rtl"].get(path[end], path[end]))
    return path


def main(folder):
    result = json.loads(read(folder, "wires.json"))
    names = json.loads(read(folder, "names.json"))
    magic, lvs = read(folder, "magic.log"), read(folder, "lvs.txt")
    drc = re.search(r"^drc = (\d+)", magic, flags=re.M)
    if not drc:
        fail("Magic has not counted broken rules; all that it said: magic.log")
    result["drc_errors"] = int(drc[1])
    result["drc_rules"] = re.findall(r"^rule (\d+ .*)", magic, flags=re.M)
    differs = re.search("do not match|failed pin matching", lvs) or "Circuits match uniquely." not in lvs
    result["lvs"] = "differ" if differs else "match"
    for key, file in (("before", "before.txt"), ("after", "after.txt"), ("same_path", "same.txt")):
        result[key] = rtl(longest(read(folder, file)), names)
    if not result["before"] or not result["after"]:
        fail("OpenSTA reports no path; all that it said: timing.log")
    between = longest(read(folder, "tree.txt"))  # none, where no register leads to another
    result["clock_tree"] = {
        **names["clock_tree"],
        "um": round(result.pop("clock_um"), 1),
        "longest_path_ns": between["ns"] if between else None,
        "hold_slack_ns": slack_of(read(folder, "hold.txt")),
    }
    result["seconds"] = dict(line.rsplit(" ", 1) for line in read(folder, "seconds.txt").splitlines())
    with open(os.path.join(folder, "layout.json"), "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    before, after, same, clock = result["before"], result["after"], result["same_path"], result["clock_tree"]
    more = 100 * (after["ns"] / before["ns"] - 1)
    layers = ", ".join(f"{name[5:]}: {mm:.1f}" for name, mm in result["wire_mm_by_layer"].items())
    rows = [
        ("cells", f"{result['cells']:,}, {result['ports']:,} ports, {result['nets']:,} nets"),
        ("area", f"{result['die_um'][0]:.0f} x {result['die_um'][1]:.0f} um, {result['cell_area_um2']:,} um2 of it cells"),
        ("wires", f"{result['wire_mm']:.1f} mm (by metal {layers}), {result['vias']:,} vias"),
        ("a net", f"mean {result['net_um']['mean']} um, median {result['net_um']['median']} um"),
        ("longest", f"{result['longest'][0]['net']}, {result['longest'][0]['um']:,} um"),
        ("clock", f"{clock['buffers']} buffers in {clock['levels']} levels, {clock['um'] / 1000:.1f} mm of the wires"),
        ("rules", "kept" if not result["drc_errors"] else f"broken in {result['drc_errors']} places"),
        ("netlist", result["lvs"]),
        ("longest path", f"{before['ns']:.2f} ns without wires, {after['ns']:.2f} ns with them ({more:+.0f} %)"),
        ("  without", f"{before['from']} to {before['to']}, {before['levels']} levels"),
        ("  with", f"{after['from']} to {after['to']}, {after['levels']} levels"),
    ]
    if same:
        rows.insert(-1, ("", f"{same['ns']:.2f} ns with wires"))
    if between and clock["hold_slack_ns"] is not None:
        rows.append(("  and its clock", f"{between['ns']:.2f} ns between registers, hold slack {clock['hold_slack_ns']:+.2f} ns"))
    for name, value in rows:
        print(f"{name:16}{value}")
    for rule in result["drc_rules"]:
        print(f"{'':16}{rule}")
    sys.exit(1 if result["drc_errors"] or result["lvs"] != "match" else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
