#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Values of options: numbers are digits, names of files fit what is written, and all is looked at before anything is built or run.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
cat >good.yaml <<'YAML'
topology: {kind: fat_tree, k: 2, n: 2}
routing: {algorithm: reroute_adaptive_link}
traffic: {load_flits_per_cycle: 0.1}
run: {warmup_cycles: 0, measure_cycles: 100, drain_limit_cycles: 500}
YAML
# nothing may be built: the cache is empty, and stays so
export UTURN_CACHE=$work/cache
cosim() { "$UTURN_BIN" cosim good.yaml "$@"; }
for value in ' 5' '+5' '-5' '5 ' 5x 0x10 1e3 18446744073709551616 99999999999999999999999 ''; do
  for option in --cycles --seed; do reject "$option|whole number" "$UTURN_BIN" run good.yaml "$option=$value"; done
  reject "--wave-window|A:B" cosim --wave x.fst "--wave-window=$value:10"
  reject "--wave-window|A:B" cosim --wave x.fst "--wave-window=1:$value"
  reject "--wave-switches|LEVEL.INDEX" cosim --wave x.fst "--wave-switches=0.$value"
  reject "--faults|A..B" "$UTURN_BIN" tolerance good.yaml "--faults=1..$value"
  reject "--packet|SRC:TAG" "$UTURN_BIN" trace good.yaml "--packet=0:$value"
  reject "--share|K/N" "$UTURN_BIN" sweep good.yaml "--share=0/$value"
done
for value in ' 0.3' '+0.3' -0.3 0x1p-2 inf nan 0.3x '' 1e999; do reject "--load|flits per cycle" "$UTURN_BIN" run good.yaml "--load=$value"; done
reject "--jobs|at most" "$UTURN_BIN" sweep good.yaml --jobs 4294967297
for window in 0:10:20 10 : 10:5 fault,mismatch; do reject "--wave-window|A:B" cosim --wave x.fst --wave-window "$window"; done
reject "--cycles|at least 1" "$UTURN_BIN" run good.yaml --cycles 0
for value in 1000000000000001 18446744073709551615; do reject "--cycles|1000000000000000 at most" "$UTURN_BIN" run good.yaml --cycles $value; done
reject "--dut knows 'rtl' and 'gate', not 'gates'" cosim --dut gates
reject "--show knows 'discard', 'wrong_terminal',| and 'route', not 'none'" "$UTURN_BIN" prove good.yaml --show none
reject "--exhaustive or --samples, not both" "$UTURN_BIN" prove good.yaml --samples 3 --exhaustive
reject "--directed is for --links" "$UTURN_BIN" tolerance good.yaml --directed
reject "Too many arguments" timeout 20 "$UTURN_BIN" hunt some --scenarios 1
reject "one scenario at a time: 'other.yaml'" "$UTURN_BIN" prove good.yaml other.yaml
reject "26 scenarios at most: 'z.yaml'" "$UTURN_BIN" run good.yaml {a..z}.yaml --compare
# the run has 600 cycles at most
reject "--wave-window 600:700|600 cycles" cosim --wave x.fst --wave-window 600:700
reject "--wave-window fault|no faults" cosim --wave x.fst --wave-window fault
reject "--wave-switches|9.9" cosim --wave x.fst --wave-switches 0.0,9.9
reject "--wave-window is for --wave" cosim --wave-window 1:2
reject "--wave-switches is for --wave" cosim --wave-switches 0.0
# the name says one format, the content would be another
reject "--wave|*.fst|w.vcd" cosim --wave w.vcd
for command in net trace prove; do reject "--svg|*.svg|a.png" "$UTURN_BIN" $command good.yaml --svg a.png; done
# files of the scenario before a model
sed 's/traffic: .*/traffic: {pattern: permutation, permutation_file: map, load_flits_per_cycle: 0.1}/' good.yaml >map.yaml
echo '1 2 3' >map
reject "map:1:1|source and destination" "$UTURN_BIN" cosim map.yaml
[ ! -e cache ] || fail "a model was built before: $(find cache)"

# ---- what is not ours
mkdir rtl
cp "$UTURN_ROOT"/rtl/*.v "$UTURN_ROOT"/rtl/*.vh rtl/
echo 'module broken (' >>rtl/ut_fifo.v
expect 2 cosim --rtl rtl
grep -q 'ut_fifo.v' err || fail "broken RTL: $(cat err)"
expect 0 env TMPDIR="$work/nowhere" "$UTURN_BIN" run good.yaml --elaborate always # compilers put their files into the cache
sed 's/k: 2, n: 2/k: 16, n: 4/' good.yaml >large.yaml
for memory in 130000 150000; do
  status=0
  (ulimit -v $memory; "$UTURN_BIN" run large.yaml --cycles 1 --threads 1) >out 2>err || status=$?
  [ $status = 2 ] && grep -qi 'memory' err || fail "a network too large for $memory KiB: status $status: $(cat err)"
done
[ -z "$(find . -name '*.part*' -o -name '*.fst*')" ] || fail "left behind: $(ls)"
