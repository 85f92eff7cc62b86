# SPDX-License-Identifier: Apache-2.0
"""What the campaigns of the RTL (rtl.py) and of the C sources (csim.py) share: which mutants are tried, running one, and
the results.  UTURN_ROOT, UTURN_BUILD, UTURN_BIN as in all tests.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import sys
from concurrent.futures import ThreadPoolExecutor


def fail(text):
    sys.exit(f"mutation: {text}")


def options(what, sample):
    p = argparse.ArgumentParser(description=what)
    p.add_argument("--sample", type=int, default=sample, help="mutants of each room")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--all", action="store_true")
    p.add_argument("--least", type=float, default=0, metavar="PERCENT", help="status 1 unless at least this share dies")
    p.add_argument("--least-room", type=float, default=0, metavar="PERCENT", help="the same for each room")
    p.add_argument("--check", action="store_true", help="read the sources, run nothing: each room has mutants for a sample")
    p.add_argument("--files", type=lambda s: s.split(","), help="mutants of these files only")
    p.add_argument("--left", metavar="FILE", help="mutants that a run with --json FILE has left")
    p.add_argument("--keys", metavar="FILE", help="these mutants only, written as a run prints them: FILE.c:LINE: STATEMENT: A -> B")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--json", help="what became of each mutant")
    return p


class Campaign:
    """files: name -> Source, numbered; columns: kinds of killers, column_of(place) says which; rooms: names, and
    room_of(file) says which."""

    columns, rooms = (), ()

    def __init__(self, o, files, work):
        self.o, self.files, self.work = o, files, work
        self.everything = [m for f in files.values() for m in f.mutants]
        self.alive = self.wanted()
        self.drawn = {m.number for m in self.alive}
        self.killed, self.there, self.broken = {}, set(), []  # number -> (place, how)

    def wanted(self):
        """The sample of each room stays nearly the same when sources change: a mutant has its place in the order of a seed."""
        wanted = [m for m in self.everything if not self.o.files or m.file in self.o.files]
        if self.o.keys:
            lines = pathlib.Path(self.o.keys).read_text().splitlines()
            keys = {re.sub(r"^(?:survives.*?: )?(\S+):\d+: ", r"\1: ", line.strip()) for line in lines}
            wanted = [m for m in wanted if m.key in keys]
        elif self.o.left:
            left = {r["key"] for r in json.loads(pathlib.Path(self.o.left).read_text()) if not r["killed"]}
            wanted = [m for m in wanted if m.key in left]
        elif not self.o.all:
            wanted.sort(key=lambda m: hashlib.sha256(f"{self.o.seed} {m.key}".encode()).digest())
            wanted = [m for room in self.rooms for m in self.of_room(wanted, room)[:self.o.sample]]
            wanted.sort(key=lambda m: m.number)
        return wanted

    def of_room(self, mutants, room):
        return [m for m in mutants if self.room_of(m.file) == room]

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

    def row(self, name, mutants):
        drawn = [m for m in mutants if m.number in self.drawn]
        by = collections.Counter(self.column_of(self.killed[m.number][0]) for m in drawn if m.number in self.killed)
        share = f"{100 * by.total() / len(drawn):.1f}" if drawn else "-"
        return (name, len(mutants), len(drawn), *(by[c] for c in self.columns), len(drawn) - by.total(), share)

    def report(self):
        """The table, and the survivors with their places: a person reads which of them are equivalent (docs/explanation/mutation.md)."""
        groups = [*((name, f.mutants) for name, f in self.files.items()),
                  *((room, self.of_room(self.everything, room)) for room in self.rooms), ("all", self.everything)]
        rows = {name: self.row(name, mutants) for name, mutants in groups}
        print("file_or_room mutants run", *(f"killed_{c}" for c in self.columns), "survivors killed_%")
        for row in rows.values():
            if row[2]:
                print(*row)
        self.save()
        for m in self.alive:
            reached = "" if m.number in self.there else ", reached by nothing"
            print(f"survives{reached}: {m.file}:{m.line}: {m.key.removeprefix(m.file + ': ')}")
        if self.broken:
            print("cannot be built with mutants: " + ", ".join(self.broken))
        least = {**dict.fromkeys(self.rooms, self.o.least_room), "all": self.o.least}
        few = [name for name in least if rows[name][2] and float(rows[name][-1]) < least[name]]
        for name in few:
            print(f"{name}: {rows[name][-1]} % died, expected at least {least[name]:g} %: a test is missing for some of the survivors")
        return 1 if few or self.broken else 0

    def check(self):
        """The sources could be read; a room of which too little was understood has no sample."""
        count = {room: len(self.of_room(self.everything, room)) for room in self.rooms}
        print(f"{len(self.everything)} mutants:", ", ".join(f"{room} {n}" for room, n in count.items()))
        few = [room for room, n in count.items() if n < self.o.sample]
        return fail(f"fewer than {self.o.sample} mutants in: {', '.join(few)}") if few else 0

    def go(self):
        if self.o.check:
            return self.check()
        print(f"{len(self.drawn)} mutants", flush=True)
        self.campaign()
        return self.report()
