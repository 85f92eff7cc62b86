#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The demo in lockstep (the first 8,000 cycles; tests/cosim/demo_slow.sh runs all of it): no mismatch, the packets add
# up, and `uturn run` reports the same numbers.
set -eu
scenario=$UTURN_ROOT/scenarios/demo.yaml
options=${DEMO_OPTIONS---cycles 8000}
least=${DEMO_CYCLES-8000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "demo: $*" >&2; exit 1; }

# shellcheck disable=SC2086 # options are words
"$UTURN_BIN" cosim "$scenario" $options --json >"$work/cosim.json" || fail "cosim: exit status $?"
# shellcheck disable=SC2086
"$UTURN_BIN" run "$scenario" $options --json >"$work/run.json" || fail "run: exit status $?"

# "key value" lines, without what only cosim has and what is a matter of time
for of in cosim run; do
  awk '/: [^{]/ { gsub(/[",]/, ""); sub(/:$/, "", $1); print $1, $2 }' "$work/$of.json" >"$work/$of"
  awk '$1 !~ /^(dut|compared_state_bits_per_switch|compared_switch_states|mismatches|jumped_cycles|unexercised|wall_s|switch_cycles_per_s)$/' \
    "$work/$of" >"$work/$of.shared"
done
diff "$work/cosim.shared" "$work/run.shared" >&2 || fail "cosim and run disagree (< cosim, > run)"
[ "$(wc -l <"$work/run.shared")" -ge 20 ] || fail "keys are missing in the JSON"

awk -v least="$least" '
  { v[$1] = $2 }
  function want(name, value) { if (v[name] != value) { print "demo: " name " is \"" v[name] "\", expected " value; bad = 1 } }
  END {
    want("mismatches", "0"); want("unreachable", "0"); want("corrupt_packets", "0"); want("deadlock", "false")
    want("injected_packets", v["delivered_packets"] + v["cut_by_fault"] + v["in_failed_switch"] + v["unreachable"] + v["in_flight_packets"])
    if (v["cycles"] < least) { print "demo: only " v["cycles"] " cycles"; bad = 1 }
    if (least >= 90000) {   # all faults have come and gone, and the network has drained
      if (v["u_turns"] == 0) { print "demo: no U-turns"; bad = 1 }
      want("in_flight_packets", "0"); want("queued_packets", "0")
    }
    if (v["compared_switch_states"] < 40 * least || v["delivered_packets"] < least) { print "demo: hardly anything was compared"; bad = 1 }
    exit bad
  }' "$work/cosim" >&2
