#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# As disk_full.sh: more commands, more of their writes, and caches.
#
#   tests/cli/disk_full_slow.sh [PLACES]     writes of each command that are tried, default 3
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/hostile.bash
. "$UTURN_ROOT/tests/cli/hostile.bash"
places=${1:-3}
# shellcheck source=tests/cli/disk_full.bash
. "$UTURN_ROOT/tests/cli/disk_full.bash"
full "p.csv h.csv t.json" "$uturn" run brief.yaml --packets p.csv --histogram h.csv --timeline t.json --every 100
full "trace.svg" "$uturn" trace brief.yaml --packet 0:0 --svg trace.svg
full "cycle.svg replay.yaml" "$uturn" prove cycle.yaml --svg cycle.svg --replay replay.yaml
"$uturn" sweep sweep.yaml >/dev/null
full "page.html" "$uturn" report page.html brief.yaml sweep.sqlite
full "curve.svg" "$uturn" plot sweep.yaml -o curve.svg
full_results sweep.sqlite "$uturn" sweep sweep.yaml
full_results other.sqlite "$uturn" sweep sweep.yaml --results other.sqlite --jobs 1
mkdir -p figures/mine
cat >figures/mine/fig.yaml <<'YAML'
title: Two loads
source: nowhere
sweeps:
  runs:
    base:
      topology: {kind: fat_tree, k: 2, n: 2}
      routing: {algorithm: fta}
      traffic: {load_flits_per_cycle: 0.1}
      run: {warmup_cycles: 0, measure_cycles: 200, drain: false}
    axes: [traffic.load_flits_per_cycle: [0.1, 0.2]]
plot: [{sweep: runs}]
YAML
printf '%s\t%s\t%s\t%s\t%s\t%s\n' name printed unit tolerance source query \
  runs 2 runs 0 here "SELECT count(*) FROM run WHERE sweep = 'runs'" >figures/mine/fig.tsv
full_results reproduced "$uturn" reproduce --experiments figures --results reproduced all
full "dump.fst" "$uturn" cosim brief.yaml --wave dump.fst
unset UTURN_CACHE
for n in 0 3 206 247; do full_cache $n "$uturn" run brief.yaml --elaborate always; done
"$uturn" run brief.yaml --elaborate always --json >../first || fail "with room again: run"
sed 's/4, 4/4/; /^routing/i switch: {vcs: 1, depth_flits: 2, packet_flits: 1}' good.yaml >ring.yaml
full_cache 700 "$uturn" cost ring.yaml
echo "disk_full: $tried disks that became full"
