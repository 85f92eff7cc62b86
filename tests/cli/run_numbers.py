# SPDX-License-Identifier: Apache-2.0
"""What `run` prints, computed a second time from its packets, one by one (--packets), and text and JSON side by side.

run_numbers.py SCENARIO.yaml JSON TEXT PACKETS.csv WARMUP MEASURE
"""
import csv
import json
import re
import sys


def fail(text):
    sys.exit(f"run_numbers: {sys.argv[1]}: {text}")


def is_equal(what, is_, wanted):
    if is_ != wanted:
        fail(f"{what} is {is_}, expected {wanted}")


def is_near(what, is_, wanted, absolute):
    if abs(is_ - wanted) > absolute:
        fail(f"{what} is {is_}, expected {wanted}")


def percentile(sorted_values, percent):
    """The least value that so many per cent of all do not exceed."""
    return next(v for i, v in enumerate(sorted_values, 1) if 100 * i >= percent * len(sorted_values))


class Text:
    """Numbers of a line that begins with a word."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().splitlines()

    def line(self, word):
        return next((line for line in self.lines if line.startswith(f"  {word} ")), None)

    def number(self, word, pattern):
        """The number of a pattern in the line; None: there is no such line, or it says nothing of it."""
        found = re.search(pattern.replace("#", r"(-?[0-9.]+(?:e[-+]?[0-9]+)?)"), self.line(word) or "")
        return float(found[1]) if found else None


def check_packets(said, text, packets):
    count = {}
    for p in packets:
        result = p["reason"] or p["result"]
        count[result] = count.get(result, 0) + 1
    for reason, number in said["discarded_packets"].items():
        is_equal(f"packets {reason}", number, count.get(reason, 0))
        is_equal(f"packets {reason} in the text", text.number("discarded", f"{reason} #"), number)
    discarded = sum(said["discarded_packets"].values())
    wanted = {"delivered": count.get("delivered", 0), "in_flight": count.get("in_flight", 0), "queued": count.get("queued", 0)}
    for name, number in wanted.items():
        is_equal(f"packets {name}", said[name + "_packets"], number)
    injected = wanted["delivered"] + discarded + wanted["in_flight"]
    is_equal("packets injected", said["injected_packets"], injected)
    is_equal("packets generated", said["generated_packets"], len(packets))
    for word, number in (("injected", injected), ("delivered", wanted["delivered"]), ("discarded", discarded), ("in flight", wanted["in_flight"])):
        is_equal(f"packets {word} in the text", text.number("packets", f"{word} #"), number)
    is_equal("packets queued in the text", text.number("packets", "# still queued") or 0, wanted["queued"])
    if said["faults"]:
        is_near("packets lost per fault", text.number("discarded", "# packets lost"), discarded / said["faults"], 0.005 * discarded / said["faults"])


def check_window(said, text, packets, warmup, end):
    """Throughput: flits that arrive in the window, where packets have one; latency: packets that are generated in it."""
    inside = lambda cycle: warmup <= int(cycle) < end
    throughput = said["throughput_flits_per_cycle_per_terminal"]
    is_near("throughput in the text", text.number("throughput", "# flits"), throughput, 0.00006)
    arrived = [p for p in packets if p["result"] == "delivered"]
    if all(p["flits"] == "1" for p in packets):
        flits = sum(inside(p["end_cycle"]) for p in arrived)
        is_near("throughput", throughput, flits / (end - warmup) / said["terminals"], 1e-7)
        is_equal("flit hops", said["flit_hops"], sum(int(p["hops"]) for p in packets))
    latency = sorted(int(p["end_cycle"]) - int(p["generated_cycle"]) for p in arrived if inside(p["generated_cycle"]))
    wanted = {"mean": sum(latency) / len(latency), "p50": percentile(latency, 50), "p99": percentile(latency, 99), "max": latency[-1]}
    for name, value in wanted.items():
        is_near(f"latency {name}", said["latency_cycles"][name], value, 1e-6 * value)
        is_near(f"latency {name} in the text", text.number("latency", f"{name} #"), value, 0.006 if name == "mean" else 0)
    is_equal("packets with a latency", text.number("latency", r"\(# packets"), len(latency))
    is_equal("U-turns", said["u_turns"], sum(int(p["u_turns"]) for p in packets))
    is_equal("switch cycles", said["switch_cycles"], said["cycles"] * said["switches"])


def check_stability(said, text, warmup, end):
    s = said["stability"]
    is_equal("cycles of the window", s["measured_cycles"], end - warmup)
    is_equal("the first cycle of the window", text.number("stability", "cycles # to"), warmup)
    is_equal("the last one", text.number("stability", "cycles [0-9]+ to #"), end - 1)
    if s["steady"]:  # of batches, whose mean is nearly that of all
        throughput, latency = said["throughput_flits_per_cycle_per_terminal"], said["latency_cycles"]["mean"]
        for name, half, mean in (("throughput", s["half_width_throughput"], throughput), ("latency", s["half_width_latency_cycles"], latency)):
            is_near(f"the half width of {name}, in per cent", text.number("stability", f"{name} ± #"), 100 * half / mean, 0.1 * 100 * half / mean)
    else:
        is_near("what stays in queues, in per cent", text.number("stability", "# % of what"), 100 * s["waiting_growth"], 0.01 * 100 * s["waiting_growth"])


def check_drain(said, text, packets, end):
    left_queue = lambda p: int(p["injected_cycle"] or p["end_cycle"] or said["cycles"] + 1)
    waiting = sum(int(p["generated_cycle"]) < end < left_queue(p) for p in packets)
    if waiting > said["terminals"]:
        is_equal("cycles of the drain", text.number("drain", "# cycles behind"), said["cycles"] - end)
        is_near("packets that waited", text.number("drain", "for # packets"), waiting, said["terminals"])


def check_plan(said, text):
    plan = said["plan"]
    separated = 2 * (said["switches"] - 1)  # a node without links: from it, and to it
    is_equal("pairs", plan["pairs"], said["switches"] ** 2)
    is_equal("separated pairs", plan["separated_pairs"], separated)
    is_equal("separated pairs in the text", text.number("plan", "# are separated"), separated)
    is_equal("planned pairs in the text", text.number("plan", "# of [0-9]+ pairs"), plan["planned_pairs"])
    if not plan["planned_pairs"]:
        fail("no pair is planned: the scenario tests nothing")


def main(scenario, json_path, text_path, packets_path, warmup, measure):
    with open(json_path, encoding="utf-8") as file:
        said = json.load(file)
    with open(packets_path, encoding="utf-8") as file:
        packets = list(csv.DictReader(file))
    text, warmup, end = Text(text_path), int(warmup), int(warmup) + int(measure)
    check_packets(said, text, packets)
    check_window(said, text, packets, warmup, end)
    check_drain(said, text, packets, end)
    if "stability" in said and text.line("stability"):
        check_stability(said, text, warmup, end)
    if "plan" in said:
        check_plan(said, text)
    offered = text.number("throughput", "of # that the trace")
    if offered is not None:
        flits = sum(int(p["flits"]) for p in packets if warmup <= int(p["generated_cycle"]) < end)
        is_near("what the trace offers", offered, flits / (end - warmup) / said["terminals"], 1e-6)


main(*sys.argv[1:])
