#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# RTL and spec in lockstep (`uturn cosim --golden spec`): no mismatch, and the results are those of the model, to the last
# packet.
#
#   tests/cosim/spec_slow.sh                         what the test suite takes: scenarios whose models of the RTL other
#                                                    tests build, too (random ones: tests/fuzz/hunt_slow.sh)
#   tests/cosim/spec_slow.sh --all [SWITCH_CYCLES]   every scenario of scenarios/ but the largest, so many switch-cycles of
#                                                    each (default 500000), and all points of experiments/templates:
#                                                    some 90 models of the RTL
#   tests/cosim/spec_slow.sh FILE...                 these
#
# (Model and spec: tests/cosim/spec.sh.)
set -eu
UTURN_ROOT=${UTURN_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
UTURN_BUILD=${UTURN_BUILD:-$UTURN_ROOT/build}
UTURN_BIN=${UTURN_BIN:-$UTURN_BUILD/uturn}
export UTURN_ROOT UTURN_BUILD UTURN_BIN
fail() { echo "spec_slow: $*" >&2; exit 1; }

# value KEY FILE: of the first line of the JSON that has it
value() { sed -nE "0,/\"$1\": /s/^ *\"$1\": \"?([^\",]*)\"?,?$/\1/p" "$2"; }
# results FILE: what both commands report, but for times.  Only `run` repeats a workload without faults; only `cosim` says
# what has not been exercised.
results() {
  awk '/"unexercised": \[/ { skip = 1 } !skip; /\]/ { skip = 0 }' "$1" |
    grep -vE '"(dut|compared_[a-z_]*|jumped_cycles|mismatches|wall_s|switch_cycles_per_s|without_faults_completion_cycles|slowdown)":' |
    sed 's/,$//'
}

# one FILE: a line for the totals into $work/RESULT.total.  A deadlock, or a workload that does not come to its end, is as
# right as it is in a run of the model alone.
one() {
  local file=$1 status=0 expected=0 cycles name
  name=$(mktemp "$work/XXXXXX")
  "$UTURN_BIN" run "$file" --cycles 1 --threads 1 --json >"$name.json" || fail "$file: no run of one cycle"
  cycles=$((switch_cycles / $(value switches "$name.json")))
  [ $cycles -ge 20 ] || cycles=20
  "$UTURN_BIN" run "$file" --cycles $cycles --threads 1 --json >"$name.run" 2>/dev/null || expected=$?
  "$UTURN_BIN" cosim "$file" --golden spec --cycles $cycles --threads 1 --json >"$name.cosim" 2>"$name.err" || status=$?
  [ $status = $expected ] && [ $status != 2 ] && [ $status != 3 ] ||
    fail "$file, $cycles cycles: exit status $status, and $expected of the model alone: $(cat "$name.err")"
  diff <(results "$name.run") <(results "$name.cosim") >"$name.diff" ||
    fail "$file, $cycles cycles: model (<) and spec (>) have other results: $(cat "$name.diff")"
  echo "$(value compared_switch_states "$name.cosim") $(value compared_state_bits_per_switch "$name.cosim")" \
    "$(value mismatches "$name.cosim") $file $cycles" >"$name.total"
}
if [ "${1-}" = --one ]; then
  one "$2"
  exit
fi

# scenarios FILE...: all of them
scenarios() {
  printf '%s\0' "$@" | xargs -0 -P "${UTURN_JOBS:-2}" -n1 "$0" --one || fail "not all scenarios are equal"
  cat "$work"/*.total | awk -v wanted=$# '
    { n++; states += $1; bits += $1 * $2; mismatches += $3; idle += $1 == 0 }
    END {
      printf "RTL against the spec: %d scenarios, %d mismatches, %.0f switch states compared, %.1f Gbit of registers\n",
        n, mismatches, states, bits / 1e9
      exit !(n == wanted && !mismatches && !idle)
    }' || fail "mismatches, or a scenario in which nothing is compared"
}

# sweep NAME: all points of a template, in short: each run is one in lockstep
sweep() {
  sed -E '/^  (least|most|until):/d; /^    (result|within_percent|#confidence):/d; s/^repeat:.*/repeat: 1/
    s/precision: .*/precision: 0.2/; s/(warmup|measure)_cycles: .*/\1_cycles: 200/' "$UTURN_ROOT/experiments/templates/$1.yaml" >"$work/$1.yaml"
  printf 'run: cosim\noptions: [--golden, spec]\n' >>"$work/$1.yaml"
  "$UTURN_BIN" sweep "$work/$1.yaml" --jobs "${UTURN_JOBS:-2}" >"$work/out" 2>"$work/err" ||
    fail "$1: $(cat "$work/err")"
  "$UTURN_BIN" sweep "$work/$1.yaml" --read --csv >"$work/$1.csv"
  awk -F, -v name="$1" '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    { n++; mismatches += $column["mismatches"]; states += $column["compared_switch_states"] }
    END {
      printf "RTL against the spec: %s, %d runs, %d mismatches, %.0f switch states compared\n", name, n, mismatches, states
      exit !(n && ("mismatches" in column) && !mismatches && states > 1000 * n)
    }' "$work/$1.csv" || fail "$1: $(cat "$work/$1.csv")"
}

# A planted error: what is compared is the spec, and the model is asked, too.
planted() {
  local status=0
  "$UTURN_BIN" cosim "$UTURN_ROOT/scenarios/demo.yaml" --golden spec --cycles 700 --inject 500:1.5:in0.vc0.pending_credits_q:0 \
    >"$work/out" 2>&1 || status=$?
  [ $status = 3 ] &&
    grep -Eq '^cycle 501: switch 1\.5 in0\.vc0\.[a-z_]*: RTL holds 0x[0-9a-f]+, spec expected 0x' "$work/out" &&
    grep -q '^  two of three: the model agrees with the spec .* so the RTL is wrong$' "$work/out" &&
    grep -q -- '--golden spec' "$work/out" || fail "a planted error: status $status: $(cat "$work/out")"
}

work=$(mktemp -d)
export work
trap 'rm -rf "$work"' EXIT
export switch_cycles=100000
cd "$UTURN_ROOT"
planted
case "${1-}" in
--all)
  switch_cycles=${2:-500000}
  mapfile -t files < <(find scenarios -name '*.yaml' ! -name torus_64000.yaml | sort)
  echo "left out: scenarios/bench/memory/torus_64000.yaml, which takes 20 GB"
  scenarios "${files[@]}"
  for template in latency_load saturation throughput_faults; do sweep $template; done
  ;;
'')
  scenarios scenarios/{demo,deadlock_beyond_tolerance,deadlock_one_vc,deadlock_without_bubble,gate_4ary2tree_crowded}.yaml \
    scenarios/{detour_example_cube,detour_literal_deadlock,detour_literal_two_packets,gate_4ary3tree_flapping,ruft_faults}.yaml \
    scenarios/{reroute_fig10_ddlr,templates/faults,templates/planned,templates/ruft,bench/rates/tree_8ary3}.yaml \
    scenarios/bench/shapes/tree_{adaptive_switch,dead3,dead_switch,det_link,det_switch,misroute_header}.yaml
  ;;
*) scenarios "$@" ;;
esac
