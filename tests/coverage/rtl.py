#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which lines, branches and bits of the RTL do the campaigns reach? (docs/explanation/test_coverage.md)

  rtl.py [--shapes NAME,...] [--benches NAME,...] [--cycles N] [--keep] [--table] [--missing] [--check] [--folder DIR]

Runs the shapes of tests/mutation/shapes.tsv in lockstep and the benches of tests/rtl, with counters (instrument.py), and
puts their counts together.  Status 1: a point is not reached that rtl_missing.txt does not name, or it names what is gone.  --keep adds to the
counts of the last call; with --shapes none --benches none nothing is run.  --table prints counts by file (docs/explanation/test_coverage.md),
--missing all that is not reached, --check reads the RTL and rtl_missing.txt and runs nothing.  UTURN_ROOT, UTURN_BUILD, UTURN_BIN as in all tests.
"""
import argparse
import array
import collections
import functools
import operator
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mutation"))
from shapes import (BUILD, COMPILER, PROGRAM, ROOT, bench_names, read_reasons, read_shapes,  # noqa: E402
                      stand_in)
from modules import Hierarchy, Module  # noqa: E402

KINDS = ("constant", "width", "unused", "unreachable", "gap")
PLACES = ("lockstep", "bench")


def fail(text):
    sys.exit(f"coverage: {text}")


# ---- runs
class Runs:
    def __init__(self, options, work):
        self.o, self.work = options, work
        (work / "bin").mkdir(parents=True, exist_ok=True)
        for place in PLACES:
            if not options.keep:
                shutil.rmtree(work / place, ignore_errors=True)
            (work / place).mkdir(exist_ok=True)
        (work / "points").mkdir(exist_ok=True)
        self.real = {name: shutil.which(name) or fail(f"{name} is not in PATH") for name in ("verilator", "clang++")}
        version = subprocess.run([self.real["clang++"], "--version"], capture_output=True, text=True, check=True).stdout
        stand_in(work / "bin/clang++", COMPILER.format(real=self.real["clang++"], version=version.strip(), level="-O0"))
        stand_in(work / "bin/verilator", f'#!/bin/sh\nexec python3 "{HERE}/instrument.py" "{self.real["verilator"]}" '
                                         f'"{work}/points" "$@"\n')

    def environment(self, place):
        env = dict(os.environ, UTURN_ROOT=str(ROOT), UTURN_CACHE=str(self.work / "cache"), UTURN_BUILD=str(self.work),
                   UT_COVERAGE=str(self.work / place), CXX="clang++",
                   PATH=f"{self.work / 'bin'}:{os.environ['PATH']}")
        env.pop("VERILATOR_ROOT", None)
        return env

    def shape(self, shape):
        name, scenarios, _ = shape
        for path in scenarios:
            p = subprocess.run([PROGRAM, "cosim", str(path), "--threads", "1", "--cycles", str(self.o.cycles)],
                               env=self.environment("lockstep"), capture_output=True, text=True, check=False)
            if p.returncode not in (0, 4, 5):
                fail(f"{name}: {path} ends with {p.returncode}: {p.stderr}")

    def common(self):
        self.shell("build_common", None)

    def shell(self, command, log):
        script = f'set -eu; cd "{ROOT}"; . tests/cosim/blocks.bash; {command}'
        p = subprocess.run(["bash", "-c", script], env=self.environment("bench"), capture_output=True, text=True,
                           check=False)
        if p.returncode:
            fail(f"{log or command}: {(p.stdout + p.stderr)[-2000:]}")

    def bench(self, name):
        self.shell(f'build_bench {name} rtl "$out/{name}" && "$out/{name}/test"', f"bench {name}")

    def go(self):
        shapes = read_shapes() if self.o.shapes is None else [s for s in read_shapes() if s[0] in self.o.shapes]
        benches = [b for b in bench_names() if self.o.benches is None or b in self.o.benches]

        def timed(what):
            start = time.monotonic()
            what[0](what[1])
            print(f"{what[2]}: {time.monotonic() - start:.0f} s", flush=True)

        jobs = [(self.shape, s, s[0]) for s in shapes]
        if benches:
            self.common()
            jobs += [(self.bench, b, f"bench {b}") for b in benches]
        with ThreadPoolExecutor(self.o.jobs) as pool:
            list(pool.map(timed, jobs))


# ---- counts
def read_lines(work, files):
    """(file, line, what) -> place -> count; `line` is what a line of a block counts as, else it is a branch of that name."""
    points = collections.defaultdict(collections.Counter)
    for place in PLACES:
        for path in (work / place).glob("*.counts"):
            counts = array.array("I", path.read_bytes())
            for row in (work / "points" / f"{path.name.split('-')[0]}.points").read_text().splitlines():
                index, file, line, _, _, page, what, lines = row.split("\t")
                file, line, count = files.get(file.split("/")[-1]), int(line), counts[int(index)]
                if not file or "`UT_ASSERT" in file.lines[line - 1]:
                    continue
                if page.startswith("v_branch/"):
                    points[file.name, line, what][place] += count
                for part in lines.split(",") if lines else ():
                    first, _, last = part.partition("-")
                    for each in range(int(first), int(last or first) + 1):
                        points[file.name, each, "line"][place] += count
    return points


class Bits:
    """Of a declaration, by the places of runs: the bits that there are in any shape, and those that changed."""

    def __init__(self):
        self.there, self.changed = 0, dict.fromkeys(PLACES, 0)

    def any(self):
        return self.changed["lockstep"] | self.changed["bench"]


def read_signals(paths):
    """Name -> lowest bit, width, bits that changed in any of these runs of one model."""
    rows = {}
    for path in paths:
        for row in path.read_text().splitlines():
            name, lsb, width, words = row.split("\t")
            mask = sum(int(words[8 * i:8 * i + 8], 16) << 32 * i for i in range(len(words) // 8))
            rows[name] = (int(lsb), int(width), mask | (rows[name][2] if name in rows else 0))
    return rows


def read_toggles(work, files):
    """(file, blocks, name) -> Bits; place -> bits of all elaborations: those that changed, and all."""
    modules = dict(files)
    modules.update({p.name: Module(p) for p in ROOT.glob("tests/rtl/*_tb.v")})
    bits, elaborated = collections.defaultdict(Bits), {place: [0, 0] for place in PLACES}
    for place in PLACES:
        models = collections.defaultdict(list)
        for path in (work / place).glob("*.signals"):
            models[path.name.split("-")[0]].append(path)
        for paths in models.values():
            rows = {tuple(name.split(" ")[1:]): row for name, row in read_signals(paths).items()}  # without the model's name
            rows = {path: row for path, row in rows.items() if len(path) > 1}
            hierarchy = Hierarchy(modules, rows)
            for path, (lsb, width, mask) in rows.items():
                found = hierarchy.find(path)
                if not found or found[0].name not in files:
                    continue
                module, (blocks, signal) = found
                b = bits[module.name, blocks, signal]
                b.there |= ((1 << width) - 1) << lsb
                b.changed[place] |= mask << lsb
                if not unused(signal):
                    elaborated[place][0] += bin(mask).count("1")
                    elaborated[place][1] += width
    return bits, elaborated


def unused(name):
    """What only tells lint that nobody reads it: it is constant."""
    return name.startswith("unused")


def ranges(bits):
    """[3:1][0] of a set of bits."""
    out, i = [], 0
    while bits >> i:
        if bits >> i & 1:
            first = i
            while bits >> i + 1 & 1:
                i += 1
            out.insert(0, f"[{i}:{first}]" if i > first else f"[{i}]")
        i += 1
    return "".join(out)


def count(bits):
    return bin(bits).count("1")


class Report:
    def __init__(self, files, work):
        self.files = files
        self.points = read_lines(work, self.files)
        self.bits, self.elaborated = read_toggles(work, self.files)

    def missing(self):
        """(key, bits or None) of what is not reached."""
        for (file, line, what), places in sorted(self.points.items()):
            if not sum(places.values()):
                yield f"{file}: {what}: {self.files[file].said[line]}", None
        for file in self.files.values():
            for blocks, name in file.declared:
                b = self.bits.get((file.name, blocks, name))
                key = f"{file.name}: {'.'.join((*blocks, name))}"
                if b is None:
                    yield f"{key}: in no shape", None
                elif not unused(name) and b.there & ~b.any():
                    yield key, b.there & ~b.any()

    def table(self, accepted):
        rows = {name: collections.Counter() for name in self.files}
        for (file, _, what), places in self.points.items():
            kind = "line" if what == "line" else "branch"
            rows[file].update({kind: 1, kind + "_hit": int(sum(places.values()) > 0)})
        for (file, _, name), b in self.bits.items():
            if not unused(name):
                rows[file].update(signal=1, signal_hit=int(b.any() > 0), bit=count(b.there), bit_hit=count(b.any()), lockstep=count(b.changed["lockstep"]))
        for key, bits in self.missing():
            if bits and key in accepted:
                rows[key.split(":")[0]].update(known=count(bits & accepted[key]["constant"]))
        rows = {name: row for name, row in rows.items() if row}
        total = collections.Counter()
        for row in rows.values():
            total.update(row)
        print("| file | lines | reached | branches | reached | signals | changed | bits | changed | in lockstep | constant | changed, % of the rest |")
        print("|---" * 12 + "|")
        for file, row in [*((f"`{name}`", row) for name, row in rows.items()), ("all", total)]:
            rest = row["bit"] - row["known"]
            cells = [row[k] for k in ("line", "line_hit", "branch", "branch_hit", "signal", "signal_hit", "bit", "bit_hit", "lockstep", "known")]
            print("| " + " | ".join(map(str, [file, *cells, f"{100 * row['bit_hit'] / rest:.1f}" if rest else "-"])) + " |")
        for place, (hit, there) in self.elaborated.items():
            print(f"bits of all elaborations in {place}: {hit} of {there} changed, {100 * hit / max(there, 1):.1f} %")


# ---- what may be missing
def parse_key(key):
    """`file: name[3:1][0]` -> `file: name`, bits; no bits: all of them."""
    m = re.match(r"(\S+\.vh?: [\w.]+)((?:\[\d+(?::\d+)?\])*)$", key)
    if not m:
        return key, None
    bits = 0
    for high, low in re.findall(r"\[(\d+):?(\d*)\]", m.group(2)):
        low = int(low or high)
        bits |= ((1 << int(high) - low + 1) - 1) << low
    return m.group(1), bits or -1


def reason(accepted, key, bits):
    """Whether a line of rtl_missing.txt says it of all of these bits."""
    return key in accepted and (bits is None or not bits & ~functools.reduce(operator.or_, accepted[key].values()))


def read_files():
    return {p.name: Module(p) for p in [*sorted(ROOT.glob("rtl/ut_*.v")), ROOT / "rtl/first_from.vh"]}


def read_accepted(files):
    """Key -> its bits by kind of reason; and lines that fit no signal or line of the RTL, which may have been renamed since.
    A file that is gone is an error."""
    signals = {f"{f.name}: {'.'.join((*blocks, name))}" for f in files.values() for blocks, name in f.declared}
    known = signals | {f"{key}: in no shape" for key in signals}
    accepted, renamed = {}, []
    for text, (kind, _) in read_reasons(HERE / "rtl_missing.txt", KINDS).items():
        key, bits = parse_key(text)
        file, _, line = (key.split(": ", 2) + ["", ""])[:3]
        if file not in files:
            fail(f"rtl_missing.txt: no such file any more; remove or correct: {text}")
        if key not in known and not (line and line in files[file].said.values()):
            renamed.append(text)
        accepted.setdefault(key, collections.Counter())[kind] |= bits or 0
    return accepted, renamed


def main():
    p = argparse.ArgumentParser(description="lines, branches and bits of the RTL that the campaigns reach")
    names = lambda s: [] if s == "none" else s.split(",")  # noqa: E731
    p.add_argument("--shapes", type=names)
    p.add_argument("--benches", type=names)
    p.add_argument("--cycles", type=int, default=3000)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--keep", action="store_true", help="add to what was counted before")
    p.add_argument("--table", action="store_true")
    p.add_argument("--missing", action="store_true", help="all points that are not reached, also those with a reason")
    p.add_argument("--check", action="store_true", help="read the RTL; rtl_missing.txt names its files; run nothing")
    p.add_argument("--folder", type=pathlib.Path, default=BUILD / "coverage")
    options = p.parse_args()
    files = read_files()
    accepted, renamed = read_accepted(files)
    if options.check:
        print(f"{sum(len(f.declared) for f in files.values())} declarations, {len(accepted)} with reasons, {len(renamed)} of names that are gone")
        return 0
    options.folder.mkdir(parents=True, exist_ok=True)
    work = options.folder.resolve()
    Runs(options, work).go()
    report = Report(files, work)
    if options.table:
        report.table(accepted)
    missing = list(report.missing())
    new = [m for m in missing if not reason(accepted, *m)]
    for key, bits in missing if options.missing else new:
        print(f"not reached: {key}{ranges(bits) if bits else ''}")
    for text in renamed:
        print(f"rtl_missing.txt: no such line or signal any more; remove or correct: {text}")
    return 1 if new or renamed else 0


if __name__ == "__main__":
    sys.exit(main())
