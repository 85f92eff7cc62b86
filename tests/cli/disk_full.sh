#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A disk that becomes full at a write: every command that writes files ends with status 2 and one message that names the file, whichever
# write it is; what stood under the name still does, and nothing is left beside it.  Writes that are drawn; disk_full_slow.sh: all.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/hostile.bash
. "$UTURN_ROOT/tests/cli/hostile.bash"
# shellcheck source=tests/cli/booksim.bash
. "$UTURN_ROOT/tests/cli/booksim.bash"
places=4
# shellcheck source=tests/cli/disk_full.bash
. "$UTURN_ROOT/tests/cli/disk_full.bash"
full "p.csv h.csv t.json" "$uturn" run brief.yaml --packets p.csv --histogram h.csv --timeline t.json --every 100
full "my.yaml" "$uturn" new torus my.yaml
full "page.md" "$uturn" schema --write page.md
full "net.svg" "$uturn" net brief.yaml --svg net.svg
full "replay.yaml" "$uturn" prove cycle.yaml --replay replay.yaml
full "good.cert" "$uturn" prove good.yaml --certificate good.cert
full "page.html" "$uturn" report page.html brief.yaml
full_results results.sqlite "$uturn" sweep sweep.yaml --results results.sqlite
# tables in pages
mv ../small.yaml .
printf '<!-- validate: small -->\n<!-- validate: end -->\n' >../old.small.md
full "small.md validation_small.svg" "$uturn" validate small.yaml --booksim ../book --loads 0.1:0.1:0.1 --write small.md --pictures .
printf '<!-- bench: memory -->\n<!-- bench: end -->\n' >../old.figures.md
printf '{"machine": "m", "processors": 2, "date": "today", "version": "1", "cases": [{"group": "memory", "scenario": "net", "load": 0.2,
  "golden": {"cpu_ns_per_flit_hop": 40.0}}]}' >../figures.json
full "figures.md" "$uturn" bench --from ../figures.json --write figures.md
# a job for Slurm: nor is a folder left
for n in 0 1 2 3 4; do
  on_disk $n "$uturn" sweep sweep.yaml --slurm
  tried=$((tried + 1))
  told "write $n, sweep --slurm" ""
  [ "$failed" -gt 0 ] && grep -q '^uturn: sweep.tasks' ../err && [ ! -e sweep.tasks ] || fail "write $n, sweep --slurm: $(cat ../err; ls)"
done
echo "disk_full: $tried disks that became full"
