# SPDX-License-Identifier: Apache-2.0
"""Runs scenarios and prints a row each: packets, discarded ones by reason, latency, throughput, U-turns and flit-hops.

Usage: runs OPTION... SCENARIO...   options are those of `uturn run`, as --cycles=1500
"""
import json
import os
import pathlib
import subprocess
import sys

# Title, key of the JSON result, digits behind the point
COLUMNS = (("injected", "injected_packets", 0), ("delivered", "delivered_packets", 0),
           ("cut", "discarded_packets.cut_by_fault", 0), ("in failed", "discarded_packets.in_failed_switch", 0),
           ("unreach.", "discarded_packets.unreachable", 0), ("purged", "discarded_packets.purged", 0),
           ("in flight", "in_flight_packets", 0), ("queued", "queued_packets", 0),
           ("load", "throughput_flits_per_cycle_per_terminal", 4), ("mean", "latency_cycles.mean", 2),
           ("p50", "latency_cycles.p50", 0), ("p99", "latency_cycles.p99", 0), ("max", "latency_cycles.max", 0),
           ("U-turns", "u_turns", 0), ("flit-hops", "flit_hops", 0))


def cell(result, path, digits):
    for key in path.split("."):
        result = result[key]
    return "-" if result is None else f"{result:.{digits}f}"


def workload(work):
    yield f"{work['delivered_messages']} of {work['messages']} messages"
    if work["lost_messages"]:
        yield f"{work['lost_messages']} lost"
    if work["resent_packets"]:
        yield f"{work['resent_packets']} packets sent again"
    yield f"complete in {work['completion_cycles']} cycles" if work["complete"] else "INCOMPLETE"


def remarks(result, status):
    """What only some runs have."""
    accounted = result["delivered_packets"] + sum(result["discarded_packets"].values()) + result["in_flight_packets"]
    if result["injected_packets"] != accounted or result["corrupt_packets"]:
        yield f"{accounted} ACCOUNTED FOR, {result['corrupt_packets']} CORRUPT"
    if "plan" in result:
        yield f"{result['plan']['planned_pairs']} pairs planned, {result['plan']['pairs_without_route']} without route"
    if "node_states" in result:
        states = result["node_states"]
        yield f"{states['unsafe']} unsafe, {states['disabled']} disabled, {states['faulty']} faulty"
    if "workload" in result:
        yield from workload(result["workload"])
    if result["deadlock"]:
        yield f"deadlock in cycle {result['cycles']}"
    if status:
        yield f"status {status}"


def row(path, options):
    run = subprocess.run([os.environ["UTURN_BIN"], "run", path, "--json", "--elaborate", "never", *options],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if not run.stdout:
        sys.exit(f"{path}: status {run.returncode}: {run.stderr.strip()}")
    result = json.loads(run.stdout)
    return [pathlib.Path(path).stem, *(cell(result, key, digits) for _, key, digits in COLUMNS),
            "; ".join(remarks(result, run.returncode))]


def main():
    options = [word for word in sys.argv[1:] if word.startswith("--")]
    table = [["", *(title for title, _, _ in COLUMNS), ""]]
    table += [row(word, options) for word in sys.argv[1:] if not word.startswith("--")]
    widths = [max(map(len, column)) for column in zip(*table)]
    for name, *cells, remark in table:
        print(name.ljust(widths[0]), *(text.rjust(width) for text, width in zip(cells, widths[1:])), remark)


if __name__ == "__main__":
    main()
