# SPDX-License-Identifier: Apache-2.0
"""What the campaigns of the RTL share, those of mutants and of coverage: shapes, scenarios, benches, reasons."""
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = pathlib.Path(os.environ.get("UTURN_ROOT", HERE.parent.parent)).resolve()
BUILD = pathlib.Path(os.environ.get("UTURN_BUILD", ROOT / "build")).resolve()
PROGRAM = os.environ.get("UTURN_BIN", str(BUILD / "uturn"))

# A stand-in for the compiler that optimises less: there is little to run.
COMPILER = """#!/bin/bash
case $1 in --version) echo "{version}"; exit ;; esac
exec "{real}" "${{@/#-O2/{level}}}"
"""


def stand_in(path, text):
    path.write_text(text)
    path.chmod(0o755)


def read_reasons(path, kinds):
    """Key -> (kind, reason): a line `= KIND: REASON` stands above the keys that it is the reason of."""
    accepted, reason = {}, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        if line.startswith("= "):
            kind, _, text = line[2:].partition(": ")
            if kind not in kinds or not text:
                sys.exit(f"{path}:{number}: expected `= KIND: REASON`; KIND is one of: {', '.join(kinds)}")
            reason = (kind, text)
        elif not reason:
            sys.exit(f"{path}:{number}: no reason above")
        else:
            accepted[line] = reason
    return accepted


def read_shapes(only=None):
    """Of shapes.tsv: name, scenarios, whether the first look is taken there."""
    shapes = []
    for line in (HERE / "shapes.tsv").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        name, first, scenarios = line.split("\t")
        if not only or name in only:
            shapes.append((name, [HERE / "scenarios" / f"{scenario}.yaml" for scenario in scenarios.split(",")], first == "first"))
    return shapes


def bench_names(wanted=lambda module: True):
    """The benches of tests/rtl that drive those modules."""
    names = []
    for line in (ROOT / "tests/rtl/modules.tsv").read_text().splitlines():
        if line.startswith("#"):
            continue
        module, bench = line.split("\t")
        if bench not in names and wanted(module):
            names.append(bench)
    return names
