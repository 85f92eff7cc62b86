#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The papers' claims for fewer than k faults, on every fault set of small trees and on samples of larger ones: each pair is
# connected, nothing loops, nothing can deadlock.  Prints the table of docs/results/claims.md.
#
#   tests/cli/claims_slow.sh [SAMPLES [TREE...]]     samples for each number of faults that has more (default 2000; the table has 5000); trees as K_N
set -eu
samples=${1:-2000}
shift $(($# > 0))
trees=${*:-2_3 2_4 3_2 3_3 4_2 4_3 2_6}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

value() { sed -n "s/^  \"$1\": \(.*[^,]\),\{0,1\}$/\1/p" "$work/json"; }
# claim TREE ALGORITHM FAULTS: links, switches or mixed
claim() {
  local k=${1%_*} n=${1#*_} most options status=0 bad=
  most=$((k - 1))
  case $3 in
  links) options="--faults 0..$most" ;;
  switches) options="--switch-faults 0..$most" ;;
  mixed) options="--faults 0..$most --switch-faults 0..$most --total 0..$most" ;;
  esac
  printf 'topology: {kind: fat_tree, k: %s, n: %s}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.1}\n' "$k" "$n" "$2" >"$work/s.yaml"
  # shellcheck disable=SC2086 # options are words
  "$UTURN_BIN" prove "$work/s.yaml" $options --samples "$samples" --json >"$work/json" || status=$?
  [ $status = 0 ] && [ "$(value fault_sets)" = "$(value fault_sets_connected)" ] && [ "$(value fault_sets_with_cycle)" = 0 ] &&
    [ "$(value fault_sets_looping)" = 0 ] && [ "$(value fault_sets_numbering_violated)" = 0 ] || { bad=' **fails**'; failures=$((failures + 1)); }
  printf '| `%s` | %s-ary %s-tree | %s | %s%s | %s | %s | %s |%s\n' "$2" "$k" "$n" "$3" "$(value fault_sets)" \
    "$([ "$(value exhaustive)" = true ] || echo ', sampled')" "$(value longest_hops)" "$(value most_u_turns)" \
    "$(value fault_sets_with_dependency_cycle)" "$bad"
}

for algorithm in reroute_adaptive_link misroute_header reroute_det_link reroute_adaptive_switch reroute_det_switch \
  'table_reroute_det_link, tables: static' table_reroute_det_link 'table_reroute_adaptive_link, tables: static' \
  table_reroute_adaptive_link table; do
  for tree in $trees; do
    case "$algorithm" in
    *_switch) claim "$tree" "$algorithm" switches; claim "$tree" "$algorithm" mixed ;;
    *) claim "$tree" "$algorithm" links ;;
    esac
  done
done
[ $failures = 0 ] || { echo "claims: $failures claims fail" >&2; exit 1; }
