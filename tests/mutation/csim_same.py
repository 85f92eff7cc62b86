#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutants of the C sources that no test can kill, because in none of them they have another value than the original.

  csim_same.py [--files NAME,...] [--folder FOLDER] [--jobs N]

Every mutant is compared in one build and one run of each test: beside the original its value is computed too, thrown
away, and only whether it was another one is noted (c_source.py).  So it takes minutes for all mutants, and says less
than csim.py: what is listed lives; what is not listed had another value, which a test may still not see.  A call or a
jump that is dropped, and what cannot be computed twice, counts as another value where it is reached.
Writes FOLDER/ROOM.txt for each room of csim/: what nothing reaches, and what is always the same; and FOLDER/differs.json, which
mutants had another value in which test: csim.py --same FOLDER tries them in these alone.
"""
import json
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import c_source
from campaign import fail, options
from csim import REACHED, SAME, CsimCampaign

# The marks of a mutant: it is reached, had another value, has crashed in another test, is being compared.
REACHES, DIFFERS, CRASHES, UNDER_WAY = 1, 2, 4, 8
# While one is compared no other one is: it would be asked for values that the original never has.
HEADER = """#ifndef UT_COMPARE
extern unsigned char *ut_mutant_reached;
extern _Thread_local _Bool ut_comparing;
_Bool ut_compare_begin(unsigned n);
void ut_compare_end(unsigned n, _Bool differs);
#define UT_COMPARE(n, differs) \\
  (ut_mutant_reached[n] & 2 || ut_comparing ? (void)0 : ut_compare_end(n, ut_compare_begin(n) || (differs)))
#endif
"""
SELECTOR = REACHED + """
_Thread_local _Bool ut_comparing;
_Bool ut_compare_begin(unsigned n) {{
  ut_comparing = 1;
  return __atomic_fetch_or(&ut_mutant_reached[n], {REACHES} | {UNDER_WAY}, __ATOMIC_RELAXED) & {CRASHES};
}}
void ut_compare_end(unsigned n, _Bool differs) {{
  ut_comparing = 0;
  if (differs)
    __atomic_fetch_or(&ut_mutant_reached[n], {DIFFERS}, __ATOMIC_RELAXED);
  __atomic_fetch_and(&ut_mutant_reached[n], ~{UNDER_WAY}, __ATOMIC_RELAXED);
}}
__attribute__((constructor)) static void choose(void) {{ map_reached(); }}
"""
SECONDS = 120


class Comparison(CsimCampaign):
    header, selector = HEADER, SELECTOR
    marks = {"REACHES": REACHES, "DIFFERS": DIFFERS, "CRASHES": CRASHES, "UNDER_WAY": UNDER_WAY}
    # Comparisons in each place where a function is inlined are too much for a compiler.
    flags = [*CsimCampaign.flags, "-Dalways_inline=unused"]
    wrong = r"^(\S+?):(\d+):(\d+): (?:error|note: in expansion of macro .UT_COMPARE)"

    def refused_at(self, where):
        """The first comparison behind the error, or the last one before it."""
        path, line, column = where
        lines = pathlib.Path(path).read_bytes().split(b"\n")
        behind = re.search(rb"UT_COMPARE\((\d+),", lines[int(line) - 1][int(column) - 1:])
        before = re.findall(rb"UT_COMPARE\((\d+),", b"\n".join(lines[:int(line) - 1] + [lines[int(line) - 1][:int(column)]]))
        return int(behind[1]) if behind else int(before[-1]) if before else None

    def copy(self):
        harmless = c_source.without_effect(self.files.values())
        for f in self.files.values():
            c_source.compare_mutants(f, harmless)
        super().copy()

    def compare(self, test):
        """The marks of all mutants in a test.  What ends it in a comparison is not compared again: it differs where it is reached."""
        name, command = test
        with tempfile.NamedTemporaryFile(dir=self.work) as f:
            path, marks = pathlib.Path(f.name), bytes(len(self.everything) + 1)
            while True:
                path.write_bytes(bytes(mark | CRASHES * (n in self.crashes) for n, mark in enumerate(marks)))
                status = self.run(command, 0, SECONDS, f.name)
                marks = path.read_bytes()
                ended = {n for n, mark in enumerate(marks) if mark & UNDER_WAY}
                if not ended:
                    return name, marks if status == 0 else fail(f"{name} ends with {status}")
                self.crashes |= ended
                marks = bytes(mark & ~UNDER_WAY for mark in marks)

    def look(self, tests):
        with ThreadPoolExecutor(self.o.jobs) as pool:
            for name, marks in pool.map(self.compare, tests.items()):
                self.seen = [old | new for old, new in zip(self.seen, marks)]
                self.differs[name] = [n for n, mark in enumerate(marks) if mark & DIFFERS]
                print(f"{name}: {len(self.differs[name])} have another value; so far {sum(b & REACHES for b in self.seen)} are "
                      f"reached, {sum(b & DIFFERS > 0 for b in self.seen)} had another value", flush=True)

    def campaign(self):
        self.seen, self.crashes, self.differs = bytes(len(self.everything) + 1), set(), {}
        (self.work / "tmp").mkdir()
        self.copy()
        self.build()
        self.look(self.unit_tests(False))
        self.look(self.cases())
        self.look(self.unit_tests(True))

    def report(self):
        folder = pathlib.Path(self.o.folder)
        folder.mkdir(exist_ok=True)
        rooms = {}
        for m in self.everything:
            if m.number in self.drawn and m.number not in self.refused and not self.seen[m.number] & DIFFERS:
                rooms.setdefault(m.file.split("/")[1], []).append(m)
        for room, left in rooms.items():
            lines = [f"{m.file}:{m.line}: {'same' if self.seen[m.number] & REACHES else 'never reached'}: {m.key.partition(': ')[2]}" for m in left]
            (folder / f"{room}.txt").write_text("\n".join(lines) + "\n")
            print(f"{room}: {len(left)}")
        (folder / SAME).write_text(json.dumps({"sources": self.sources(), "differs": self.differs}))
        return 0


def main():
    p = options("mutants of the C sources that have the original's value in all tests", 0)
    p.add_argument("--level", default="-O1", help="optimisation of what is compiled")
    p.add_argument("--folder", default="same", help="where lists are written")
    p.set_defaults(tests="units")
    with tempfile.TemporaryDirectory() as work:
        o = p.parse_args()
        o.all = True
        return Comparison(o, pathlib.Path(work)).go()


if __name__ == "__main__":
    sys.exit(main())
