#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which lines and branches of the C side do the fast tests reach? (docs/explanation/test_coverage.md)

  c.py [--run unit,inputs,cli,cosim] [--keep] [--table] [--missing ROOM,...] [--folder DIR]

Builds uturn and the unit tests by clang with counters (UTURN_COVERAGE), runs the unit tests, short runs of all kinds
of inputs and the fast scripts of tests/cli and tests/cosim, and puts together what llvm-cov says.  Status 1: an outcome
of a branch of csim/ outside of error paths is not reached, and c_missing.txt does not name it, or names what is gone.  --run none: what was
counted before.
"""
import argparse
import bisect
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "mutation"))
from shapes import BUILD, ROOT, read_reasons  # noqa: E402

KINDS = ("error", "unreachable", "defensive", "machine", "slow", "gap")
ROOMS = ("spec", "csim/util", "csim/switch", "csim/scenario", "csim/topology", "csim/control", "csim/traffic", "csim/setup", "csim/network", "csim/plan",
         "csim/observe", "csim/draw", "csim/prove",
         "csim/tolerance", "cache", "elaborate", "cost", "slice", "stuck", "tb", "bench", "sweep", "plot", "reproduce", "report", "cli")
LISTED = "csim/"  # of these every outcome that is not reached has a line in c_missing.txt
# Scripts of tests/cli that look at texts of the tree or at another build, and run nothing that is counted.
NOT_RUN = r"^cli\.(book|docs|families|format|generated|wrapper)$"

FAILS = re.compile(r"\b\w*(?:fail|refuse|impossible|complain|perror|_exit)\w*\s*\(|\bfprintf\(stderr|\b__builtin_unreachable\(|\bgoto (?:fail|error|out_of_memory)\b|"
                   r"\breturn (?:-1|UT_INTERNAL|UT_BAD_INPUT)\b|\breturn ut_error\w*")
ALLOCATES = re.compile(r"\b(?:\w*alloc|ut_memory|ut_hash_\w+|ut_explorer_row|strdup|fopen|fdopen|opendir|open_memstream|realpath|mmap|fork|pipe|\w+_new|\w+_create\w*)\s*\(")
ASKS = re.compile(r"\(.*\b(?:e|err|error|\w+(?:->|\.)(?:e|error))\)+$", re.S)  # a call that gets the place of an error
RULE = re.compile(r"rule|check|knows")  # functions that return the name of a broken rule
STATUS = re.compile(r"\b(?:status|failed|failure|bad|good|bad_memory|own_memory|no_memory|\w+->bad_memory|\w+->failed|\w+\.failed|e->code|e\.code)\b")


def fail(text):
    sys.exit(f"coverage: {text}")


def run(command, **more):
    p = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **more)
    if p.returncode:
        fail(f"{' '.join(map(str, command))}: status {p.returncode}: {(p.stdout + p.stderr)[-3000:]}")
    return p.stdout


# ---- what error paths are
class Source:
    """A C file without its comments and strings, of the same length."""

    def __init__(self, path):
        text = path.read_text()
        blank = lambda m: "".join(c if c == "\n" else " " for c in m.group())  # noqa: E731
        string = lambda m: m.group()[0] + "_" * (len(m.group()) - 2) + m.group()[0]  # noqa: E731
        self.raw = text
        self.text = re.sub(r'/\*.*?\*/|//[^\n]*|("(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')',
                           lambda m: string(m) if m.group(1) else blank(m), text, flags=re.S)
        self.start = [0]
        for m in re.finditer("\n", text):
            self.start.append(m.end())

    def at(self, line, column):
        return self.start[line - 1] + column - 1

    def closing(self, i):
        """Behind the bracket that closes the one at i."""
        depth = 0
        for j in range(i, len(self.text)):
            c = self.text[j]
            depth += (c in "([{") - (c in ")]}")
            if not depth:
                return j + 1
        return len(self.text)

    def statement(self, i):
        """Behind the statement that begins at i."""
        i += len(self.text[i:]) - len(self.text[i:].lstrip())
        if self.text[i] == "{":
            return self.closing(i)
        m = re.match(r"(?:else\s+)?(?:if|for|while|switch)\s*\(", self.text[i:i + 40])
        if m:
            return self.statement(self.closing(i + m.end() - 1))
        while i < len(self.text) and self.text[i] not in ";}":
            i = self.closing(i) if self.text[i] in "([{" else i + 1
        return i + 1

    def function(self, i):
        """The name of the function that i is in."""
        names = re.findall(r"^[a-z][^\n;={}]*?\b(\w+)\([^;{}]*\) \{$", self.text[:i], re.M)
        return names[-1] if names else ""

    def in_error_body(self, i):
        """Whether a block around i ends in the report of an error."""
        depth = 0
        for j in range(i - 1, max(0, i - 1500), -1):
            c = self.text[j]
            depth += (c in ")]}") - (c in "([{")
            if depth < 0:
                depth = 0
                if c == "{":
                    if self.text[j - 2:j] != ") ":
                        return False
                    if self.text[j:j + 1] and re.search(r"^\w", self.text[self.text.rfind("\n", 0, j) + 1:j]):
                        return False  # the function
                    body = self.text[j:self.closing(j)]
                    if re.search(rf"(?:{FAILS.pattern})[^;]*;\s*\}}$", body):
                        return True
        return False

    def around(self, i):
        """The `if (`, `return` or other head that the condition at i is in, and where its condition begins."""
        depth, j = 0, i - 1
        while j >= 0:
            c = self.text[j]
            if c in ")]}":
                if c == "}" and not depth:
                    break
                depth += 1
            elif c in "([{":
                if not depth:
                    if c == "{":
                        break
                    m = re.search(r"\b(if|while|for|switch)\s*$", self.text[max(0, j - 10):j])
                    if m:
                        return m.group(1), j
                else:
                    depth -= 1
            elif c == ";" and not depth:
                break
            j -= 1
        m = re.match(r"[\s;{}]*(?:else\s+)?(return\b)?", self.text[max(j, 0):max(j, 0) + 200])
        return ("return" if m and m.group(1) else "", max(j, 0))


DEFINITION = re.compile(r"^(?:static |inline )*(bool|int|void|[\w ]+\*)\s*(\w+)\([^;{}]*\) \{$", re.M)
MEMORY = re.compile(r"\b(?:ut_memory|malloc|calloc|realloc|strdup|reallocarray)\(")


def fail_for_memory(sources):
    """Functions that say by false, and functions of these, that there was no memory: the convention of csim/prove."""
    bodies = {}
    for source in sources.values():
        for m in DEFINITION.finditer(source.text):
            if m.group(1) == "bool":
                bodies[m.group(2)] = source.text[m.start():source.closing(m.end() - 1)]
    found = {name for name, body in bodies.items() if MEMORY.search(body)}
    while True:
        call = re.compile(rf"(?:!|\breturn |&& |= )(?:{'|'.join(sorted(found))})\(")
        more = {name for name, body in bodies.items() if name not in found and call.search(body)}
        if not more:
            return found
        found |= more


def is_error(source, span, outcome, memory=()):
    """Whether that outcome of the condition leads to the report of an error, as far as the text says it."""
    begin, end = source.at(*span[:2]), source.at(*span[2:])
    text = source.text[begin:end]
    head, where = source.around(begin)
    name = text.lstrip("!")
    if re.fullmatch(r"[\w.>\[\]-]+", name) and outcome == text.startswith("!"):  # memory that was not there
        function = source.text[source.text.rfind("\n}\n", 0, begin) + 1:begin]
        if re.search(rf"{re.escape(name)} = [^;]*?{ALLOCATES.pattern}", function):
            return True
    called = re.match(r"(!?)(\w+)\(", text)
    if called and called.group(2) in memory and outcome == bool(called.group(1)):
        return True
    if source.in_error_body(begin):
        return True
    if STATUS.search(text):
        fine = text.startswith("!") or bool(re.search(r"== ?0$", text))
        return outcome == (fine if re.search(r"\bgood\b", text) else not fine)
    if ASKS.search(re.sub(r" (?:<|!=|==) ?\w+$", "", text)):
        return outcome == (not re.search(r"== ?0$", text))
    if head == "if":
        closed = source.closing(where)
        behind = source.statement(closed)
        body, rest = source.text[closed:behind], source.text[behind:behind + 400].lstrip()
        before = source.text[max(0, where - 160):closed]
        if outcome and re.match(r'\s*\{?\s*return "', body) and RULE.search(source.function(begin)):
            return True
        if outcome:
            return bool(FAILS.search(body) or ALLOCATES.search(before) and re.search(r"\breturn (?:NULL|false|0)?;|\breturn;", body))
        return rest.startswith("else") and bool(FAILS.search(rest[:source.text[behind:].find(";") + 1]))
    if head == "return" and outcome and re.search(r"\?\s*(?:-1\b|\w*fail\w*\()", source.text[where:source.statement(end)]):
        return True
    if head == "return" and outcome and RULE.search(source.function(begin)) and re.search(r'\? "', source.text[where:source.statement(end)]):
        return True
    return outcome and bool(re.match(r"\)*\s*\?\s*(?:-1\b|\w*fail\w*\()", source.text[end:end + 40]))


# ---- runs
class Runs:
    def __init__(self, options):
        self.o, self.folder = options, options.folder
        self.profiles = self.folder / "profiles"

    def build(self):
        env = dict(os.environ, CC="clang")
        if not (self.folder / "build.ninja").exists():
            run(["cmake", "-S", ROOT, "-B", self.folder, "-G", "Ninja", "-DUTURN_COVERAGE=ON", "-DCMAKE_BUILD_TYPE=Debug"],
                env=env)
        run(["ninja", "-C", self.folder, f"-j{self.o.jobs}"], env=env)

    def environment(self):
        return dict(os.environ, LLVM_PROFILE_FILE=str(self.profiles / "%4m.profraw"),
                    UTURN_CACHE=str(self.folder / "coverage_cache"))

    def tests(self, arguments):
        p = subprocess.run(["ctest", "--test-dir", str(self.folder), f"-j{self.o.jobs}", *arguments], env=self.environment(),
                           capture_output=True, text=True, check=False)
        print("\n".join(line for line in p.stdout.splitlines()
                        if re.search(r"\*\*\*|tests passed|Total Test time", line)), flush=True)

    def inputs(self):
        """Short runs of the golden model: scenarios of the tree, random ones of a hunt, the corpora of
        libFuzzer, most of which are refused."""
        own = self.folder / "inputs"
        own.mkdir(exist_ok=True)
        corpus = own / "corpus"
        shutil.rmtree(corpus, ignore_errors=True)
        shutil.unpack_archive(ROOT / "tests/libfuzzer/corpus.tar.gz", corpus)
        files = [*corpus.glob("scenario/*"), *ROOT.glob("tests/mutation/scenarios/*.yaml"),
                 *ROOT.glob("scenarios/*.yaml"), *ROOT.glob("scenarios/show/*.yaml"), *ROOT.glob("scenarios/bench/shapes/*.yaml")]
        hunted = own / "hunted"
        shutil.rmtree(hunted, ignore_errors=True)
        subprocess.run([self.folder / "uturn", "hunt", "--write", hunted, "--each", str(self.o.seeds)], env=self.environment(), check=True)
        files += sorted(hunted.iterdir())
        for target, base in (("trace", "detour_example_mesh.yaml"), ("goal", "workload_goal.yaml"),
                             ("dependencies", "workload_dependencies.yaml")):
            text = (ROOT / "scenarios" / base).read_text()
            for path in sorted(corpus.glob(f"{target}/*")):
                files.append(own / f"{target}-{path.name}.yaml")
                files[-1].write_text(re.sub(r"_file: [\w./]+", f"_file: {path}", text))

        def one(path):
            subprocess.run([self.folder / "uturn", "run", path, "--cycles", "400", "--elaborate", "never"],
                           env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=False)

        with ThreadPoolExecutor(self.o.jobs) as pool:
            list(pool.map(one, files))
        print(f"{len(files)} inputs", flush=True)

    def go(self):
        if not self.o.keep:
            shutil.rmtree(self.profiles, ignore_errors=True)
        self.profiles.mkdir(parents=True, exist_ok=True)
        self.build()
        if "unit" in self.o.run:
            self.tests(["-L", "unit"])
        if "inputs" in self.o.run:
            self.inputs()
        if "cosim" in self.o.run:
            self.tests(["-R", "^cosim[.]", "-LE", "slow"])
        if "cli" in self.o.run:
            self.tests(["-R", "^cli[.]", "-LE", "slow", "-E", NOT_RUN])


# ---- counts
class Report:
    def __init__(self, folder):
        data = folder / "all.profdata"
        run(["llvm-profdata", "merge", "-sparse", "-o", data, *(folder / "profiles").glob("*.profraw")])
        common = [f"-instr-profile={data}", folder / "uturn"]
        self.sources, self.functions = {}, {}
        self.lines = self.read_lines(run(["llvm-cov", "export", "-format=lcov", *common]))
        self.branches = self.read_branches(json.loads(run(["llvm-cov", "export", "-skip-functions", *common])))

    def name(self, path):
        path = pathlib.Path(path)
        name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else ""
        return name if os.path.dirname(name) in ROOMS else None

    def read_lines(self, text):
        lines, name = {}, None
        for row in text.splitlines():
            kind, _, value = row.partition(":")
            if kind == "SF":
                name = self.name(value)
                if name:
                    self.sources[name], self.functions[name] = Source(ROOT / name), []
            elif name and kind == "FN":
                line, _, function = value.partition(",")
                self.functions[name].append((int(line), function.split(":")[-1]))
            elif name and kind == "DA":
                line, count = value.split(",")[:2]
                lines[name, int(line)] = lines.get((name, int(line)), 0) + int(count)
        for functions in self.functions.values():
            functions.sort()
        return lines

    def read_branches(self, data):
        """(file, span, outcome) -> count; a function of a header counts once, however often it is compiled."""
        branches = collections.Counter()
        for file in data["data"][0]["files"]:
            name = self.name(file["filename"])
            for *span, true, false, _, _, _ in file.get("branches", ()) if name else ():
                for outcome, count in ((True, true), (False, false)):
                    branches[name, tuple(span), outcome] += count
        return branches

    def key(self, branch):
        name, span, outcome = branch
        source, functions = self.sources[name], self.functions[name]
        at = bisect.bisect(functions, (span[0], "\x7f")) - 1
        text = " ".join(source.raw[source.at(*span[:2]):source.at(*span[2:])].split())
        function = functions[at][1] if at >= 0 else ""
        return f"{name}: {function}: never {str(outcome).lower()}: {text}"

    def evaluate(self, accepted):
        """Outcomes that c_missing.txt calls error paths count as those that the text shows to be some."""
        rows = collections.defaultdict(collections.Counter)
        missing = []
        for (name, _), count in self.lines.items():
            rows[os.path.dirname(name)].update(lines=1, lines_hit=count > 0)
        memory = fail_for_memory(self.sources)
        for branch, count in sorted(self.branches.items()):
            row = rows[os.path.dirname(branch[0])]
            row.update(all=1, all_hit=count > 0)
            if not count and is_error(self.sources[branch[0]], branch[1], branch[2], memory):
                continue
            key = self.key(branch)
            if not count and accepted.get(key, "-")[0] == "error":
                continue
            row.update(outside=1, outside_hit=count > 0)
            if not count:
                missing.append((branch[0], branch[1][0], key))
        return rows, missing


def table(rows):
    total = collections.Counter()
    print("| room | lines | reached | % | outcomes of branches | reached | % | without error paths | reached | % |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    percent = lambda a, b: f"{100 * a / max(b, 1):.1f}"  # noqa: E731
    for room in ROOMS:
        total.update(rows[room])
    for room, row in [*((f"`{r}`", rows[r]) for r in ROOMS), ("all", total)]:
        cells = [room]
        for what in ("lines", "all", "outside"):
            cells += [row[what], row[what + "_hit"], percent(row[what + "_hit"], row[what])]
        print("| " + " | ".join(map(str, cells)) + " |")


def read_accepted():
    """Lines `FILE: FUNCTION[: never OUTCOME: CONDITION]` with their reasons, and those whose condition is not in the file.
    A file or a function that is gone is an error; a condition may be written otherwise until outcomes are counted again."""
    accepted, texts, rewritten = read_reasons(HERE / "c_missing.txt", KINDS), {}, []
    for key in accepted:
        file, function, condition = (re.split(r": never (?:true|false): |: ", key, maxsplit=2) + ["", ""])[:3]
        if file not in texts:
            texts[file] = " ".join((ROOT / file).read_text().split()) if (ROOT / file).is_file() else ""
        if not re.search(rf"\b{re.escape(function)}\b", texts[file]):
            fail(f"c_missing.txt: no such function any more; remove or correct: {key}")
        if condition not in texts[file]:
            rewritten.append(key)
    return accepted, rewritten


def main():
    p = argparse.ArgumentParser(description="lines and branches of the C side that the fast tests reach")
    p.add_argument("--run", type=lambda s: s.split(","), default=["unit", "inputs", "cli", "cosim"])
    p.add_argument("--seeds", type=int, default=2, help="of each switch of a hunt")
    p.add_argument("--keep", action="store_true", help="add to what was counted before")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--table", action="store_true")
    p.add_argument("--missing", help="what is not reached in files that begin so, with their lines")
    p.add_argument("--check", action="store_true", help="c_missing.txt names functions of the sources; run nothing")
    p.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(f"{BUILD}-coverage"))
    options = p.parse_args()
    accepted, rewritten = read_accepted()
    if options.check:
        print(f"{len(accepted)} with reasons, {len(rewritten)} of conditions that have been rewritten")
        return 0
    if options.run != ["none"]:
        Runs(options).go()
    elif not options.folder.exists():
        fail(f"nothing is counted yet in {options.folder}; leave out --run none")
    rows, missing = Report(options.folder).evaluate(accepted)
    if options.table:
        table(rows)
    if options.missing is not None:
        for name, line, key in missing:
            if name.startswith(options.missing):
                print(f"{line}: {key}")
    missing = [m for m in missing if m[0].startswith(LISTED)]
    new = [(line, key) for _, line, key in missing if key not in accepted and key.split(": never")[0] not in accepted]
    for line, key in new:
        print(f"not reached: {key}  (line {line})")
    for key in rewritten:
        print(f"c_missing.txt: no such condition any more; remove or correct: {key}")
    return 1 if new or rewritten else 0


if __name__ == "__main__":
    sys.exit(main())
