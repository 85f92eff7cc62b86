# SPDX-License-Identifier: Apache-2.0
"""What a sweep says, computed a second time from the JSON of its runs, by the definitions of docs/reference/sweep.md.

sweep_numbers.py table DATABASE JSON       `sweep --json`: means, half widths, counts
sweep_numbers.py text DATABASE TABLE       `sweep --show throughput,latency.mean,latency.p99`
sweep_numbers.py runs DATABASE             their seeds, and after how many of them a point is done
sweep_numbers.py where DATABASE JSON       `sweep --json --where 'load < 0.15 and vcs = 2'`
sweep_numbers.py picture DATABASE SVG X Y [log]  axes, units, curves, marks, bars and rings of a picture of `plot`; log: of y
sweep_numbers.py search DATABASE           probes of `find`
sweep_numbers.py shares RUNS DATABASE...   databases of shares
"""
import json
import math
import os
import re
import sqlite3
import sys
import xml.etree.ElementTree

THROUGHPUT, LATENCY, TAIL = "throughput_flits_per_cycle_per_terminal", "latency_cycles.mean", "latency_cycles.p99"
STUDENT = {  # two-sided quantiles, by confidence and degrees of freedom, from a table
    0.8: [3.077684, 1.885618, 1.637744, 1.533206, 1.475884],
    0.95: [12.706205, 4.302653, 3.182446, 2.776445, 2.570582],
}


def fail(text):
    sys.exit(f"sweep_numbers: {text}")


def is_near(what, is_, wanted, relative=1e-6, absolute=1e-9):
    if is_ is None or abs(is_ - wanted) > absolute + relative * abs(wanted):
        fail(f"{what} is {is_}, expected {wanted}")


def is_equal(what, is_, wanted):
    if is_ != wanted:
        fail(f"{what} is {is_}, expected {wanted}")


def number(run, name):
    """A number of a run's JSON by its path; None: it has none."""
    for part in name.split("."):
        run = run.get(part) if isinstance(run, dict) else None
    return float(run) if isinstance(run, (int, float)) else None


class Sweep:
    """Points of a database: axes, and the JSON of their runs; what a network in a deadlock has delivered is no result."""

    def __init__(self, path):
        db = sqlite3.connect(path)
        self.db = db
        self.axes = [name for name, in db.execute("SELECT DISTINCT name FROM axes WHERE point = 0 ORDER BY axis")]
        self.points = {}
        for point, value in db.execute("SELECT point, value FROM axes ORDER BY point, axis"):
            self.points.setdefault(point, []).append(value)
        self.runs = {point: [json.loads(text) for text, in db.execute(
            "SELECT json FROM runs WHERE point = ? AND NOT probe ORDER BY repetition", (point,))] for point in self.points}
        self.text = db.execute("SELECT value FROM meta WHERE name = 'text'").fetchone()[0]
        said = re.search(r"confidence: ([0-9.]+)", self.text)
        self.confidence = float(said[1]) if said else 0.95

    def estimate(self, point, name, first=None):
        """Mean, half width of the confidence interval (None: of one value), number of values, of the first runs; None: no value."""
        values = [number(run, name) for run in self.runs[point][:first] if name == "deadlock" or not run["deadlock"]]
        values = [v for v in values if v is not None]
        if not values:
            return None
        n, mean = len(values), math.fsum(values) / len(values)
        if n == 1:
            return mean, None, 1
        deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (n - 1))
        return mean, STUDENT[self.confidence][n - 2] * deviation / math.sqrt(n), n


def check_table(sweep, path):
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    is_equal("confidence", said["confidence"], sweep.confidence)
    is_equal("points", len(said["points"]), len(sweep.points))
    some_dead = some_uneven = False
    for point in said["points"]:
        runs = sweep.runs[point["point"]]
        dead = sum(run["deadlock"] for run in runs)
        where = f"point {point['point']}"
        is_equal(f"{where}: axes", list(point["axes"].values()), sweep.points[point["point"]])
        is_equal(f"{where}: runs", point["runs"], len(runs))
        is_equal(f"{where}: deadlocks", point["deadlocks"], dead)
        is_equal(f"{where}: runs without results", point["failed"], 0)
        some_dead |= 0 < dead < len(runs)
        some_uneven |= len(runs) != 3
        for name in (THROUGHPUT, LATENCY, TAIL, "deadlock", "delivered_packets"):
            wanted, found = sweep.estimate(point["point"], name), point["results"].get(name)
            if wanted is None:
                if found is not None and found["n"]:
                    fail(f"{where}: {name} is {found}, but no run has it")
                continue
            is_near(f"{where}: mean of {name}", found["mean"], wanted[0])
            is_equal(f"{where}: values of {name}", found["n"], wanted[2])
            if wanted[1] is not None:
                is_near(f"{where}: half width of {name}", found["half_width"], wanted[1], 1e-5)
    if not some_dead or not some_uneven:
        fail("no point with deadlocks and other runs, or none with more than three runs: the sweep tests nothing")


def check_text(sweep, path):
    """Half widths have two digits, means end where they do; without an interval they have five."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    is_equal("lines", len(lines), 1 + len(sweep.points))
    for point, line in zip(sweep.points, lines[1:]):
        cells = re.split(r"\s{2,}", line.strip())
        for name, cell in zip((THROUGHPUT, LATENCY, TAIL), cells[len(sweep.axes):]):
            wanted = sweep.estimate(point, name)
            if wanted is None:
                is_equal(f"point {point}: {name}", cell, "-")
                continue
            said = [float(part) for part in cell.split(" ± ")]
            if abs(said[0] - wanted[0]) > wanted[1] / 10:
                is_near(f"point {point}: {name}", said[0], wanted[0], 1e-4)
            is_equal(f"point {point}: {name} has an interval", len(said) == 2, bool(wanted[1]))
            if len(said) == 2:
                is_near(f"point {point}: half width of {name}", said[1], wanted[1], 0.06)


def check_runs(sweep):
    """Run number i of a point has seed 1 + i.  Of three runs, four, six a point has the fewest whose mean latency is known well enough."""
    within = float(re.search(r"within_percent: ([0-9.]+)", sweep.text)[1])
    stages = set()
    for point, runs in sweep.runs.items():
        seeds = [seed for seed, in sweep.db.execute("SELECT seed FROM runs WHERE point = ? AND NOT probe ORDER BY repetition", (point,))]
        is_equal(f"point {point}: seeds", seeds, list(range(1, 1 + len(runs))))
        is_equal(f"point {point}: seeds in the results", [run["seed"] for run in runs], seeds)
        enough = 6
        for stage in (4, 3):
            mean, half, n = sweep.estimate(point, LATENCY, stage)
            enough = stage if n > 1 and half <= within / 100 * mean else enough
        is_equal(f"point {point}: runs until its mean latency is known within {within} %", len(runs), enough)
        stages.add(enough)
    is_equal("numbers of runs that come up", sorted(stages), [3, 4, 6])


def check_where(sweep, path):
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    load, vcs = sweep.axes.index("traffic.load_flits_per_cycle"), sweep.axes.index("switch.vcs")
    wanted = [point for point, values in sweep.points.items() if values[load] < 0.15 and values[vcs] == 2]
    is_equal("points at loads below 0.15 with two VCs", [point["point"] for point in said["points"]], wanted)


# ---- pictures

TITLES = {THROUGHPUT: "accepted load, flits per cycle and terminal", LATENCY: "mean latency, cycles",
          "traffic.load_flits_per_cycle": "offered load, flits per cycle and terminal"}
SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"


def pairs(text):
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[0-9.]+),(-?[0-9.]+)", text)]


class Picture:
    """A picture that gnuplot has drawn, read back: scales from the marks at its axes, curves from its lines."""

    def __init__(self, path, log):
        root = xml.etree.ElementTree.parse(path).getroot()
        self.texts = ["".join(t.itertext()).strip() for t in root.iter(SVG + "text")]
        marks = {"x": [], "y": []}
        groups = list(root.iter(SVG + "g"))
        for group in groups:
            lines, text = group.findall(SVG + "path"), group.find(f"{SVG}g/{SVG}text")
            if len(lines) != 1 or text is None:
                continue
            ends, label = pairs(lines[0].get("d")), "".join(text.itertext()).strip()
            if len(ends) == 2 and re.fullmatch(r"-?[0-9.]+", label):
                axis = "y" if ends[0][1] == ends[1][1] else "x"
                marks[axis].append((ends[0][axis == "y"], float(label)))
        self.scale = {axis: self.scale_of(axis, marks[axis], log and axis == "y") for axis in marks}
        grid = [end for path in root.iter(SVG + "path") if path.get("class") == "gridline" for end in pairs(path.get("d"))]
        self.top = self.scale["y"](min(y for x, y in grid))
        self.curves, self.rings, bars, rings = {}, {}, None, []
        for group in groups:
            if not (group.get("id") or "").startswith("gnuplot_plot"):
                continue
            title, lines = group.find(SVG + "title").text, [p.get("d") for p in group.iter(SVG + "path")]
            uses = [u for u in group.iter(SVG + "use") if u.get(LINK) != "#gpDot"]
            if title.startswith("gnuplot_plot"):
                stroke = [part for d in lines for part in re.findall(r"M(-?[0-9.]+),(-?[0-9.]+) L\1,(-?[0-9.]+)", re.sub(r"\s+", " ", d))]
                bars = {round(float(x), 2): (float(a), float(b)) for x, a, b in stroke} if stroke else bars
                rings = [pairs(u.get("transform"))[0] for u in uses if u.get(LINK) == "#gpPt5"]
            else:
                at = [pairs(u.get("transform"))[0] for u in uses][:-1]  # the last one stands in the key
                self.curves[title] = [self.point(x, y, (bars or {}).get(x)) for x, y in at]
                self.rings[title] = [place in rings for place in at]
                bars, rings = None, []

    @staticmethod
    def scale_of(axis, marks, log):
        if len(marks) < 3:
            fail(f"{axis} has the marks {marks}")
        marks = [(place, math.log10(value) if log else value) for place, value in marks]
        (a, u), (b, v) = marks[0], marks[-1]
        for place, value in marks:
            is_near(f"the mark {value} of {axis}", place, a + (b - a) * (value - u) / (v - u), 0, 0.02)
        to_value = lambda place: u + (v - u) * (place - a) / (b - a)
        return (lambda place: 10 ** to_value(place)) if log else to_value

    def point(self, x, y, bar):
        top, bottom = bar if bar else (y, y)
        return self.scale["x"](x), self.scale["y"](y), abs(self.scale["y"](top) - self.scale["y"](bottom)) / 2


def wanted_curves(sweep, x_name, y_name):
    """By title: x, y, half width, whether some run's queues grow, of each point of a curve."""
    of_x = lambda point: sweep.points[point][sweep.axes.index(x_name)] if x_name in sweep.axes else (sweep.estimate(point, x_name) or [None])[0]
    wanted = {}
    for point, values in sweep.points.items():
        title = ", ".join(f"{axis.rsplit('.', 1)[1].split('_')[0]} {value}" for axis, value in zip(sweep.axes, values) if "load" not in axis)
        y = sweep.estimate(point, y_name)
        grows = any(run["stability"][name] for run in sweep.runs[point] if not run["deadlock"] for name in ("growing", "collapsed"))
        if y is not None and of_x(point) is not None:
            wanted.setdefault(title, []).append((of_x(point), y[0], y[1] or 0, grows))
    return wanted


def check_top(picture, wanted):
    """Above eight times its lowest value latency shoots up: the picture ends at five times that, and a little room."""
    low = min(p[1] - p[2] for points in wanted.values() for p in points)
    if max(p[1] + p[2] for points in wanted.values() for p in points) < 8 * low:
        fail("no latency of eight times the lowest: the sweep tests nothing")
    is_near("the top of the picture", picture.top, 1.05 * 5 * low, 0.01)


def check_picture(sweep, path, x_name, y_name, log=False):
    picture = Picture(path, log)
    for name in (x_name, y_name):
        if TITLES[name] not in picture.texts:
            fail(f"no axis '{TITLES[name]}' in {picture.texts}")
    wanted = wanted_curves(sweep, x_name, y_name)
    if y_name == LATENCY and not log:
        check_top(picture, wanted)
    wanted = {title: [p for p in points if p[1] <= picture.top] for title, points in wanted.items()}
    is_equal("curves", sorted(picture.curves), sorted(wanted))
    highest = [max(abs(p[i]) for points in wanted.values() for p in points) for i in (0, 1)]
    for title, points in wanted.items():
        is_equal(f"points of {title}", len(picture.curves[title]), len(points))
        is_equal(f"rings of {title}", picture.rings[title], [grows for x, y, half, grows in points])
        for seen, (x, y, half, grows) in zip(picture.curves[title], points):
            is_near(f"{title}: x", seen[0], x, 0, highest[0] / 400)
            is_near(f"{title}: y", seen[1], y, 0.01 if log else 0, highest[1] / 400)
            low = min(half, (y + half) / 2)  # a bar ends at 0
            if y + half < picture.top and not log and not low - highest[1] / 100 <= seen[2] <= half + highest[1] / 100:
                fail(f"{title}: the bar at {x} is +- {seen[2]}, expected {half}")


def check_search(path):
    db = sqlite3.connect(path)
    probes = {}
    for point, repetition, load, scenario in db.execute("SELECT point, repetition, load, scenario FROM runs WHERE probe"):
        said = re.search(r"load_flits_per_cycle: *([0-9.e+-]+)", scenario)
        if not said or float(said[1]) != load:
            fail(f"a probe at load {load!r} has the scenario's {said and said[1]}")
        probes.setdefault((point, repetition), []).append(load)
    found = db.execute("SELECT point, repetition, value FROM results JOIN runs ON run = id "
                       "WHERE name = 'saturation.load_flits_per_cycle'").fetchall()
    is_equal("searches", len(found), 4)
    for point, repetition, load in found:
        loads = probes[point, repetition]
        if not any(math.isclose(load, probe, rel_tol=1e-8) for probe in loads):
            fail(f"the search has found {load}, which is none of its probes {loads}")


def check_shares(count, paths):
    """Each key once over all databases."""
    seen = {}
    for path in paths:
        for key, in sqlite3.connect(path).execute("SELECT key FROM runs"):
            seen.setdefault(key, []).append(os.path.basename(path))
    twice = {key: paths for key, paths in seen.items() if len(paths) > 1}
    if twice or len(seen) != count:
        fail(f"{len(seen)} runs in {len(paths)} shares, expected {count}; in several: {list(twice.values())[:3]}")


def main(what, *rest):
    if what == "table":
        check_table(Sweep(rest[0]), rest[1])
    elif what == "text":
        check_text(Sweep(rest[0]), rest[1])
    elif what == "picture":
        check_picture(Sweep(rest[0]), *rest[1:])
    elif what == "runs":
        check_runs(Sweep(rest[0]))
    elif what == "where":
        check_where(Sweep(rest[0]), rest[1])
    elif what == "search":
        check_search(rest[0])
    else:
        check_shares(int(rest[0]), rest[1:])


main(*sys.argv[1:])
