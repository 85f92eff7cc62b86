#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for Verilator: counts lines and toggles (docs/explanation/test_coverage.md).

  instrument.py REAL_VERILATOR FOLDER ARGUMENTS...

Lines and branches: Verilator's own counters.  All switches of a process share them, and no library registers them: what
they stand for is written to FOLDER/ID.points.  Toggles: Verilator's code for wave dumps, with toggles.h to dump to.  When
the process ends, $UT_COVERAGE/ID-PID.counts has the counters and ID-PID.signals the toggles.
"""
import hashlib
import os
import pathlib
import re
import subprocess
import sys

FLAGS = ["--coverage-line", "--trace", "--trace-max-array", "65536", "--trace-max-width", "65536"]
INSERT = re.compile(r'^ *(?:vlSelf->)?__vlCoverInsert\(&\(vlSymsp->__Vcoverage\[(\d+)\]\), \w+, "([^"]*)", (\d+), (\d+), '
                    r'"([^"]*)", "([^"]*)", "([^"]*)", "([^"]*)"\);\n', re.M)
DEFINITION = re.compile(r"^// Coverage\nvoid \w+::__vlCoverInsert\(.*?^}\n", re.M | re.S)
COUNTERS = re.compile(r"std::atomic<uint32_t> __Vcoverage\[(\d+)\];")
SAMPLE = """    if (!ut_trace) {{
        contextp()->traceEverOn(true);
        ut_trace = new VerilatedVcdC;
        trace(ut_trace, 99);
    }}
    ut_trace->vcd.sample({still});
"""
DUMP = """
namespace {{
struct UtCoverage {{
    ~UtCoverage() {{
        const char* const folder = std::getenv("UT_COVERAGE");
        if (!folder) return;
        char path[4096];
        std::snprintf(path, sizeof path, "%s/{id}-%d.signals", folder, (int)getpid());
        VerilatedVcd::write(path);
        {counters}
    }}
}} ut_coverage;
}}  // namespace
"""
WRITE_COUNTERS = """std::snprintf(path, sizeof path, "%s/{id}-%d.counts", folder, (int)getpid());
        if (FILE* const f = std::fopen(path, "wb")) {{
            std::fwrite({syms}::__Vcoverage, sizeof {syms}::__Vcoverage, 1, f);
            std::fclose(f);
        }}"""


def replace(path, old, new):
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"coverage: {path} has not one `{old.strip()}`: another version of Verilator?")
    path.write_text(text.replace(old, new))


def instrument(mdir, prefix, folder):
    points, identity = [], hashlib.sha256()
    for path in sorted(mdir.glob(f"{prefix}*.cpp")):
        text = path.read_text()
        points += INSERT.findall(text)
        if "__Trace__" in path.name:
            identity.update(text.encode())
        text = DEFINITION.sub("", INSERT.sub("", text))
        path.write_text(text.replace(".fetch_add(1, std::memory_order_relaxed);", " += 1;"))
    table = "".join("\t".join(p) + "\n" for p in points)
    identity.update(table.encode())
    ident = identity.hexdigest()[:24]
    (folder / f"{ident}.points").write_text(table)

    syms = mdir / f"{prefix}__Syms.h"
    text, counters = COUNTERS.subn(r"static inline uint32_t __Vcoverage[\1];", syms.read_text())
    syms.write_text(text)
    (mdir / "verilated_vcd_c.h").write_text(f'#include "{pathlib.Path(__file__).resolve().parent}/toggles.h"\n')
    header, top = mdir / f"{prefix}.h", mdir / f"{prefix}.cpp"
    resets = re.search(r"\brst_i\b", header.read_text())
    replace(header, "void trace(VerilatedVcdC* tfp,", "VerilatedVcdC* ut_trace = nullptr;\n    void trace(VerilatedVcdC* tfp,")
    end = "    Verilated::endOfEval(vlSymsp->__Vm_evalMsgQp);\n"
    replace(top, end, end + SAMPLE.format(still="rst_i" if resets else "false"))
    replace(top, f"{prefix}::~{prefix}() {{\n", f"{prefix}::~{prefix}() {{\n    delete ut_trace;\n")
    write = WRITE_COUNTERS.format(syms=f"{prefix}__Syms", id=ident) if counters else ""
    top.write_text(top.read_text() + DUMP.format(id=ident, counters=write))


def main():
    real, folder, *args = sys.argv[1:]
    if "--cc" not in args:
        os.execv(real, [real, *args])
    status = subprocess.run([real, *FLAGS, *args], check=False).returncode
    if status:
        sys.exit(status)
    instrument(pathlib.Path(args[args.index("--Mdir") + 1]), args[args.index("--prefix") + 1], pathlib.Path(folder))


main()
