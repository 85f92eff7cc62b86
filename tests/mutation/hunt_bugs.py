# SPDX-License-Identifier: Apache-2.0
"""hunt_bugs.py - lines and table of hunt_bugs_long.sh.

hunt_bugs.py line NAME soon|rare   reads what `uturn hunt --json` has printed; writes a line of the results
hunt_bugs.py table NAME...         reads such lines; writes a table of these bugs
"""
import json
import os
import re
import statistics
import sys

COLUMNS = ("bug", "shows", "found", "family", "seed", "seconds", "scenarios", "register", "switches", "packets", "cycles")


def seed_of(hunt):
    """The seed of the scenario that found it: said, or in the first line of the scenario that is kept."""
    if "seed" in hunt:
        return hunt["seed"]
    if os.path.exists(hunt.get("scenario", "")):
        with open(hunt["scenario"], encoding="utf-8") as file:
            said = re.search(r"seed (\d+)", file.readline())
        if said:
            return int(said[1])
    return None


def register_of(mismatch):
    """The register that differs first."""
    return mismatch.get("register") or next((r["register"] for r in mismatch.get("registers", [])), None)


def line(name, shows, hunt):
    """A line of the results; `-` stands for what there is none of."""
    found, shrunk = hunt["found"], (hunt.get("shrunk") or {}).get("after", {})
    values = [name, shows, "yes" if found else "no", hunt.get("family"), seed_of(hunt) if found else None,
              f'{hunt["seconds"]:.1f}', hunt["scenarios"], register_of(hunt.get("mismatch") or {}),
              shrunk.get("switches"), shrunk.get("packets"), shrunk.get("cycles")]
    return "\t".join("-" if v is None else str(v) for v in values)


def median(values, digits=0):
    """The median, and how many there are; `-` of none."""
    return f"{statistics.median(values):.{digits}f} ({len(values)})" if values else "-"


def table(names, lines):
    """The bugs named in the results, the medians of those found, and those that are left."""
    rows = {row[0]: row for row in (text.rstrip("\n").split("\t") for text in lines) if len(row) == len(COLUMNS)}
    done = [rows[name] for name in names if name in rows]
    widths = [max(len(row[c]) for row in [COLUMNS] + done) for c in range(len(COLUMNS))]
    for row in [COLUMNS] + done:
        print("  ".join(value.ljust(width) for value, width in zip(row, widths)).rstrip())
    for shows in ("soon", "rare"):
        of_kind = [row for row in done if row[1] == shows]
        found = [row for row in of_kind if row[2] == "yes"]
        print(f"{shows}: {len(found)} of {len(of_kind)} found, median {median([float(row[5]) for row in found], 1)} seconds")
    found = [row for row in done if row[2] == "yes"]
    sizes = [f"{COLUMNS[c]} {median([float(row[c]) for row in found if row[c] != '-'])}" for c in (8, 9, 10)]
    print(f"all: {len(found)} of {len(done)} found, median {median([float(row[5]) for row in found], 1)} seconds;"
          f" shrunk, medians: {', '.join(sizes)}")
    if len(done) < len(names):
        print(f"{len(names) - len(done)} not looked for yet")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "line":
        print(line(sys.argv[2], sys.argv[3], json.load(sys.stdin)))
    elif len(sys.argv) > 1 and sys.argv[1] == "table":
        table(sys.argv[2:], sys.stdin)
    else:
        sys.exit(__doc__)
