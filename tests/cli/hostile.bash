# SPDX-License-Identifier: Apache-2.0
# hostile.bash - for scripts that let commands run on a machine that fails: behind expect.bash.  Scenarios to run, and what is preloaded.
# A program with a sanitizer has an allocator and signals of its own.
hostile() { # NAME...: builds tests/cli/NAME.c as $work/NAME.so; ends the script where that cannot be preloaded
  if [ "$(uname -m)" != x86_64 ] || grep -q '__[at]san_init' "$UTURN_BIN"; then
    echo "$script: left out: needs x86-64, and a program without sanitizers"
    exit 0
  fi
  local name
  for name; do
    ${CC:-cc} -O1 -shared -fPIC -Wall -Wextra -Werror -o "$work/$name.so" "$UTURN_ROOT/tests/cli/$name.c" || fail "$name.c"
  done
}
# What may differ between two runs: times, dates, and what a dump says of the date.
plain() { # FILE
  case $1 in
  *.fst) fst2vcd "$1" 2>&1 | sed '/^\$date/,/^\$end/d' ;;
  *) sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}[T 0-9:]*Z?//g; s/"(wall_s|switch_cycles_per_s)": *[-+.e0-9]*//g; /^  speed /d; s/( fault sets in ).* s$/\1/' "$1" ;;
  esac
}
# Numbers 0..ALL-1: all of them, or MOST: the first and the last ones, and some between.
some() { # ALL MOST
  if [ "$1" -le "$2" ]; then
    seq 0 $(($1 - 1))
  else
    { seq 0 $(($2 / 3)); seq $(($1 - $2 / 3)) $(($1 - 1)); shuf -i "0-$(($1 - 1))" -n $(($2 / 3 + 1)) --random-source=<(yes); } | sort -nu
  fi
}
scenarios() {
  cat >brief.yaml <<'YAML'
topology: {kind: fat_tree, k: 2, n: 3}
routing: {algorithm: reroute_adaptive_link}
traffic: {load_flits_per_cycle: 0.3}
faults:
  - {at: 100, until: 180, link: {level: 1, switch: 1, port: 1}}
run: {warmup_cycles: 0, measure_cycles: 200}
YAML
  cat >sweep.yaml <<'YAML'
base: brief.yaml
axes:
  - traffic.load_flits_per_cycle: [0.1, 0.2]
repeat: 2
YAML
  cat >good.yaml <<'YAML'
topology: {kind: torus, sizes: [4, 4]}
routing: {algorithm: dor}
traffic: {load_flits_per_cycle: 0.3}
YAML
  sed 's/dor/dor_without_bubble/' good.yaml >cycle.yaml
  cat >planned.yaml <<'YAML'
topology: {kind: torus, sizes: [4, 4]}
switch: {vcs: 5, depth_flits: 8}
routing: {algorithm: duato, mechanisms: {intermediate: 1, deterministic: true}}
traffic: {load_flits_per_cycle: 0.3}
faults:
  - {at: 0, random_links: 2}
run: {warmup_cycles: 0, measure_cycles: 200}
YAML
}
