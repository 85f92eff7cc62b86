#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs all single cables of a network, that fail or come back, and compares with `prove --transitions`.

usage: transition_runs.py UTURN SCENARIO LOADS PACE DEPTH [MOST]

In each run the cable's event is in cycle 1,000; the manager writes with that pace.  A run that ends in a deadlock (exit
status 4) must be of a transition that has a cycle.  Prints counts, of faults and of repairs; exit status 1 if a run
died without a cycle.  MOST: so many cables, evenly drawn.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from importlib.machinery import SourceFileLoader

uturn, path, loads, pace, depth = sys.argv[1:6]
loads, pace = [float(load) for load in loads.split(",")], int(pace)
most = int(sys.argv[6]) if len(sys.argv) > 6 else None


def ask(*arguments):
    return subprocess.run([uturn, *arguments, "--quiet"], capture_output=True, text=True, check=False)


def cables():
    """The cables between switches, by the names of their faults."""
    sys.dont_write_bytecode = True
    tool = SourceFileLoader("compare_updates", os.path.join(os.path.dirname(__file__), "../../tools/compare_updates")).load_module()
    tool.UTURN = uturn
    found = tool.cables(path)
    return [f"link {a}-{b}" for a, b in found][:: max(1, len(found) // most) if most else 1]


def scenario(cable, repair, load, folder):
    """Writes the run of one event; returns its name."""
    with open(path, encoding="utf-8") as source:
        text = source.read()
    text = re.sub(r"(?m)^(run:.*|faults:.*|  - .*)\n", "", text)
    text = re.sub(r"load_flits_per_cycle: [\d.]+", f"load_flits_per_cycle: {load}", text)
    text = re.sub(r"depth_flits: \d+", f"depth_flits: {depth}", text)
    text = re.sub(r"(, )?manager_\w+: \d+", "", text)
    text = re.sub(r"(routing: {[^}]*)}", rf"\1, manager_delay_cycles: 0, manager_switch_cycles: {pace}}}", text)
    text = re.sub(r"file: ", f"file: {os.path.dirname(os.path.abspath(path))}/", text)
    when = "0-999" if repair else "1000-99999999"
    text += f'faults: ["{cable} in cycles {when}"]\n'
    text += f"run: {{warmup_cycles: 0, measure_cycles: {7000 + 60 * pace}, seed: 1, watchdog_cycles: 500}}\n"
    name = os.path.join(folder, "run.yaml")
    with open(name, "w", encoding="utf-8") as out:
        out.write(text)
    return name


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for repair in (False, True):
            count = {"transitions": 0, "with_cycle": 0, "died": 0, "died_without_cycle": 0, "runs": 0}
            for cable in cables():
                said = json.loads(ask("prove", path, "--fault", cable, "--transitions", "--json").stdout)
                cycle = said["repairs" if repair else "faults"]["with_cycle"] > 0
                died = 0
                for load in loads:
                    run = ask("run", scenario(cable, repair, load, folder))
                    if run.returncode not in (0, 4):
                        sys.exit(f"{cable}: exit status {run.returncode}: {run.stderr}")
                    died += run.returncode == 4
                count["transitions"] += 1
                count["with_cycle"] += cycle
                count["died"] += died > 0
                count["died_without_cycle"] += died > 0 and not cycle
                count["runs"] += len(loads)
            wrong += count["died_without_cycle"]
            print("repairs" if repair else "faults", " ".join(f"{key} {value}" for key, value in count.items()))
    sys.exit(wrong > 0)


main()
