#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The assertions of the RTL (rtl/assertions.vh) hold in whole networks with faults, and can fail: a mutant that breaks one is
# stopped by it, by its name.  Those of single blocks under random stimulus: tests/cosim/blocks_slow.sh.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "assertions: $*" >&2; exit 1; }

cat >"$work/tree.yaml" <<'YAML'
topology: {kind: fat_tree, k: 2, n: 3}
switch: {depth_flits: 4, packet_flits: 2, route_cycles: 1}
routing: {algorithm: reroute_adaptive_switch, reroute_timeout_cycles: 500}
traffic: {load_flits_per_cycle: 0.6}
faults:
  - {at: 300, until: 700, link: {level: 1, switch: 1, port: 1}}
  - {at: 900, until: 1500, switch: {level: 1, switch: 2}}
run: {warmup_cycles: 0, measure_cycles: 2000, drain: true, seed: 3}
YAML
cat >"$work/torus.yaml" <<'YAML'
topology: {kind: torus, sizes: [5]}
switch: {vcs: 2, depth_flits: 4, packet_flits: 2, route_cycles: 0, crossbar: vc}
routing: {algorithm: duato}
traffic: {load_flits_per_cycle: 0.8}
run: {warmup_cycles: 0, measure_cycles: 1500, drain: true, seed: 3}
YAML

# rtl SED FILE: a copy of the RTL with its assertions, and with FILE changed
rtl() {
  rm -rf "$work/rtl"
  cp -r "$UTURN_ROOT/rtl" "$work/rtl"
  sed -i '1i `define UT_ASSERTIONS' "$work/rtl/assertions.vh"
  [ $# = 0 ] || sed -i "$1" "$work/rtl/$2"
  [ $# = 0 ] || ! cmp -s "$UTURN_ROOT/rtl/$2" "$work/rtl/$2" || fail "the mutant of $2 changes nothing"
}

rtl
for network in tree torus; do
  "$UTURN_BIN" cosim "$work/$network.yaml" --rtl "$work/rtl" >"$work/out" 2>&1 || { tail -n 5 "$work/out"; fail "$network: an assertion fails"; }
done

# mutant SED FILE NAME: the assertion of that name fails
mutant() {
  rtl "$1" "$2"
  if "$UTURN_BIN" cosim "$work/tree.yaml" --rtl "$work/rtl" >"$work/out" 2>&1; then fail "the mutant of $2 passes"; fi
  grep "assertion failed: .*\.$3\$" "$work/out" || { tail -n 5 "$work/out"; fail "assertion $3 does not fail"; }
}
mutant 's|sendable_o\[v\] = .*;|sendable_o[v] = 1;|' ut_output_unit.v down_has_no_space
