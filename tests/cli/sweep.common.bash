# SPDX-License-Identifier: Apache-2.0
# sweep.common.bash - what scripts of sweeps share.  Needs $work, a folder for what they write, and $name, their own.
fail() { echo "$name: $*" >&2; exit 1; }

# A sweep of runs that take a hundredth of a second.  small FILE LOADS REPETITIONS
small() {
  cat >"$1" <<YAML
base:
  topology: {kind: fat_tree, k: 2, n: 2}
  routing: {algorithm: fta}
  traffic: {load_flits_per_cycle: 0.1}
  run: {warmup_cycles: 50, measure_cycles: 200, drain: false}
axes:
  - routing.algorithm: [fta, destro]
  - traffic.load_flits_per_cycle: {from: 0.01, to: 0.$2, step: 0.01}
repeat: $3
YAML
}

sql() { sqlite3 -batch -readonly "$1" "$2"; }

# All that a database says but for times.
rows() {
  sql "$1" "SELECT key, point, repetition, probe, load, seed, status, message, version, command, scenario FROM runs ORDER BY key;
    SELECT key, name, value FROM results JOIN runs ON run = id WHERE name NOT IN ('wall_s', 'switch_cycles_per_s') ORDER BY key, name;
    SELECT * FROM axes ORDER BY point, axis; SELECT * FROM meta WHERE name NOT IN ('sweep') ORDER BY name"
}

# Two databases say the same.  same DATABASE DATABASE WHAT
same() {
  rows "$1" >"$work/expected" && rows "$2" >"$work/found" || fail "$3: no rows"
  diff "$work/expected" "$work/found" >"$work/diff" || fail "$3: other rows: $(head -n 5 "$work/diff")"
}

# Nothing twice, nothing torn, nothing missing.
sound() { # DATABASE RUNS
  [ "$(sql "$1" 'PRAGMA integrity_check')" = ok ] || fail "$1 is damaged"
  [ "$(sql "$1" 'SELECT count(*) FROM runs')" = "$2" ] || fail "$1 has $(sql "$1" 'SELECT count(*) FROM runs') rows, not $2"
  [ "$(sql "$1" 'SELECT count(*) FROM (SELECT point, repetition FROM runs GROUP BY 1, 2)')" = "$2" ] || fail "$1 has a run twice"
  [ "$(sql "$1" 'SELECT count(*) FROM runs WHERE id NOT IN (SELECT run FROM results)')" = 0 ] || fail "$1 has rows without numbers"
}

# Starts the sweep again and again, and kills it at random moments, so many times.
kill_often() { # FILE RESULTS TIMES LONGEST-IN-MS
  local i pid kills=0 ms
  for ((i = 0; kills < $3; i++)); do
    [ $i -lt $((20 * $3)) ] || fail "only $kills kills in $i calls"
    "$UTURN_BIN" sweep "$1" --results "$2" >"$work/killed.out" 2>&1 &
    pid=$!
    ms=$((RANDOM % $4))
    sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
    kill -9 $pid 2>/dev/null && kills=$((kills + 1)) || true
    wait $pid 2>/dev/null || true
  done
}
