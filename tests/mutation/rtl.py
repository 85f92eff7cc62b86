#!/usr/bin/env python3
"""The tests of the RTL are tested: every mutant of it must be found in lockstep or by the bench of its block.

  rtl.py [--sample N] [--seed S] [--all] [--files NAME,...] [--shapes NAME,...] [--no-benches] [--accepted]

All mutants that are left share one build a shape; the number in the file `mutant` of the working folder says which
of them lives (verilog.py).  A run ends at its first mismatch, so a kill is cheap.  What is left after a short look at
some shapes (shapes.tsv) goes to the benches, then through all shapes.  A mutant that nothing kills must stand in
survivors.txt with its reason; else status 1.  --accepted runs those, too, and tells which are killed.  --check reads
the RTL and survivors.txt, and runs nothing.  UTURN_ROOT, UTURN_BUILD, UTURN_BIN as in all tests.
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import verilog
from shapes import BUILD, COMPILER, HERE, PROGRAM, ROOT, bench_names, read_reasons, read_shapes, scenario_files, stand_in

MISMATCH = 3
KINDS = ("equivalent", "unobservable", "gap")
OUT_OF_TIME = -signal.SIGXCPU
FIRST_LOOK = 800  # cycles in which most mutants die, those that can die in a shape

# Stand-ins for Verilator and the compiler.  The first tells which mutants are in what it generates, and ends there if
# none is: an elaboration leaves out most of the other families.  The second optimises less: there is little to run.
VERILATOR = """#!/bin/sh
case $1 in --version) echo "{version}"; exit ;; esac
"{real}" "$@" || exit
case $1 in --cc) ;; *) exit ;; esac
grep -oh '0x6d00[0-9a-f]*' obj/*.cpp | sort -u >"{work}/present"
[ -s "{work}/present" ] || exit 1
"""


def fail(text):
    sys.exit(f"mutation: {text}")


def read_mutants():
    files = {}
    number = verilog.FIRST
    for path in sorted(ROOT.glob("rtl/ut_*.v")) + [ROOT / "rtl/first_from.vh"]:
        f = verilog.File(path.name, path.read_text())
        for m in f.mutants:
            number += 1
            m.number = number
        files[path.name] = f
    return files


class Campaign:
    def __init__(self, options, work):
        self.o, self.work = options, work
        self.files = read_mutants()
        self.accepted = read_reasons(HERE / "survivors.txt", KINDS)
        known = {m.key for f in self.files.values() for m in f.mutants}
        stale = [key for key in self.accepted if key not in known]
        if stale:
            fail("survivors.txt: no such mutant any more; remove or correct the line:\n  " + "\n  ".join(stale))
        everything = [m for f in self.files.values() for m in f.mutants]
        wanted = [m for m in everything if not options.files or m.file in options.files]
        if not options.accepted:
            wanted = [m for m in wanted if m.key not in self.accepted]
        if options.left:
            left = {r["key"] for r in json.loads(pathlib.Path(options.left).read_text()) if not r["killed"]}
            wanted = [m for m in wanted if m.key in left]
        elif not options.all:
            wanted = random.Random(options.seed).sample(wanted, min(options.sample, len(wanted)))
        self.alive = wanted
        self.killed, self.there, self.broken = {}, set(), []  # number -> (place, how)
        if not options.check:
            self.tools()

    def tools(self):
        """The stand-ins, and a cache of our own: nobody else wants these models."""
        folder = self.work / "bin"
        folder.mkdir()
        compiler = "clang++" if shutil.which("clang++") else "g++"
        for name, text in (("verilator", VERILATOR), (compiler, COMPILER)):
            real = shutil.which(name) or fail(f"{name} is not in PATH")
            version = subprocess.run([real, "--version"], capture_output=True, text=True, check=True).stdout.strip()
            stand_in(folder / name, text.format(real=real, version=version, work=self.work, level=self.o.level))
        self.env = dict(os.environ, UTURN_ROOT=str(ROOT), UTURN_CACHE=str(self.work / "cache"),
                        PATH=f"{folder}:{os.environ['PATH']}")
        self.env.pop("VERILATOR_ROOT", None)

    def weave(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(ROOT / "rtl", folder)
        chosen = {m.number for m in self.alive}
        for name, f in self.files.items():
            text = f.weave(chosen)
            (folder / name).write_text('`include "ut_mutation.vh"\n' + text if name.endswith(".v") else text)
        (folder / "ut_mutation.vh").write_text(verilog.PACKAGE)

    def folder(self, number):
        """A working folder in which that mutant lives."""
        path = pathlib.Path(tempfile.mkdtemp(dir=self.work))
        (path / "mutant").write_text(f"{number}\n")
        return path

    def run(self, command, number, limit):
        folder = self.folder(number)
        try:
            p = subprocess.run(command, cwd=folder, env=self.env, capture_output=True, text=True, timeout=limit,
                               errors="replace", check=False)
            return p.returncode, (p.stderr.strip() or p.stdout.strip()).splitlines()[:1], p.stderr
        except subprocess.TimeoutExpired:
            return "timeout", [], ""
        finally:
            shutil.rmtree(folder)

    def try_all(self, place, present, one):
        """Runs every mutant that is there; keeps those that live."""
        here = [m for m in self.alive if m.number in present]
        self.there |= present
        before = os.times()
        with ThreadPoolExecutor(self.o.jobs) as pool:
            for m, how in zip(here, pool.map(one, here)):
                if how:
                    self.killed[m.number] = (place, how)
        self.alive = [m for m in self.alive if m.number not in self.killed]
        left = sum(m.number in present for m in self.alive)
        now = os.times()
        cpu = sum(now[i] - before[i] for i in (2, 3))
        print(f"{place}: {len(here)} mutants, {len(here) - left} killed, {left} not, {len(self.alive)} left; "
              f"{cpu:.0f} s of processor time for the runs", flush=True)

    # ---- lockstep
    def shape(self, name, source, seeds, first_look):
        """The mutants that are left in lockstep of that shape; the first look is a short one, at one scenario."""
        rtl = self.work / "rtl"
        self.weave(rtl)
        (self.work / "present").unlink(missing_ok=True)
        runs = []
        for path in scenario_files(name, source, seeds, self.work)[:1 if first_look else None]:
            command = [PROGRAM, "cosim", str(path), "--rtl", str(rtl), "--threads", "1", "--cycles",
                       str(FIRST_LOOK if first_look else self.o.cycles)]
            if not runs:
                status, _, err = self.run(command, 0, None)  # builds
                if not (self.work / "present").exists():
                    print(f"{name}: cannot be built: {err}", flush=True)
                    self.broken.append(name)
                    return
                if not (self.work / "present").stat().st_size:
                    print(f"{name}: none of the mutants that are left", flush=True)
                    return
            start = time.monotonic()
            status, _, err = self.run(command, 0, None)
            if status not in (0, 4, 5):
                fail(f"{name}: {path} ends with {status} without a mutant: {err}")
            runs.append((command, status, 20 * (time.monotonic() - start) + 10))

        def one(m):
            for command, status, limit in runs:
                got, first, _ = self.run(command, m.number, limit)
                if got != status:
                    return {MISMATCH: "mismatch", "timeout": "timeout"}.get(got, f"status {got}: {first}")
            return None

        present = {int(x, 16) for x in (self.work / "present").read_text().split()}
        self.try_all(name, present, one)

    def lockstep(self, shapes, first_look):
        for shape in shapes:
            if self.alive and shape[0] not in self.broken:
                self.shape(*shape, first_look)
                self.save()

    # ---- benches
    def bench(self, name):
        rtl, folder = self.work / "rtl", self.work / f"bench-{name}"
        self.weave(rtl)
        script = f'set -eu; cd "{ROOT}"; . tests/cosim/blocks.bash; build_common; build_bench {name} "{rtl}" "{folder}"'
        env = dict(self.env, UTURN_BUILD=str(BUILD), PATH=os.environ["PATH"])
        p = subprocess.run(["bash", "-c", script], env=env, capture_output=True, text=True, check=False)
        if p.returncode:
            fail(f"building {name}: {p.stderr[-2000:]}")
        present = set()
        for path in folder.glob("*.cpp"):
            present |= {int(x, 16) for x in re.findall(r"0x6d00[0-9a-f]{4}", path.read_text())}
        if not any(m.number in present for m in self.alive):
            return
        seconds = self.o.bench_seconds  # of processor time: what is not found by then is not found
        command = ["bash", "-c", f"ulimit -S -t {seconds}; exec {folder}/test"]
        status, _, err = self.run(command, 0, None)
        if status not in (0, OUT_OF_TIME):
            fail(f"bench {name} ends with {status} without a mutant: {err}")

        def one(m):
            got, first, _ = self.run(command, m.number, None)
            return None if got in (0, OUT_OF_TIME) else f"{first}"

        self.try_all(f"bench {name}", present, one)

    def benches(self):
        names = bench_names(lambda module: any(m.file == f"ut_{module}.v" for m in self.alive))
        for name in names:
            if self.alive:
                self.bench(name)
                self.save()

    # ---- results
    def save(self):
        if not self.o.json:
            return
        numbers = {m.number: m for f in self.files.values() for m in f.mutants}
        data = [{"key": m.key, "line": m.line, "operator": m.operator, "there": n in self.there,
                 "killed": self.killed.get(n)} for n, m in numbers.items() if n in self.drawn]
        pathlib.Path(self.o.json).write_text(json.dumps(data, indent=0))

    def report(self):
        rows = []
        for name, f in self.files.items():
            drawn = [m for m in f.mutants if m.number in self.drawn]
            if not drawn:
                continue
            accepted = sum(m.key in self.accepted for m in f.mutants)
            places = [self.killed[m.number][0] for m in drawn if m.number in self.killed]
            bench = sum(place.startswith("bench") for place in places)
            lockstep = len(places) - bench
            rows.append((name, len(f.mutants), accepted, len(drawn), lockstep, bench, len(drawn) - lockstep - bench))
        rows.append(("all",) + tuple(sum(r[i] for r in rows) for i in range(1, 7)))
        print("file mutants accepted run killed_in_lockstep by_benches new_survivors")
        for r in rows:
            print(*r)
        if self.o.accepted:
            for m in (m for f in self.files.values() for m in f.mutants):
                if m.key in self.accepted and m.number in self.killed:
                    print(f"accepted, but killed by {self.killed[m.number][0]}: {m.key}")
        self.save()
        new = [m for m in self.alive if m.key not in self.accepted]
        for m in new:
            print(f"survives{'' if m.number in self.there else ', in no shape'}: {m.key}  (line {m.line})")
        if new:
            print(f"{len(new)} mutants survive: find a test that kills them, or add them to "
                  "tests/mutation/survivors.txt with the reason")
        if self.broken:
            print("cannot be built with mutants: " + ", ".join(self.broken))
        return 1 if new or self.broken else 0

    def go(self):
        self.drawn = {m.number for m in self.alive}
        if self.o.check:
            print(f"{sum(len(f.mutants) for f in self.files.values())} mutants, {len(self.accepted)} accepted")
            return 0
        print(f"{len(self.drawn)} mutants", flush=True)
        shapes = read_shapes(self.o.shapes)
        if self.o.look != "second":
            self.lockstep([s for *s, first in shapes if first], True)
        if self.o.benches:
            self.benches()
        if self.o.look != "first":
            self.lockstep([s for *s, _ in shapes], False)
        return self.report()


def main():
    p = argparse.ArgumentParser(description="mutants of the RTL against lockstep and benches")
    p.add_argument("--sample", type=int, default=150)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--all", action="store_true")
    p.add_argument("--check", action="store_true", help="read the RTL and survivors.txt, run nothing")
    p.add_argument("--accepted", action="store_true", help="run accepted survivors, too")
    p.add_argument("--files", type=lambda s: s.split(","), help="mutants of these files only")
    p.add_argument("--shapes", type=lambda s: s.split(","))
    p.add_argument("--look", choices=("first", "second"), help="only that look")
    p.add_argument("--left", metavar="FILE", help="mutants that a run with --json FILE has left")
    p.add_argument("--no-benches", dest="benches", action="store_false")
    p.add_argument("--bench-seconds", type=int, default=20, help="processor time of a bench with a mutant")
    p.add_argument("--cycles", type=int, default=5000)
    p.add_argument("--level", default="-O1", help="optimisation of the switch models")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--json", help="what became of each mutant")
    options = p.parse_args()
    with tempfile.TemporaryDirectory() as work:
        return Campaign(options, pathlib.Path(work)).go()


if __name__ == "__main__":
    sys.exit(main())
