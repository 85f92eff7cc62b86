#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tests of the RTL are tested: every mutant of it must be found in lockstep or by the bench of its block.

  rtl.py [--sample N] [--seed S] [--all] [--files NAME,...] [--shapes NAME,...] [--no-benches] [--least PERCENT] [--check]
         [--golden model|spec|both]

All mutants that are left share one build a shape; the number in the file `mutant` of the working folder says which
of them lives (verilog.py).  A run ends at its first mismatch, so a kill is cheap.  What is left after a short look at
some shapes (shapes.tsv) goes to the benches, then through all shapes.  Survivors are printed with their places.  --least:
status 1 when a smaller share of them dies.  --check reads the RTL and runs nothing.  --golden: what the RTL is compared with
in lockstep; both: status 1 when one of them does not find what the other one finds, or elsewhere.  UTURN_ROOT, UTURN_BUILD,
UTURN_BIN as in all tests.
"""
import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import verilog
from campaign import Campaign, fail, options
from shapes import BUILD, COMPILER, PROGRAM, ROOT, bench_names, read_shapes, stand_in

MISMATCH = 3
OUT_OF_TIME = -signal.SIGXCPU
GOLDEN = {"model": ("model",), "spec": ("spec",), "both": ("model", "spec")}
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


class RtlCampaign(Campaign):
    columns, rooms = ("in_lockstep", "by_benches"), ("rtl",)

    def __init__(self, o, work):
        super().__init__(o, read_mutants(), work)
        self.found = []  # of each mutant found in lockstep: the mutant, the shape, golden -> (what is reported, verdict)
        if not o.check:
            self.tools()

    def room_of(self, _):
        return self.rooms[0]

    def column_of(self, place):
        return "by_benches" if place.startswith("bench") else "in_lockstep"

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
            return p.returncode, (p.stderr.strip() or p.stdout.strip()).splitlines()[:1], p.stderr + p.stdout
        except subprocess.TimeoutExpired:
            return "timeout", [], ""
        finally:
            shutil.rmtree(folder)

    def try_present(self, place, present, one):
        """Runs every mutant that is there."""
        self.there |= present
        self.try_all(place, [m for m in self.alive if m.number in present], one)

    # ---- lockstep
    def unharmed(self, name, command):
        """The command, its status without a mutant, and the seconds after which a run with one is given up."""
        start = time.monotonic()
        status, _, err = self.run(command, 0, None)
        if status not in (0, 4, 5):
            fail(f"{name}: {' '.join(command)} ends with {status} without a mutant: {err}")
        return command, status, 20 * (time.monotonic() - start) + 10

    def report_of(self, m, command, status, limit):
        """What lockstep reports of a mutant (of a mismatch: cycle, switch, register, values), and the verdict "two of
        three"; None if it does not find it."""
        got, first, err = self.run(command, m.number, limit)
        if got == status:
            return None
        line = re.search(r"^cycle \d+: .*$", err, re.M)
        verdict = re.search(r"two of three: .*?((?:the \w+ is wrong|all differ)$)", err, re.M)
        what = re.sub(r", (model|spec) expected", ", expected", line[0] if line else first[0] if first else "")
        kind = {MISMATCH: "mismatch", "timeout": "timeout"}.get(got, f"status {got}")
        return f"{kind}: {what}", verdict[1] if verdict else "no verdict"

    def shape(self, name, scenarios, first_look):
        """The mutants that are left in lockstep of that shape; the first look is a short one, at one scenario."""
        rtl = self.work / "rtl"
        self.weave(rtl)
        (self.work / "present").unlink(missing_ok=True)
        runs = []
        for path in scenarios[:1 if first_look else None]:
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
            runs.append({golden: self.unharmed(name, [*command, "--golden", golden]) for golden in GOLDEN[self.o.golden]})

        def one(m):
            for run in runs:
                reports = {golden: self.report_of(m, *run[golden]) for golden in run}
                if any(reports.values()):
                    self.found.append((m, name, reports))
                    return next(filter(None, reports.values()))[0]
            return None

        present = {int(x, 16) for x in (self.work / "present").read_text().split()}
        self.try_present(name, present, one)

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

        self.try_present(f"bench {name}", present, one)

    def benches(self):
        names = bench_names(lambda module: any(m.file == f"ut_{module}.v" for m in self.alive))
        for name in names:
            if self.alive:
                self.bench(name)
                self.save()

    # ---- model and spec
    def report(self):
        status = super().report()
        for golden in GOLDEN[self.o.golden]:
            reports = [reports[golden] for _, _, reports in self.found if reports[golden]]
            verdicts = collections.Counter(verdict for _, verdict in reports)
            print(f"against the {golden}: {len(reports)} found in lockstep;",
                  ", ".join(f"{verdict}: {n}" for verdict, n in sorted(verdicts.items())))
        unequal = [found for found in self.found if len(set(found[2].values())) > 1]
        for m, name, reports in unequal:
            print(f"model and spec report different things, in {name}: {m.file}:{m.line}: {m.key.removeprefix(m.file + ': ')}")
            for golden, report in reports.items():
                print(f"  against the {golden}: {'; '.join(report) if report else 'not found'}")
        return 1 if unequal else status

    def campaign(self):
        shapes = read_shapes(self.o.shapes)
        if self.o.look != "second":
            self.lockstep([s for *s, first in shapes if first], True)
        if self.o.benches:
            self.benches()
        if self.o.look != "first":
            self.lockstep([s for *s, _ in shapes], False)


def main():
    p = options("mutants of the RTL against lockstep and benches", 150)
    p.add_argument("--shapes", type=lambda s: s.split(","))
    p.add_argument("--look", choices=("first", "second", "both"), default="both",
                   help="first: a short look at some shapes, and benches; second: benches, and all shapes")
    p.add_argument("--golden", choices=GOLDEN, default="model", help="what the RTL is compared with in lockstep")
    p.add_argument("--no-benches", dest="benches", action="store_false")
    p.add_argument("--bench-seconds", type=int, default=20, help="processor time of a bench with a mutant")
    p.add_argument("--cycles", type=int, default=5000)
    p.add_argument("--level", default="-O1", help="optimisation of the switch models")
    with tempfile.TemporaryDirectory() as work:
        return RtlCampaign(p.parse_args(), pathlib.Path(work)).go()


if __name__ == "__main__":
    sys.exit(main())
