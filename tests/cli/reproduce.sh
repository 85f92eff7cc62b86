#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# reproduce, plot: an experiment of three values, its verdicts and pictures; a second call runs nothing; bad input.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"

# ---- an experiment
mkdir -p mine/paper
cat >mine/paper/figure_1.yaml <<'YAML'
title: Two small trees
source: PAPER, figure 1
sweeps:
  trees:
    run: run
    base: &small
      topology: {kind: fat_tree, k: 2, n: 2}
      routing: {algorithm: fta}
      traffic: {pattern: uniform, load_flits_per_cycle: 0.1}
      run: {warmup_cycles: 100, measure_cycles: 400, drain: false}
    axes:
      - topology.n: [2, 3]
      - traffic.load_flits_per_cycle: [0.1, 0.2, 0.3]
    repeat: 3
    quick: {repeat: 2}
  path:
    base: *small
    axes: [routing.algorithm: [fta, destro]]
plot:
  - {sweep: trees, series: topology.n}
  - {x: traffic.load_flits_per_cycle, y: throughput, sweep: trees, where: {topology.n: 2}, title: "Throughput, \"quoted\""}
differences:
  wrong: Said to be so.
YAML
value() { printf '%s\t%s\t%s\t%s\tfigure 1\t%s\n' "$@"; }
{
  value name printed unit tolerance query | sed 's/figure 1/source/'
  value terminals 4 terminals 0 "SELECT max(\"terminals\") FROM run WHERE \"topology.n\" = 2"
  value runs 12 runs 0 "SELECT count(*) FROM run WHERE sweep = 'trees'"
  value accepted 0.1 flits/cycle 50% "SELECT \"throughput_flits_per_cycle_per_terminal\" FROM mean WHERE sweep = 'path' AND \"routing.algorithm\" = 'destro'"
  value wrong '>5' flits/cycle 0 "SELECT json_extract(json, '\$.corrupt_packets') FROM run"
} >mine/paper/figure_1.tsv
reproduce() { "$UTURN_BIN" reproduce --experiments mine "$@"; }

expect 0 reproduce list
grep -q '^paper/figure_1 *4 values  Two small trees' out || fail "list: $(cat out)"
expect 0 reproduce paper/figure_1
grep -q 'terminals .* 4 .* equal' out || fail "a value: $(cat out)"
grep -q 'accepted .* within tolerance\|accepted .* equal' out || fail "a value: $(cat out)"
grep -q 'Said to be so' out || fail "no reason: $(cat out)"
grep -Eq '^all +3 +[01] +0 +1 +0 *$|^all +2 +1 +0 +1 +0 *$' out && grep -q '^0 values differ without a reason' out || fail "no sum: $(cat out)"
for picture in figure_1 figure_1_2; do
  grep -q '</svg>' "reproduced/paper/$picture.svg" || fail "$picture.svg is no picture"
done
grep -q 'Throughput, "quoted"\|Throughput, &quot;quoted&quot;' reproduced/paper/figure_1_2.svg || fail "no title"

# nothing is run again, and --read says the same
cp out first
before=$(stat -c %Y.%s reproduced/paper/figure_1.trees.sqlite)
expect 0 reproduce all --read
cmp out first
[ "$(stat -c %Y.%s reproduced/paper/figure_1.trees.sqlite)" = "$before" ] || fail "--read writes"

# JSON and Markdown
expect 0 reproduce all --json
grep -q '"not_explained": 0' out && grep -q '"reason": "Said to be so."' out || fail "--json: $(cat out)"
expect 0 reproduce all --markdown
grep -q '^[0-9]* of [0-9]* equal:.* terminals 4[;.]' out || fail "--markdown: $(cat out)"

# --full has a run more for each point: the number of runs that is printed is wrong then, and nobody says why
expect 3 reproduce paper --full --no-pictures
grep -q 'runs .* 12 .* 18 .* differs' out && grep -q 'NOT EXPLAINED' out || fail "--full: $(cat out)"

# ---- intervals: the jackknife of a mean is Student's interval of its values (three repetitions: t is 4.302653)
mkdir -p figures/paper
sed '/^differences:/,$d; s/^plot:/  proofs: {run: prove, base: *small, axes: [routing.algorithm: [fta]]}\n&/' mine/paper/figure_1.yaml >figures/paper/figure_1.yaml
{
  head -n 1 mine/paper/figure_1.tsv
  value latency 1 cycles 0 "SELECT avg(\"latency_cycles.mean\") FROM run WHERE sweep = 'trees' AND \"topology.n\" = 3 AND \"traffic.load_flits_per_cycle\" = 0.3"
  value one_repetition 1 cycles 0 "SELECT avg(\"latency_cycles.mean\") FROM run WHERE sweep = 'path'"
  value proofs 1 proofs 0 "SELECT count(*) FROM run WHERE sweep = 'proofs'"
} >figures/paper/figure_1.tsv
expect 3 "$UTURN_BIN" reproduce --experiments figures paper --full --no-pictures --json
python3 - out reproduced/paper/figure_1.trees.sqlite <<'PY' || fail "intervals"
import json, sqlite3, statistics, sys
latency, one, proofs = json.load(open(sys.argv[1]))["experiments"][0]["values"]
rows = sqlite3.connect(sys.argv[2]).execute("""SELECT value FROM results JOIN runs ON run = id WHERE name = 'latency_cycles.mean' AND point IN
  (SELECT point FROM axes WHERE name = 'topology.n' AND value = 3 INTERSECT SELECT point FROM axes WHERE name LIKE '%load%' AND value = 0.3)""")
values = [row[0] for row in rows]
wanted = 4.302653 * statistics.stdev(values) / 3 ** 0.5
if len(values) != 3 or abs(latency["half_width"] - wanted) > 1e-5 * wanted or "half_width" in one:
    sys.exit(f"values {values}: half width {latency.get('half_width')}, expected {wanted}; of one repetition {one.get('half_width')}, expected none")
if proofs.get("half_width") != 0:
    sys.exit(f"the half width of what is counted, not simulated, is {proofs.get('half_width')}, expected 0")
PY

# ---- bad input
reject "no experiment|figure_2" "$UTURN_BIN" reproduce paper/figure_2 --experiments mine
reject "no experiments|nowhere" "$UTURN_BIN" reproduce all --experiments nowhere
mkdir -p bad/paper
bad() { # WORDS EDIT
  cp mine/paper/* bad/paper/
  sed -i "$2" bad/paper/figure_1.*
  reject "$1" "$UTURN_BIN" reproduce all --experiments bad --results bad_results
}
bad "unknown key|did you mean|title" 's/^title:/titel:/'
bad "figure_1.tsv:2|printed value" 's/^terminals\t4/terminals\tfour/'
bad "no such column|nonsuch|accepted" 's/"throughput_flits[a-z_]*"/nonsuch/'
bad "there is no sweep|tress" 's/sweep: trees, series/sweep: tress, series/'
bad "name of a printed value" 's/^  wrong:/  rong:/'
bad "picture 1|there is no" 's/series: topology.n/series: topology.q/'

# ---- plot
cp reproduced/paper/figure_1.trees.sqlite trees.sqlite
expect 0 "$UTURN_BIN" plot trees.sqlite -o curves.png
[ "$(head -c 4 curves.png | tail -c 3)" = PNG ] || fail "curves.png is no PNG"
expect 0 "$UTURN_BIN" plot trees.sqlite --x load --y latency.max --where 'load < 0.25' --log xy --title "a title"
grep -q 'a title' trees.svg || fail "no title"
printf 'topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\ntraffic: {load_flits_per_cycle: 0.1}\nrun: {measure_cycles: 200}\n' >a.yaml
sed 's/n: 2/n: 3/' a.yaml >b.yaml
expect 0 "$UTURN_BIN" plot a.yaml b.yaml --loads 0.1:0.3:0.1 --seeds 2
[ -s a.load.sqlite ] && [ -s b.load.sqlite ] && grep -q 'b.yaml' a.svg || fail "plot of two scenarios"
for name in a b; do grep -qE "^saturation: $name.yaml: not reached at load 0.3; at most 0.[23][0-9]* " out || fail "plot below the saturation: $(cat out)"; done
sed 's/n: 2/n: 3/; s/measure_cycles: 200/warmup: until_stable/' a.yaml >c.yaml
expect 0 "$UTURN_BIN" plot c.yaml --loads 0.2:1:0.8
printf '%s\n' 'picture: c.svg' 'results: c.load.sqlite' >says
grep -v '^saturation' out | diff says - || fail "plot does not say where picture and results are"
grep -qx 'saturation: between loads 0.2 and 1; at most 0.[4-9][0-9]* flits/cycle/terminal are delivered' out || fail "plot: no saturation: $(cat out)"
grep -q 'rings: the load is not sustained' c.svg || fail "a load that is not sustained has no ring"
reject ".png or .svg" "$UTURN_BIN" plot trees.sqlite -o curves.pdf
reject "there is no|latenci" "$UTURN_BIN" plot trees.sqlite --y latenci
reject "nowhere" "$UTURN_BIN" plot nowhere.yaml
expect 2 "$UTURN_BIN" plot a.yaml --loads 0.3:0.1:0.1
