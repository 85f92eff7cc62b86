#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# report of sweeps and of results folders: what a browser shows is what --json says; nothing is run or written; bad input.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"

cat >curve.yaml <<'YAML'
base:
  topology: {kind: fat_tree, k: 2, n: 2}
  routing: {algorithm: fta}
  traffic: {pattern: uniform, load_flits_per_cycle: 0.1}
  run: {warmup_cycles: 100, measure_cycles: 400, drain: false}
axes:
  - routing.algorithm: [fta, destro]
  - traffic.load_flits_per_cycle: [0.1, 0.2, 0.3]
repeat: 2
YAML
mkdir -p mine/paper
cat >mine/paper/figure_1.yaml <<'YAML'
title: Two small <trees> & "quotes"
source: PAPER, figure 1
notes: A reading.
sweeps:
  trees:
    base:
      topology: {kind: fat_tree, k: 2, n: 2}
      routing: {algorithm: fta}
      traffic: {pattern: uniform, load_flits_per_cycle: 0.1}
      run: {warmup_cycles: 100, measure_cycles: 400, drain: false}
    axes:
      - topology.n: [2, 3]
      - traffic.load_flits_per_cycle: [0.1, 0.2]
    repeat: 3
    quick: {repeat: 2}
plot:
  - {sweep: trees, series: topology.n}
differences:
  wrong: Said to be so.
YAML
value() { printf '%s\t%s\t%s\t%s\tfigure 1\t%s\n' "$@"; }
{
  value name printed unit tolerance query | sed 's/figure 1/source/'
  value terminals 4 terminals 0 "SELECT max(\"terminals\") FROM run WHERE \"topology.n\" = 2"
  value runs 9 runs 2 "SELECT count(*) FROM run"
  value wrong '>5' flits/cycle 0 "SELECT max(\"latency_cycles.mean\") * 0 FROM run"
  value missing 5 "" 0 "SELECT max(\"latency_cycles.mean\") FROM run WHERE sweep = 'other'"
} >mine/paper/figure_1.tsv

# the page says what --json says
expect 0 "$UTURN_BIN" sweep curve.yaml
expect 0 "$UTURN_BIN" sweep curve.yaml --read --json
cp out sweep.json
expect 3 "$UTURN_BIN" reproduce all --experiments mine --no-pictures
expect 3 "$UTURN_BIN" reproduce all --experiments mine --read --json --no-pictures
cp out reproduce.json
before=$(cat curve.sqlite reproduced/paper/*.sqlite | cksum)
expect 0 "$UTURN_BIN" report page.html curve.yaml reproduced --experiments mine
[ "$(cat curve.sqlite reproduced/paper/*.sqlite | cksum)" = "$before" ] || fail "a page has changed the results"
[ "$(stat -c %s page.html)" -lt 1000000 ] || fail "a small page has $(stat -c %s page.html) bytes"
! grep -q 'https\{0,1\}://' page.html || fail "page.html names an address"
/usr/bin/python3 "$UTURN_ROOT/tests/cli/report_results.py" "$work/page.html" sweep.json reproduce.json || fail "the page is not as it should be"

# the database alone makes the same part; a folder that is not complete is shown as far as it goes
expect 0 "$UTURN_BIN" report database.html curve.sqlite
part() { sed -n '/id="sweep-1-data"/s/.*base64">//p' "$1"; }
[ -n "$(part page.html)" ] && [ "$(part database.html)" = "$(part page.html)" ] || fail "the database makes another part than the sweep file"
sed 's/^sweeps:/&\n  later: {base: {topology: {kind: fat_tree, k: 2, n: 2}}}/' -i mine/paper/figure_1.yaml
expect 0 "$UTURN_BIN" report partly.html reproduced --experiments mine

# bad input: one message, no page
bad() { reject "$1" "$UTURN_BIN" report no.html "${@:2}"; }
cp curve.yaml never.yaml
bad "never.yaml|no results yet|never.sqlite|uturn sweep never.yaml" never.yaml
bad "gone.sqlite|No such file" gone.sqlite
: >empty.sqlite
bad "empty.sqlite|no results yet" empty.sqlite
echo "no database" >text.sqlite
bad "text.sqlite|no database of results" text.sqlite
sqlite3 foreign.sqlite 'CREATE TABLE t(a)'
bad "foreign.sqlite|another program" foreign.sqlite
{ head -c 6000 curve.sqlite; head -c 20000 /dev/zero; tail -c +26001 curve.sqlite; } >damaged.sqlite
bad "damaged.sqlite|damaged" damaged.sqlite
mkdir nothing
bad "nothing|no results of|reproduce all --results nothing" nothing --experiments mine
bad "reproduced|no results of" reproduced
bad "no experiments|nowhere" reproduced --experiments nowhere
echo damaged >reproduced/paper/figure_1.trees.sqlite
bad "figure_1.trees.sqlite|no database of results" reproduced --experiments mine
[ ! -e no.html ] || fail "a page was written"
