# SPDX-License-Identifier: Apache-2.0
# add_a_family.bash - part of worked_examples_slow.sh, for docs/howto/add_a_family.md: the family lints, refuses wrong parameters, runs
# in lockstep with a fault, and needs its dateline.

# It is built, lints, and refuses wrong parameters.
code=$(awk '$1 == "uniring" { print $3 }' rtl/algorithms.tsv)
lint() { verilator --lint-only -Wall --top-module ut_switch -Irtl "-GROUTE=$code" -GALGORITHM=0 -GV="$1" "-GPI=$2" "-GPO=$2" rtl/ut_switch.v; }
for vcs in 2 3 8; do
  lint $vcs 2 >"$work/log" 2>&1 && [ ! -s "$work/log" ] || { cat "$work/log" >&2; fail "lint with $vcs VCs"; }
done
! lint 2 3 >"$work/log" 2>&1 && grep -q ERROR_uniring_needs_two_ports_both_ways "$work/log" || fail "three ports are accepted"

# It runs: RTL and golden model agree while the link fails and comes back, below and beyond saturation, with more VCs too.
value() { sed -n "s/^ *\"$1\": \"*\([^,\"]*\)\"*,*$/\1/p" "$work/json"; }
run() {
  "$UTURN_BIN" cosim "$@" --json >"$work/json" 2>"$work/log" || { cat "$work/log" >&2; fail "cosim $*: exit status $?"; }
  [ "$(value mismatches)" = 0 ] && [ "$(value corrupt_packets)" = 0 ] && [ "$(value deadlock)" = false ] ||
    { cat "$work/json" >&2; fail "cosim $*: mismatches, corrupt packets or a deadlock"; }
  [ "$(value delivered_packets)" -gt 500 ] && [ "$(value unreachable)" -gt 100 ] && [ "$(value faults)" = 1 ] ||
    { cat "$work/json" >&2; fail "cosim $*: too little has happened"; }
}
run scenarios/uniring.yaml
[ "$(value in_flight_packets)" = 0 ] && [ "$(value queued_packets)" = 0 ] || fail "the ring does not drain"
injected=$(value injected_packets)
grep -q "$(printf "%'d" "$injected" 2>/dev/null || echo "$injected") packets injected" "$page" ||
  grep -q "$(echo "$injected" | sed 's/\(...\)$/,\1/') packets injected" "$page" || fail "the page's figures are not those of the run: $injected packets injected"
run scenarios/uniring.yaml --load 0.9 --cycles 4000
sed 's/vcs: 2/vcs: 4/; s/cycle: 0.1/cycle: 0.3/' scenarios/uniring.yaml >more.yaml
run more.yaml

# It has keys of its own.
sed 's/sizes: .8./k: 8, n: 1/' scenarios/uniring.yaml >wrong.yaml
status=0
"$UTURN_BIN" run wrong.yaml >/dev/null 2>"$work/log" || status=$?
[ $status = 2 ] && grep -q "'topology.k' is for .* only, this topology is uniring" "$work/log" || fail "k is accepted: $(cat "$work/log")"

# Every pair is connected, and nothing waits in a circle.
prove() {
  status=0
  "$UTURN_BIN" prove scenarios/uniring.yaml --json >"$work/json" 2>"$work/log" || status=$?
}
prove
[ $status = 0 ] && [ "$(value fault_sets_connected)" = 1 ] && [ "$(value fault_sets_with_cycle)" = 0 ] ||
  { cat "$work/log" "$work/json" >&2; fail "prove: exit status $status"; }

# Without the dateline the ring deadlocks; and a changed copy of the module is found.
sed 's/wire on = .*/wire on = ~arrived;/' rtl/ut_route_uniring.v >"$work/changed.v"
! cmp -s rtl/ut_route_uniring.v "$work/changed.v" || fail "nothing was changed"
cp -r rtl "$work/rtl" && cp "$work/changed.v" "$work/rtl/ut_route_uniring.v"
status=0
"$UTURN_BIN" cosim scenarios/uniring.yaml --rtl "$work/rtl" >/dev/null 2>"$work/log" || status=$?
[ $status = 3 ] || fail "a wrong routing module: exit status $status, expected 3"
sed -i 's/const bool on = .*/const bool on = dst != here;/' csim/switch/route_uniring.c spec/route_uniring.c
cp "$work/changed.v" rtl/ut_route_uniring.v
ninja -C build uturn >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "not built without the dateline"; }
status=0
"$UTURN_BIN" cosim scenarios/uniring.yaml --load 0.9 >/dev/null 2>"$work/log" || status=$?
[ $status = 4 ] || fail "without the dateline: exit status $status, expected a deadlock (4)"
prove
[ $status = 4 ] && [ "$(value fault_sets_with_cycle)" = 1 ] || { cat "$work/json" >&2; fail "prove sees no deadlock without the dateline: exit status $status"; }
echo "the example runs in lockstep, and needs its dateline"
