"""What the campaigns of the RTL (rtl.py) and of the C sources (csim.py) share: which mutants are tried, those that are
accepted, running one, and the results.  UTURN_ROOT, UTURN_BUILD, UTURN_BIN as in all tests.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import sys
from concurrent.futures import ThreadPoolExecutor

from shapes import read_reasons

KINDS = ("equivalent", "unobservable", "gap")


def fail(text):
    sys.exit(f"mutation: {text}")


def options(what, sample):
    p = argparse.ArgumentParser(description=what)
    p.add_argument("--sample", type=int, default=sample)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--all", action="store_true")
    p.add_argument("--check", action="store_true", help="read the sources and the survivors, run nothing")
    p.add_argument("--accepted", action="store_true", help="run accepted survivors, too")
    p.add_argument("--files", type=lambda s: s.split(","), help="mutants of these files only")
    p.add_argument("--left", metavar="FILE", help="mutants that a run with --json FILE has left")
    p.add_argument("--keys", metavar="FILE", help="these mutants only, written as a run prints them: FILE.c:LINE: STATEMENT: A -> B")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--json", help="what became of each mutant")
    return p


class Campaign:
    """files: name -> Source, numbered; columns: kinds of killers, column_of(place) says which."""

    columns = ()

    def __init__(self, o, files, survivors, work):
        self.o, self.files, self.work = o, files, work
        self.everything = [m for f in files.values() for m in f.mutants]
        self.accepted = read_reasons(survivors, KINDS)
        known = {m.key for m in self.everything}
        stale = [key for key in self.accepted if key not in known]
        if stale:
            fail(f"{survivors.name}: no such mutant any more; remove or correct the line:\n  " + "\n  ".join(stale))
        self.alive = self.wanted()
        self.drawn = {m.number for m in self.alive}
        self.killed, self.there, self.broken = {}, set(), []  # number -> (place, how)

    def wanted(self):
        """The sample stays nearly the same when sources change: each mutant has its place in the order of a seed."""
        wanted = [m for m in self.everything if not self.o.files or m.file in self.o.files]
        if self.o.keys:
            lines = pathlib.Path(self.o.keys).read_text().splitlines()
            keys = {re.sub(r"^(\S+):\d+: ", r"\1: ", line.strip()) for line in lines}
            wanted = [m for m in wanted if m.key in keys]
        elif self.o.left:
            left = {r["key"] for r in json.loads(pathlib.Path(self.o.left).read_text()) if not r["killed"]}
            wanted = [m for m in wanted if m.key in left]
        elif not self.o.all:
            wanted.sort(key=lambda m: hashlib.sha256(f"{self.o.seed} {m.key}".encode()).digest())
            del wanted[self.o.sample:]
            wanted.sort(key=lambda m: m.number)
        return [m for m in wanted if self.o.accepted or m.key not in self.accepted]

    def try_all(self, place, here, one):
        """one(m) says how a mutant was killed, or where and how, or None: keeps those that live."""
        before = os.times()
        with ThreadPoolExecutor(self.o.jobs) as pool:
            for m, how in zip(here, pool.map(one, here)):
                if how:
                    self.killed[m.number] = how if isinstance(how, tuple) else (place, how)
        self.alive = [m for m in self.alive if m.number not in self.killed]
        left = sum(m.number not in self.killed for m in here)
        now = os.times()
        cpu = sum(now[i] - before[i] for i in (2, 3))
        print(f"{place}: {len(here)} mutants, {len(here) - left} killed, {left} not, {len(self.alive)} left; "
              f"{cpu:.0f} s of processor time for the runs", flush=True)

    def save(self):
        if not self.o.json:
            return
        data = [{"key": m.key, "line": m.line, "operator": m.operator, "there": m.number in self.there,
                 "killed": self.killed.get(m.number)} for m in self.everything if m.number in self.drawn]
        pathlib.Path(self.o.json).write_text(json.dumps(data, indent=0))

    def row(self, name, f):
        drawn = [m for m in f.mutants if m.number in self.drawn]
        by = [self.column_of(self.killed[m.number][0]) for m in drawn if m.number in self.killed]
        return (name, len(f.mutants), sum(m.key in self.accepted for m in f.mutants), len(drawn),
                *(by.count(c) for c in self.columns), len(drawn) - len(by))

    def report(self):
        rows = [r for r in (self.row(name, f) for name, f in self.files.items()) if r[3]]
        rows.append(("all",) + tuple(sum(r[i] for r in rows) for i in range(1, 5 + len(self.columns))))
        print("file mutants accepted run", *(f"killed_{c}" for c in self.columns), "survivors")
        for r in rows:
            print(*r)
        for m in self.everything:
            if m.key in self.accepted and m.number in self.killed:
                print(f"accepted, but killed by {self.killed[m.number][0]}: {m.key}")
        self.save()
        new = [m for m in self.alive if m.key not in self.accepted]
        for m in new:
            print(f"survives{'' if m.number in self.there else ', reached by nothing'}: {m.key}  (line {m.line})")
        if new:
            print(f"{len(new)} mutants survive: find a test that kills them, or add them to the survivors with the reason")
        if self.broken:
            print("cannot be built with mutants: " + ", ".join(self.broken))
        return 1 if new or self.broken else 0

    def go(self):
        if self.o.check:
            print(f"{len(self.everything)} mutants, {len(self.accepted)} accepted")
            return 0
        print(f"{len(self.drawn)} mutants", flush=True)
        self.campaign()
        return self.report()
