#!/usr/bin/env python3
"""Mutants of the C sources that no test can kill, because in none of them they have another value than the original.

  csim_same.py [--files NAME,...] [--folder FOLDER] [--jobs N]

Every mutant is compared in one build and one run of each test: beside the original its value is computed too, thrown
away, and only whether it was another one is noted (c_source.py).  So it takes minutes for all mutants, and says less
than csim.py: what is listed lives; what is not listed had another value, which a test may still not see.  A call or a
jump that is dropped, and what cannot be computed twice, counts as another value where it is reached.
Writes FOLDER/ROOM.txt for each room of csim/: what nothing reaches, and what is always the same.
"""
import pathlib
import re
import sys
import tempfile

import c_source
from campaign import fail, options
from csim import REACHED, CsimCampaign

# What is being compared stands on a stack: if it ends in a crash, it is another value, and the test runs again without it.
HEADER = """#ifndef UT_COMPARE
extern unsigned char *ut_mutant_reached;
void ut_compare_begin(unsigned n);
void ut_compare_end(unsigned n, _Bool differs);
#define UT_COMPARE(n, differs) (ut_mutant_reached[n] & 2 ? (void)0 : ut_compare_end(n, (ut_compare_begin(n), (differs))))
#endif
"""
SELECTOR = REACHED + """#include <signal.h>
#include <unistd.h>
static _Thread_local unsigned ut_compared[64], ut_compared_depth;
void ut_compare_begin(unsigned n) {{
  ut_mutant_reached[n] |= 1;
  ut_compared[++ut_compared_depth & 63] = n;
}}
void ut_compare_end(unsigned n, _Bool differs) {{
  if (differs)
    ut_mutant_reached[n] |= 2;
  ut_compared_depth--;
}}
// cmocka catches crashes, too: of a comparison they are ours.
int __sigaction(int, const struct sigaction *, struct sigaction *);
static int is_ours(int s) {{ return s == SIGSEGV || s == SIGBUS || s == SIGFPE || s == SIGXCPU; }}
int sigaction(int s, const struct sigaction *new, struct sigaction *old) {{ return __sigaction(s, is_ours(s) ? NULL : new, old); }}
void (*signal(int s, void (*f)(int)))(int) {{
  struct sigaction old = {{.sa_handler = SIG_DFL}};
  sigaction(s, &(struct sigaction){{.sa_handler = f, .sa_flags = SA_RESTART}}, &old);
  return old.sa_handler;
}}
static void crashed(int signal_) {{
  if (ut_compared_depth) {{
    ut_mutant_reached[ut_compared[ut_compared_depth & 63]] |= 2;
    ut_mutant_reached[0] = 1;
  }}
  _exit(77);
}}
__attribute__((constructor)) static void choose(void) {{
  if (!map_reached())
    return;
  static char stack[65536];
  sigaltstack(&(stack_t){{.ss_sp = stack, .ss_size = sizeof stack}}, NULL);
  for (int s = 1; s < NSIG; s++)
    if (is_ours(s))
      __sigaction(s, &(struct sigaction){{.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER}}, NULL);
}}
"""
SECONDS = 300


class Comparison(CsimCampaign):
    header, selector = HEADER, SELECTOR
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

    def weave(self):
        if not self.refused:
            harmless = c_source.without_effect(self.files.values())
            for f in self.files.values():
                c_source.compare_mutants(f, harmless)
        super().weave()

    def look(self, tests):
        """All of them, each until it ends without a crash of a comparison.  The marks are of all tests together."""
        path = self.work / "reached"
        if not path.exists():
            path.write_bytes(bytes(len(self.everything) + 1))
        for name, command in tests.items():
            crashed = True
            while crashed:
                with path.open("r+b") as f:
                    f.write(b"\0")
                status = self.run(command, 0, SECONDS, str(path))
                self.seen = path.read_bytes()
                crashed = self.seen[0]
            if status:
                fail(f"{name} ends with {status}")
            print(f"{name}: so far {sum(b > 0 for b in self.seen)} are reached, {sum(b > 1 for b in self.seen)} had another value",
                  flush=True)

    def campaign(self):
        (self.work / "tmp").mkdir()
        self.copy()
        self.build()
        self.look(self.unit_tests(False))
        self.look(self.recorded())
        self.look(self.unit_tests(True))

    def report(self):
        folder = pathlib.Path(self.o.folder)
        folder.mkdir(exist_ok=True)
        rooms = {}
        for m in self.everything:
            if m.number in self.drawn and m.number not in self.refused and self.seen[m.number] < 2:
                rooms.setdefault(m.file.split("/")[1], []).append(m)
        for room, left in rooms.items():
            lines = [f"{m.file}:{m.line}: {'same' if self.seen[m.number] else 'never reached'}: {m.key.partition(': ')[2]}" for m in left]
            (folder / f"{room}.txt").write_text("\n".join(lines) + "\n")
            print(f"{room}: {len(left)}")
        return 0


def main():
    p = options("mutants of the C sources that have the original's value in all tests", 0)
    p.add_argument("--level", default="-O1", help="optimisation of what is compiled")
    p.add_argument("--folder", default="same", help="where lists are written")
    with tempfile.TemporaryDirectory() as work:
        o = p.parse_args()
        o.all = True
        return Comparison(o, pathlib.Path(work)).go()


if __name__ == "__main__":
    sys.exit(main())
