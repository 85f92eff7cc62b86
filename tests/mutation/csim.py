#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tests of the C sources are tested: every mutant of them must fail a unit test, change what a case of tests/cli/cases
prints, or differ from the RTL.

  csim.py [--sample N] [--seed S] [--all] [--files NAME,...] [--left FILE] [--same FOLDER] [--json FILE] [--check]
           [--least PERCENT] [--least-room PERCENT]

The mutants that are drawn share one build: woven into a copy of csim/ (c_source.py), compiled with the unit tests without
optimisation across files.  UT_MUTANT in the environment says which of them lives.
Every test runs once without a mutant and tells which it reaches; a mutant is tried in these: first where others of its file
died soonest.  Of csim_same.py comes which tests can tell at all (--same).
Survivors are printed with their places; with --least the status is 1 when a smaller share dies.
"""
import argparse
import hashlib
import itertools
import json
import math
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import c_source
from campaign import Campaign, fail, options
from shapes import BUILD, ROOT

STAGES = ("spec", "units", "cases", "slow", "lockstep", "sanitizers")

# What computes figures that users see.  Not: what reads and checks files, names, messages, drawing, threads, what calls
# into the cache, and what asks for memory and gives it back; tables of families and methods.
IN = re.compile(r"""csim/(
    util/(statistics|estimate|combinations|random)\.[ch]
  | network/(?!scenario|goal|dependencies|task_labels|family\.c|elaborated).*
  | observe/(?!rt_text).*
  | plan/.*
  | prove/(?!certificate_text|methods\.c|replay).*
  | tolerance/.*
  | switch/(?!elaborated|registers|form\.h|ahead\.h|spec_).*)$""", re.X)
# Unit tests that need a compiler, look at files or take long, and reach nothing that others do not.
WITHOUT = ("test_model_cache", "test_elaborate", "test_store", "test_printed", "test_results", "test_messages",
           "test_results_json", "test_html_page", "test_nearest", "test_sheet", "test_search", "test_sweep_keys", "test_cost",
           "test_upsets")
# Tried when the others have not killed a mutant of their room.
SLOW = ("test_plan", "test_walks", "test_detour", "test_literal", "test_topology", "test_torus_tolerance", "test_ruft",
        "test_table", "test_tree_symmetry")
# Against the RTL, one after the other, when all else has not: what only a backend does, registers that nothing is computed
# from.  The model of the first one is that of other tests, and in the cache.
LOCKSTEP = ("scenarios/demo.yaml", "tests/mutation/scenarios/faults_light_load.yaml")
# What tests/cli/sanitizers_slow.sh builds its unit tests with, in the way of this compiler.
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DUTURN_CHECKS", "-Dalways_inline=unused"]

SAME = "differs.json"  # which mutants have another value in which test, by csim_same.py
SANITIZED = ", sanitized"  # behind the name of a test

HEADER = """#ifndef UT_MUTANT
extern unsigned ut_mutant;
extern unsigned char *ut_mutant_reached;
#define UT_MUTANT(n) (ut_mutant_reached[n] = 1, ut_mutant == (n))
#endif
"""
# A file of UT_MUTANT_REACHED gets a byte for each mutant: it is shared by all processes of a test.
REACHED = """#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
static unsigned char nowhere[{count} + 1];
unsigned char *ut_mutant_reached = nowhere;
static int map_reached(void) {{
  const char *path = getenv("UT_MUTANT_REACHED");
  int file = path ? open(path, O_RDWR) : -1;
  void *map = file >= 0 ? mmap(NULL, {count} + 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  if (map != MAP_FAILED)
    ut_mutant_reached = map;
  return map != MAP_FAILED;
}}
"""
# With UT_SERVE a unit test forks for each line that it reads, of a mutant and its milliseconds, and says how that one ended:
# a new process costs as much as many tests.
SELECTOR = REACHED + """#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
unsigned ut_mutant;
static void limit(int timer, unsigned ms) {{
  setitimer(timer, &(struct itimerval){{.it_value = {{.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000}}}}, NULL);
}}
static void serve(void) {{
  FILE *lines = fdopen(fcntl(0, F_DUPFD_CLOEXEC, 100), "r");
  int answers = fcntl(1, F_DUPFD_CLOEXEC, 100), nothing = open("/dev/null", O_RDWR), status = 0;
  for (int i = 0; i < 3; i++)
    dup2(nothing, i);
  unsetenv("UT_SERVE");
  for (unsigned ms; fscanf(lines, "%u %u", &ut_mutant, &ms) == 2; dprintf(answers, "%d\\n", status)) {{
    int child = fork();
    if (child == 0) {{
      char number[16];
      snprintf(number, sizeof number, "%u", ut_mutant);
      setenv("UT_MUTANT", number, 1);
      fclose(lines);
      close(answers);
      limit(ITIMER_PROF, ms);
      limit(ITIMER_REAL, 30 * ms);
      return;
    }}
    waitpid(child, &status, 0);
  }}
  _exit(0);
}}
__attribute__((constructor)) static void choose(void) {{
  const char *number = getenv("UT_MUTANT");
  if (number)
    ut_mutant = (unsigned)atoi(number);
  map_reached();
  if (getenv("UT_SERVE"))
    serve();
}}
"""


class Test:
    def __init__(self, name, command, seconds, reached):
        self.name, self.command, self.seconds, self.reached = name, command, seconds, reached
        self.spent, self.kills = {}, {}  # of each file; what kills ends sooner than the test

    def price(self, file):
        """Seconds for each mutant of the file that it has killed."""
        return (self.seconds + self.spent.get(file, 0)) / (1 + self.kills.get(file, 0))

    def count(self, file, seconds, kills):
        self.spent[file] = self.spent.get(file, 0) + seconds
        self.kills[file] = self.kills.get(file, 0) + kills


def read_mutants():
    paths = [p for p in sorted(ROOT.glob("csim/*/*.[ch]"))]
    types = c_source.types_of(p.read_text() for p in paths)
    files, number = {}, 0
    for path in paths:
        name = str(path.relative_to(ROOT))
        if IN.match(name):
            files[name] = f = c_source.File(name, path.read_text(), types)
            for m in f.mutants:
                number += 1
                m.number = number
    return files


def processor_time():
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


class CsimCampaign(Campaign):
    header, selector, marks, flags = HEADER, SELECTOR, {}, ["-w", "-fno-lto"]
    wrong = r"^(\S+?):(\d+):(\d+): error"
    columns = ("by_unit_tests", "by_cases", "in_lockstep", "by_sanitizers")
    rooms = ("util", "network", "observe", "plan", "prove", "tolerance", "switch")  # of csim/, as in IN

    def __init__(self, o, work):
        super().__init__(o, read_mutants(), work)
        self.refused, self.cache = set(), str(work / "cache")
        self.sanitize = []  # flags
        self.given_up = set()  # not tried in all tests
        self.servers = {}  # of each test, those that are idle
        self.differs = self.read_same()

    def room_of(self, file):
        return file.split("/")[1]

    def column_of(self, place):
        return ("by_sanitizers" if place.endswith(SANITIZED) else "by_unit_tests" if place.startswith("test_") else
                "in_lockstep" if place.startswith("cosim ") else "by_cases")

    # ---- build
    def commands(self):
        """Source -> how the build folder compiles it."""
        text = subprocess.run(["ninja", "-C", BUILD, "-t", "compdb"], capture_output=True, text=True, check=True).stdout
        places = (f"{ROOT}/csim/", f"{ROOT}/spec/", f"{ROOT}/tests/")
        return {c["file"]: shlex.split(c["command"]) for c in json.loads(text) if c["file"].startswith(places)}

    def source(self, name):
        return (self.work if name.startswith("csim/") else ROOT) / name

    def call(self, command, *last):
        """How a source is compiled, of the copy."""
        command = [f"-I{self.work}/csim" + w[len(f"-I{ROOT}/csim"):] if w.startswith(f"-I{ROOT}/csim/") else w
                   for w in command if not re.match(r"-flto|-fno-fat|-W|-M|-g$|-O|.*\.o(\.d)?$|-o$|-c$", w)]
        return command[:-1] + [self.o.level, *self.flags, *self.sanitize, "-include", str(self.work / "mutant.h"), *last]

    def compile(self, name, command):
        """Object of a source in the copy, or the numbers of the mutants that the compiler refuses."""
        source, out = self.source(name), self.work / f"{name}.o"
        out.parent.mkdir(parents=True, exist_ok=True)
        p = subprocess.run(self.call(command, "-o", str(out), "-c", str(source)), cwd=BUILD, capture_output=True, text=True,
                           errors="replace", check=False)
        if p.returncode == 0:
            return set()
        refused = {n for n in map(self.refused_at, re.findall(self.wrong, p.stderr, re.M)) if n}
        return refused or fail(f"{name} cannot be compiled: {p.stderr[:2000]}")

    def left_out(self, commands):
        """Mutants of code for other processors and compilers (#else): the preprocessor drops it."""
        here = {m.number for m in self.alive if re.search(r"^#(else|elif)", self.files[m.file].text, re.M)}

        def kept(name):
            text = subprocess.run(self.call(commands[name], "-E", str(self.source(name))), cwd=BUILD, capture_output=True, check=True).stdout
            return {int(n) for n in re.findall(rb"ut_mutant_reached\[(\d+)\]", text)}

        with ThreadPoolExecutor(self.o.jobs) as pool:
            return here.difference(*pool.map(kept, commands)) if here else here

    def refused_at(self, where):
        """The mutant that an error is of: its alternative is there."""
        path, line, column = where
        lines = pathlib.Path(path).read_bytes().split(b"\n")[:int(line)]
        behind = len(b"\n".join(lines)) - len(lines[-1]) + int(column) + 12
        numbers = [int(m[1]) for m in re.finditer(rb"UT_MUTANT\((\d+)\)", b"\n".join(lines)) if m.start() < behind]
        return numbers[-1] if numbers else None

    def weave(self):
        chosen = {m.number for m in self.alive} - self.refused
        for name, f in self.files.items():
            woven = f.weave(chosen)
            if woven != (self.work / name).read_text():
                (self.work / name).write_text(woven)

    def to_compile(self, commands):
        """All of it: the build folder has objects for optimisation across files, which takes longer at each link than this."""
        names = {str(pathlib.Path(source).relative_to(ROOT)): command for source, command in commands.items()}
        tests = "tests/spec/" if self.o.tests == "spec" else "tests/"
        return {n: c for n, c in names.items()
                if not n.startswith("tests/") or (n.startswith(tests) and pathlib.Path(n).stem not in WITHOUT)}

    def copy(self):
        shutil.copytree(ROOT / "csim", self.work / "csim")
        (self.work / "mutant.h").write_text(self.header)
        (self.work / "selector.c").write_text(self.selector.format(count=len(self.everything), **self.marks))
        subprocess.run(["cc", "-O1", "-c", "selector.c"], cwd=self.work, check=True)

    def build(self):
        """The objects with the mutants that are left."""
        self.weave()
        left = every = self.to_compile(self.commands())
        left_out = self.left_out(every)
        self.refused |= left_out
        while left:
            with ThreadPoolExecutor(self.o.jobs) as pool:
                refused = dict(zip(left, pool.map(lambda n: self.compile(n, left[n]), left)))
            left = {n: c for n, c in left.items() if refused[n]}
            self.refused |= set().union(*refused.values())
            self.weave()
        self.alive = [m for m in self.alive if m.number not in self.refused]
        self.drawn -= self.refused
        library = self.work / "csim.a"
        library.unlink(missing_ok=True)
        subprocess.run(["ar", "qcsT", library] + [self.work / f"{n}.o" for n in every if not n.startswith("tests/")], check=True)
        self.objects = [str(self.work / "selector.o"), str(library)]
        self.tests = {pathlib.Path(n).stem: str(self.work / f"{n}.o") for n in every if n.startswith("tests/")}
        print(f"{len(self.refused) - len(left_out)} refused by the compiler, {len(left_out)} of code for other machines, "
              f"{len(self.alive)} mutants", flush=True)

    def link(self, name):
        text = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", "-s", name], capture_output=True, text=True,
                              check=True).stdout
        command = shlex.split(text.strip().splitlines()[-1].replace(": && ", "").replace(" && :", ""))
        at = command.index("-o")
        command[at:at + 2] = ["-o", str(self.work / name)]
        command = [w for w in command if not w.endswith("simulator.o")] + self.sanitize
        command = [self.tests.get(name, w) if w.endswith(f"/{name}.c.o") else w for w in command]
        first = next(i for i, w in enumerate(command) if w.endswith(".a"))
        command[first:first] = self.objects
        subprocess.run(command, cwd=BUILD, check=True)

    # ---- tests
    def unit_tests(self, slow, folder="*"):
        """Name -> command.  Its status is 0 unless it has found a mistake."""
        names = [p.stem for p in sorted(ROOT.glob(f"tests/{folder}/test_*.c")) if p.stem not in WITHOUT]
        rooms = {m.file.split("/")[1] for m in self.alive}
        names = [n for n in names if (n in SLOW) == slow]
        if slow:
            names = [n for n in names if any((ROOT / "tests" / room / f"{n}.c").exists() for room in rooms)]
        with ThreadPoolExecutor(self.o.jobs) as pool:
            list(pool.map(self.link, names))
        return {name: [str(self.work / name)] for name in names}

    def cases(self):
        self.link("uturn")
        return {f"cases {path.stem}": [str(ROOT / "tests/cli/cases.sh"), "--first", path.stem]
                for path in sorted((ROOT / "tests/cli/cases").glob("*.txt"))}

    def lockstep(self):
        if not (self.work / "uturn").exists():
            self.link("uturn")
        self.cache = os.environ.get("UTURN_CACHE", self.cache)
        for name in LOCKSTEP:
            command = [str(self.work / "uturn"), "cosim", name, "--cycles", "1000", "--elaborate", "never"]
            if self.alive:
                self.run(command, 0, 100)  # builds the RTL: no part of the time that the test takes
                self.look({f"cosim {name}": command})

    def sanitized(self):
        """What no result shows, such as one place beyond the end of an array."""
        self.sanitize = SANITIZE
        self.build()
        self.look({name + SANITIZED: command for name, command in self.unit_tests(False).items()})

    def sources(self):
        return hashlib.sha256("\n".join(m.key for m in self.everything).encode()).hexdigest()

    def read_same(self):
        """Test -> mutants that have another value there; None: not known."""
        if not getattr(self.o, "same", None):
            return None
        same = json.loads((pathlib.Path(self.o.same) / SAME).read_text())
        if same["sources"] != self.sources():
            fail(f"{self.o.same} is of other sources; run csim_same.py again")
        return {name: set(numbers) for name, numbers in same["differs"].items()}

    def limited(self, command, number, seconds, **more):
        env = dict(os.environ, UTURN_ROOT=str(ROOT), UTURN_BIN=str(self.work / "uturn"), UT_MUTANT=str(number),
                   UTURN_CACHE=self.cache, TMPDIR=str(self.work / "tmp"), **more)
        limits = ["prlimit", "--fsize=100000000", "--core=0"] + ([f"--cpu={seconds}"] if seconds else [])
        limits += [] if self.sanitize else ["--as=8000000000"]  # shadow memory takes terabytes of addresses
        return {"args": limits + command, "cwd": ROOT, "env": env, "stderr": subprocess.DEVNULL}

    def run(self, command, number, seconds, reached=""):
        try:
            return subprocess.run(**self.limited(command, number, seconds, UT_MUTANT_REACHED=reached), stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, timeout=30 * seconds, check=False).returncode
        except subprocess.TimeoutExpired:
            return "timeout"

    def ask(self, test, number, seconds):
        """The same of a unit test, by a server of it."""
        try:
            server = self.servers[test.name].pop()
        except IndexError:
            server = subprocess.Popen(**self.limited(test.command, 0, 0, UT_SERVE="1"), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      text=True, bufsize=1)
        server.stdin.write(f"{number} {int(1000 * seconds)}\n")
        status = int(server.stdout.readline())
        self.servers[test.name].append(server)
        return os.waitstatus_to_exitcode(status)

    def survey(self, tests):
        """Each test, and which mutants it can tell, the fastest ones first."""
        path, found = self.work / "reached", []
        for name, command in tests.items():
            path.write_bytes(bytes(len(self.everything) + 1))
            before = processor_time()
            status = self.run(command, 0, 60, str(path))
            if status:
                fail(f"{name} ends with {status} without a mutant")
            seconds, data = processor_time() - before, path.read_bytes()
            reached = {n for n in self.drawn if data[n]}
            self.there |= reached
            if self.differs and name.removesuffix(SANITIZED) in self.differs:
                reached &= self.differs[name.removesuffix(SANITIZED)]
            found.append(Test(name, command, seconds, reached))
        return sorted(found, key=lambda t: t.seconds)

    def look(self, tests):
        """Every mutant that is left in the tests that can tell."""
        survey = self.survey(tests)
        self.servers = {t.name: [] for t in survey}

        def one(m):
            begin = time.monotonic()
            for t in sorted((t for t in survey if m.number in t.reached), key=lambda t: t.price(m.file)):
                before = time.monotonic()
                if before - begin > self.o.seconds:
                    self.given_up.add(m.number)
                    return None
                ask = self.ask if t.name.startswith("test_") else self.run_whole
                status = ask(t, m.number, 3 * t.seconds + 0.3)
                t.count(m.file, time.monotonic() - before, bool(status))
                if status:
                    return t.name, f"status {status}"
            return None

        for name in sorted({m.file for m in self.alive}):
            self.try_all(name, [m for m in self.alive if m.file == name], one)
            self.save()
        for server in itertools.chain(*self.servers.values()):
            server.stdin.close()
            server.wait()

    def run_whole(self, test, number, seconds):
        return self.run(test.command, number, math.ceil(seconds))

    def report(self):
        status = super().report()
        if self.given_up:
            print(f"{len(self.given_up)} were not tried in all tests (--seconds)")
        return status

    def campaign(self):
        (self.work / "tmp").mkdir()
        self.copy()
        self.build()
        print(f"{processor_time():.0f} s of processor time for the build", flush=True)
        if "spec" in self.o.tests:
            self.look(self.unit_tests(False, "spec"))
        if "units" in self.o.tests or "cases" in self.o.tests:
            self.look((self.unit_tests(False) if "units" in self.o.tests else {}) |
                      (self.cases() if "cases" in self.o.tests else {}))
        if self.alive and "slow" in self.o.tests:
            self.look(self.unit_tests(True))
        if self.alive and "lockstep" in self.o.tests:
            self.lockstep()
        if self.alive and "sanitizers" in self.o.tests:
            self.sanitized()


def stages(text):
    unknown = sorted(set(text.split(",")) - set(STAGES))
    if unknown:
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}; known: {', '.join(STAGES)}")
    return text


def main():
    p = options("mutants of the C sources against unit tests, cases of tests/cli and the RTL", 20)
    p.add_argument("--tests", default=",".join(STAGES), type=stages,
                   help="which of these; spec: the model against spec/ (tests/spec); slow: unit tests for what is left then; lockstep, and sanitizers: for what is left after all")
    p.add_argument("--seconds", type=float, default=math.inf, help="of a stage for one mutant, at most: then it is left")
    p.add_argument("--same", metavar="FOLDER", help="what csim_same.py has written: try mutants where their values differ")
    p.add_argument("--level", default="-O1", help="optimisation of what is compiled")
    with tempfile.TemporaryDirectory() as work:
        return CsimCampaign(p.parse_args(), pathlib.Path(work)).go()


if __name__ == "__main__":
    sys.exit(main())
