#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Databases that say they are results and are none: status 2, what is wrong and what to do, nothing changed, no end is waited for; and
# names of files that YAML, JSON or a folder have no room for.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
uturn=$UTURN_BIN
cat >net.yaml <<'YAML'
topology: {kind: fat_tree, k: 2, n: 2}
routing: {algorithm: reroute_adaptive_link}
traffic: {load_flits_per_cycle: 0.1}
run: {warmup_cycles: 0, measure_cycles: 100}
YAML
printf 'base: net.yaml\naxes:\n  - traffic.load_flits_per_cycle: [0.1, 0.2]\n' >sweep.yaml
expect 0 "$uturn" sweep sweep.yaml

# ---- databases
# foreign "WORDS" SQL: of every command that reads or writes it
foreign() {
  cp sweep.sqlite foreign.sqlite
  python3 -c 'import sqlite3, sys; d = sqlite3.connect("foreign.sqlite"); d.executescript(sys.argv[1])' "$2"
  cp foreign.sqlite before
  reject "foreign.sqlite|$1|nothing was changed|move it away" timeout 20 "$uturn" sweep foreign.sqlite
  reject "$1" timeout 20 "$uturn" sweep foreign.sqlite --json
  reject "$1" timeout 20 "$uturn" sweep sweep.yaml --results foreign.sqlite
  reject "$1" timeout 20 "$uturn" plot foreign.sqlite
  reject "$1" timeout 20 "$uturn" report page.html foreign.sqlite
  cmp -s before foreign.sqlite || fail "$2: the file was changed"
}
endless='WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)'
foreign "there is no table 'meta'" 'DROP TABLE meta'
foreign "there is no table 'axes'" 'DROP TABLE axes'
foreign "there is no table 'meta'" 'DROP TABLE meta; DROP TABLE axes; DROP TABLE results; DROP TABLE runs; DROP VIEW sweep'
foreign "'axes' is a view, and not a plain table" "DROP TABLE axes; CREATE VIEW axes AS $endless SELECT i AS point, 0 AS axis, 'a' AS name, i AS value FROM n"
foreign "'results' is a view" "DROP TABLE results; CREATE VIEW results AS $endless SELECT i AS run, 'a' AS name, 1 AS value FROM n"
foreign "'meta' is a view" "DROP TABLE meta; CREATE VIEW meta AS SELECT * FROM other; CREATE VIEW other AS SELECT * FROM meta"
foreign "'runs' is a virtual table" "DROP TABLE runs; CREATE VIRTUAL TABLE runs USING fts5(id, key)"
foreign "the columns of 'results' are" 'DROP TABLE results; CREATE TABLE results(run, name)'
foreign "value (computed)" 'DROP TABLE results; CREATE TABLE results(run, name, value AS (run + 1))'
foreign "'sweep' is a plain table, and not a view" 'DROP VIEW sweep; CREATE TABLE sweep(a)'
foreign "no finite number: a value of the result 'cycles'" "UPDATE results SET value = 9e999 WHERE name = 'cycles'"
foreign "no finite number: a value of the result 'cycles'" "UPDATE results SET value = -9e999 WHERE name = 'cycles'"
foreign "no finite number: a value of the result 'cycles'" "UPDATE results SET value = 'nan' WHERE name = 'cycles'"
foreign "neither a text nor a finite number: a value of the axis" "UPDATE axes SET value = 9e999"
foreign "neither a text nor a finite number: a value of the axis" "UPDATE axes SET value = x'00ff'"
foreign "it has 10001 axes, more than 64" "$endless INSERT INTO axes SELECT 0, i, 'a' || i, 1 FROM n LIMIT 10000"
foreign "not between 0 and 1: the confidence 'inf'" "UPDATE meta SET value = 'inf' WHERE name = 'confidence'"
foreign "no number of points: '-1'" "UPDATE meta SET value = '-1' WHERE name = 'points'"
# an empty text is a value, too
foreign "not between 0 and 1: the confidence ''" "UPDATE meta SET value = '' WHERE name = 'confidence'"
foreign "no text: the value of 'confidence'" "UPDATE meta SET value = x'00' WHERE name = 'confidence'"
foreign "no text: the name of a result" "INSERT INTO results VALUES(1, '', 9e999)"
foreign "no whole number: a point or place of the axis" "UPDATE axes SET axis = 'x'"
foreign "no whole number: the status, point, repetition, probe or seed of run 1" "UPDATE runs SET status = 'abc' WHERE id = 1"
foreign "no finite number: the load, wall_s or cpu_s of run 2" "UPDATE runs SET wall_s = 9e999 WHERE id = 2"
# in our words alone
for page in 9999 2; do
  foreign "the database is damaged; nothing was changed" "PRAGMA writable_schema = 1; UPDATE sqlite_master SET rootpage = $page WHERE name = 'runs'"
done
# what is beside the tables does no harm: the view is made anew, a trigger is not run
cp sweep.sqlite other.sqlite
python3 -c 'import sqlite3, sys; d = sqlite3.connect("other.sqlite"); d.executescript(sys.argv[1])' "DROP VIEW sweep; CREATE VIEW sweep AS SELECT * FROM more;
  CREATE VIEW more AS SELECT * FROM sweep; CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END"
sed -i 's/0.2/0.3/' sweep.yaml
expect 0 timeout 20 "$uturn" sweep sweep.yaml --results other.sqlite
[ "$(grep -c '^ *0\.[13] ' out)" = 2 ] || fail "a foreign view and a trigger: $(cat out)"
# an axis value that only looks like a number is a text
python3 -c 'import sqlite3; d = sqlite3.connect("other.sqlite"); d.executescript("UPDATE axes SET value = char(105, 110, 102) WHERE point = 0")'
expect 0 "$uturn" sweep other.sqlite --json
python3 -c 'import json; assert [p["axes"]["traffic.load_flits_per_cycle"] for p in json.load(open("out"))["points"]] == ["inf", 0.3]' || fail "inf: $(cat out)"

# ---- --where that fails while it runs
for where in 'abs(-9223372036854775808) > 0' 'length(zeroblob(2000000000)) > 0' "json_extract('{', 'a') > 0" 'load <' 'nosuch(1)' '(SELECT 1, 2)'; do
  for form in '' --json --csv; do
    status=0
    # shellcheck disable=SC2086
    timeout 20 "$uturn" sweep sweep.sqlite $form --where "$where" >out 2>err || status=$?
    [ $status = 2 ] && grep -q -- '^uturn: --where' err && grep -q 'as in --where' err || fail "--where $where $form: status $status: $(cat err)"
  done
  reject "--where|as in --where" timeout 20 "$uturn" plot sweep.sqlite --where "$where"
done

for words in "it does not end, or takes too long|(SELECT count(*) FROM ($endless SELECT i FROM n)) > 0" "'?1' stands for no value|load < ?1"; do
  reject "--where|${words%%|*}|as in --where" timeout 60 "$uturn" sweep sweep.sqlite --where "${words#*|}"
done

# ---- sweeps
printf 'base: net.yaml\naxes:\n  - "": [1, 2]\n' >bad.yaml
reject "bad.yaml:3:5|no name" "$uturn" sweep bad.yaml
{ printf 'base: net.yaml\naxes:\n'; for i in $(seq 65); do echo "  - k$i: [1]"; done; } >bad.yaml
reject "bad.yaml:67:|more than 64 axes" "$uturn" sweep bad.yaml
printf 'base: net.yaml\naxes:\n  - traffic.load_flits_per_cycle: {from: 0.1, to: 1e300, step: 1e300}\n' >bad.yaml
reject "point 1|is 1e+300, must be 0..1000" "$uturn" sweep bad.yaml
sed -i 's/to: 1e300/to: 1e999/' bad.yaml
reject "bad.yaml:3:|'traffic.load_flits_per_cycle.to': expected a number" "$uturn" sweep bad.yaml
printf 'base: net.yaml\noptions: [--bogus]\n' >bad.yaml
reject "the first run, at point 0, was refused|unknown option '--bogus'" "$uturn" sweep bad.yaml

# ---- names
json() { # COMMAND...: prints one JSON value in UTF-8
  expect 0 "$@"
  python3 -c 'import json; json.loads(open("out", "rb").read().decode())' 2>why || fail "$*: $(tail -1 why): $(head -c 200 out)"
}
long=$(printf 'x%.0s' {1..200})
for name in "a'b" '"' "''" $'a\nb' $'a\xffb' $'\xed\xa0\x80' $'\x1b[31mr' $'a\u2028b' '- a: [b' "$long" "$(printf 'ä%.0s' {1..100})"; do
  mkdir named
  cp net.yaml "named/$name.yaml"
  printf 'base: %s\naxes:\n  - traffic.load_flits_per_cycle: [0.1, 0.2]\n' "$work/net.yaml" >"named/sweep $name.yaml"
  json "$uturn" run "named/$name.yaml" --json --packets "named/$name.csv"
  json "$uturn" tolerance "named/$name.yaml" --faults 1 --json
  json "$uturn" sweep "named/sweep $name.yaml" --json
  expect 0 "$uturn" sweep "named/sweep $name.yaml"
  expect 0 "$uturn" plot "named/$name.yaml" --loads 0.1:0.2:0.1 --seeds 1 -o named/p.svg --title t
  expect 0 "$uturn" plot "named/$name.load.sqlite" -o named/p.svg --title t
  expect 0 "$uturn" report "named/$name.html" "named/$name.yaml"
  [ -z "$(find named -name '*.part')" ] || fail "$name: left behind: $(ls named)"
  rm -r named
done
for length in 241 255; do # bytes; no room for what SQLite makes beside it
  name=$(printf "%.$((length - 5))s.yaml" "$long$long")
  cp net.yaml "$name"
  expect 0 "$uturn" run "$name" --elaborate never
  expect 0 "$uturn" net "$name" --json
  reject "a name of results can have 247 bytes|--results" "$uturn" plot "$name" -o p.svg
done
echo "foreign_results: all"
