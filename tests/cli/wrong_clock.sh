#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A clock that jumps back and far forward at every look: no command hangs or fails, no time or rate is negative or endless, and the results
# are the same.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/hostile.bash
. "$UTURN_ROOT/tests/cli/hostile.bash"
hostile wrong_clock
scenarios
# What depends on the time is left out of the comparison, and must be a number that is not negative.
same() { # COMMAND...
  expect 0 timeout 120 "$@"
  sed -E 's/[-0-9.e+]+ s\b|[-0-9.e+a-z]+ (switch-cycles|flit-hops)\/s|"(wall_s|switch_cycles_per_s)": [-0-9.e+a-z]+//g' out >wanted
  expect 0 env LD_PRELOAD="$work/wrong_clock.so" timeout 120 "$@"
  ! grep -qE '(^|[^a-z.])-[0-9.e+]+ s\b|(^|[^0-9a-z])-[0-9.]+ [a-z-]+/s|"(wall_s|[a-z_]*per_s)": -|\b(inf|nan)\b' out || fail "$*: a time that is none: $(cat out)"
  sed -E 's/[-0-9.e+]+ s\b|[-0-9.e+a-z]+ (switch-cycles|flit-hops)\/s|"(wall_s|switch_cycles_per_s)": [-0-9.e+a-z]+//g' out >found
  cmp -s wanted found || fail "$*: other results: $(diff wanted found | head -5)"
}
for _ in 1 2 3; do same "$UTURN_BIN" run brief.yaml; done
same "$UTURN_BIN" run brief.yaml --json
same "$UTURN_BIN" run brief.yaml good.yaml --compare --seeds 2 --cycles 100
same "$UTURN_BIN" prove brief.yaml --json
same "$UTURN_BIN" tolerance brief.yaml --faults 1
same "$UTURN_BIN" report page.html brief.yaml
expect 0 "$UTURN_BIN" sweep sweep.yaml --csv
mv sweep.sqlite first.sqlite
expect 0 env LD_PRELOAD="$work/wrong_clock.so" timeout 120 "$UTURN_BIN" sweep sweep.yaml --csv
for file in first sweep; do # not: when, how long
  python3 - "$file" >"$file.rows" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1] + ".sqlite")
rows = db.execute("SELECT point, repetition, status, message, scenario FROM runs ORDER BY 1, 2").fetchall()
numbers = db.execute("SELECT point, repetition, name, value FROM results JOIN runs ON id = run WHERE name NOT IN ('wall_s', "
                     "'switch_cycles_per_s') ORDER BY 1, 2, 3").fetchall()
assert all(w >= 0 and c >= 0 for w, c in db.execute("SELECT wall_s, cpu_s FROM runs")), "a time that is negative"
print(rows, numbers)
PY
done
cmp -s first.rows sweep.rows || fail "sweep: other results"
echo "wrong_clock: all"
