# SPDX-License-Identifier: Apache-2.0
"""certificate_table.py CERTIFICATE ANSWERS - the answers of a certificate are those that `uturn route --all --json` prints.

ANSWERS has one JSON object a line: every state that a packet can reach, with empty re-route vectors.  Each of them must
stand in the certificate, for the view of that switch under these faults (only one is there with an empty vector), with
the same candidates.  Prints how many were compared.
"""
import json
import re
import sys


def numbers(text):
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


views, answers, vcs, at = [], {}, 1, []
for line in open(sys.argv[1], encoding="ascii"):
    word = line.split()
    if word[0] == "parts":
        vcs = int(word[4])
    elif word[0] == "view":
        views.append((int(word[1]), int(word[4], 16)))
    elif word[0] == "at":
        at = [(views[v][0], i, int(word[3])) for v in numbers(word[1]) if views[v][1] == 0 for i in numbers(word[2])]
    elif word[0] == "to":
        candidates = set()
        for part in word[2].replace("*", "").split(","):
            if part != "-":
                ports, vc = part.split(".")
                candidates |= {(p, int(vc)) for p in numbers(ports)}
        for key in at:
            for destination in numbers(word[1]):
                answers[(*key, destination)] = candidates

compared = 0
for line in open(sys.argv[2], encoding="ascii"):
    a = json.loads(line)
    if a["from"] == "inj":
        continue  # which of the switch's terminals it comes from is not said
    port, vc = map(int, re.sub("^up", "", a["from"]).split(":"))
    key = (a["node"], port * vcs + vc, a.get("rt", 0), a["destination"])
    said = {tuple(map(int, re.sub("^up", "", c).split(":"))) for c in a["candidates"]}
    if answers.get(key) != said:
        sys.exit(f"{line.strip()}: the certificate says {answers.get(key)}")
    compared += 1
print(compared)
