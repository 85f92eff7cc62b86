#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cost: a small switch synthesized by two processes at once, the cache, JSON contract, comparison, charts, memories, bad input.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
export UTURN_CACHE="$work/a cache" # tools read from it
cat >small.yaml <<'S'
topology: {kind: fat_tree, k: 2, n: 3}
switch: {vcs: 1, depth_flits: 2, packet_flits: 2}
routing: {algorithm: fta}
traffic: {load_flits_per_cycle: 0.1}
S
cost() { "$UTURN_BIN" cost "$@"; }
# json KEY: of an object's outermost level, in out
json() { sed -n "s/^  \"$1\": \(.*[^,]\),\{0,1\}$/\1/p" out; }
is() { [ "$(json "$1")" = "$2" ] || fail "$1 is '$(json "$1")', expected '$2'"; }
has() { grep -q -- "$1" out || fail "no '$1' in: $(head -c 3000 out)"; }

# ---- the network alone: no netlist is made
expect 0 cost small.yaml --network
has '^2-ary 3-tree: 12 switches, 48 unidirectional links (those of terminals included), 144 switching elements$'
expect 0 cost small.yaml --network --json
has '"links": 48'
[ ! -e "$UTURN_CACHE" ] || fail "--network synthesizes"

# ---- bad input: found before anything is synthesized
reject "which scenario" "$UTURN_BIN" cost
reject "nowhere.yaml|No such file" "$UTURN_BIN" cost nowhere.yaml
reject "nowhere.lib|No such file|osu018" "$UTURN_BIN" cost small.yaml --liberty nowhere.lib
reject "$work|osu018" "$UTURN_BIN" cost small.yaml --liberty "$work"
reject "small.yaml:1|Liberty" "$UTURN_BIN" cost small.yaml --liberty small.yaml
gate() { printf 'cell (%s) { area : 2; pin(A) { direction : input; } %s pin(Y) { direction : output; function : "%s"; } }\n' "$1" "$2" "$3"; }
{ echo 'library (tiny) {'; gate INV '' '!A'; gate NAND 'pin(B) { direction : input; }' '!(A B)'; echo '}'; } >no_ff.lib
reject "no_ff.lib|flip-flop" "$UTURN_BIN" cost small.yaml --liberty no_ff.lib
flip_flop='cell (DFF) { area : 9; ff (IQ, IQN) { next_state : "D"; clocked_on : "C"; } pin(C) { direction : input; clock : true; } pin(D) { direction : input; } pin(Q) { direction : output; function : "IQ"; } }'
{ echo 'library (tiny) {'; gate INV '' '!A'; echo "$flip_flop }"; } >no_nand.lib
reject "no_nand.lib|two-input NAND" "$UTURN_BIN" cost small.yaml --liberty no_nand.lib
{ echo 'library (tiny) {'; gate NAND 'pin(B) { direction : input; }' '!(A B)'; echo "$flip_flop }"; } >no_inverter.lib
reject "no_inverter.lib|inverter" "$UTURN_BIN" cost small.yaml --liberty no_inverter.lib
{ echo 'library (tiny) {'; gate INV '' '!A'; gate NAND 'pin(B) { direction : input; }' '!(A B)'; echo "$flip_flop }"; } >no_timing.lib
reject "no_timing.lib|timing" "$UTURN_BIN" cost small.yaml --liberty no_timing.lib
reject "--network|no switch is synthesized" "$UTURN_BIN" cost small.yaml --network --compare
reject "--compare|at least two" "$UTURN_BIN" cost small.yaml --compare
reject "--vary|vsc|did you mean 'vcs'" "$UTURN_BIN" cost small.yaml --vary vsc=1,2
reject "--vary|KEY=VALUE" "$UTURN_BIN" cost small.yaml --vary k
reject "--vary|two" "$UTURN_BIN" cost small.yaml --vary k=2,two
reject "--vary|crossbar|port or vc" "$UTURN_BIN" cost small.yaml --vary crossbar=bus
reject "--vary n|least" "$UTURN_BIN" cost small.yaml --vary n=0
reject "--vary k|least" "$UTURN_BIN" cost small.yaml --vary k=0,2
reject "--vary k|twice" "$UTURN_BIN" cost small.yaml --vary k=2 --vary k=4
reject "topology.k|33|2..32" "$UTURN_BIN" cost small.yaml --vary k=2,33
reject "reroute_adaptive_lonk|did you mean" "$UTURN_BIN" cost small.yaml --vary algorithm=reroute_adaptive_lonk
reject "vcs_must_be_1_to_8" "$UTURN_BIN" cost small.yaml --vary vcs=9
reject "depth_flits|1" "$UTURN_BIN" cost small.yaml --vary depth_flits=1
reject "chart|.png or .svg" "$UTURN_BIN" cost small.yaml --chart chart.jpg
mkdir folder.svg
reject "folder.svg|no file" "$UTURN_BIN" cost small.yaml --chart folder.svg
reject "chart|nowhere" "$UTURN_BIN" cost small.yaml --chart nowhere/chart.svg
reject "nowhere" "$UTURN_BIN" cost small.yaml --rtl nowhere
: >file
reject "file|cache" env UTURN_CACHE="$work/file" "$UTURN_BIN" cost small.yaml
mkdir tools_without
for tool in yosys sta gnuplot; do
  rm -f tools_without/*
  for other in yosys sta gnuplot; do
    [ $other = $tool ] || ln -s "$(command -v $other)" tools_without/
  done
  chart=
  [ $tool != gnuplot ] || chart='--chart chart.svg'
  # shellcheck disable=SC2086
  reject "\`$tool\`|apt-get install" env PATH="$work/tools_without" "$UTURN_BIN" cost small.yaml $chart
done
# what the RTL rejects: a rule of its own that scenarios do not know
cp -r "$UTURN_ROOT/rtl" rtl
sed -i 's/if (V < 1 || V > 8) ERROR_vcs_must_be_1_to_8/if (V != 5) ERROR_vcs_must_be_five/' rtl/ut_switch.v
reject "$work/rtl|rejects|vcs must be five" "$UTURN_BIN" cost small.yaml --rtl "$work/rtl"
[ ! -e chart.svg ] && [ ! -s file ] || fail "something is left behind"

# ---- Ctrl-C during synthesis
# interrupt GROUP COMMAND...: as soon as there is a temporary folder; GROUP is - when the signal reaches all processes, as from
# a terminal.  Its exit status.
interrupt() {
  local group=$1 pid
  shift
  setsid "$@" >out 2>err &
  pid=$!
  until ls -d "$UTURN_CACHE"/*.tmp >/dev/null 2>&1 || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
  kill -s INT -- "$group$pid"
  wait $pid
}
status=0
interrupt - "$UTURN_BIN" cost small.yaml || status=$?
[ $status = 130 ] || fail "interrupted: exit status $status: $(cat err)"
status=0 # several switches side by side; the signal reaches the first process only
interrupt '' "$UTURN_BIN" cost small.yaml --vary k=2,4 --workers 2 || status=$?
[ $status = 130 ] && [ ! -s out ] || fail "interrupted beside another: exit status $status: $(cat err)"
if ls -d "$UTURN_CACHE"/*.tmp >/dev/null 2>&1; then fail "interrupted: a temporary folder is left"; fi

# ---- two processes at once, one result
cost small.yaml --json >first 2>first.err &
other=$!
expect 0 cost small.yaml --json
wait $other || fail "the other process: $(cat first.err)"
cmp -s out first || fail "two processes at once give different results"
for key in scenario liberty cells area_um2 nand2_equivalents flip_flops memory_bits longest_path_ns logic_levels blocks \
  network synthesis_s path path_through_blocks cells_by_kind crossbar; do
  grep -q "^  \"$key\": " out || fail "no '$key' in the JSON"
done
is scenario '"small.yaml"'
is liberty '"osu018_stdcells"'
is memory_bits 0
# 4 ports of 2 flits of 67 bits, and of an output register of 67 bits
[ "$(grep -m 1 '"buffers"' out | tr -dc 0-9)" = 804 ] || fail "buffers: $(grep -m 1 '"buffers"' out)"
[ "$(grep -m 1 '"reroute"' out | tr -dc 0-9)" = 0 ] || fail "fta has re-route state"
library=$(find "$UTURN_CACHE" -name cells.lib | head -n 1)
/usr/bin/python3 "$UTURN_ROOT/tests/cli/cost_numbers.py" out "$library" 4 2 67 || fail "the numbers do not fit together"
for word in '"switches": 12' '"links": 48' '"switching_elements": 144' '"crosspoints": 192' '"name": "vc_allocator"'; do
  grep -q "$word" out || fail "no $word"
done
! grep -q '"name": "reroute_vector"' out || fail "fta has a re-route vector"

# ---- the cache: nothing is made again, and a damaged entry is not used
touch before
expect 0 cost small.yaml --json
[ -z "$(find "$UTURN_CACHE" -name '*.tmp' -o -type f -newer before ! -name '*.lock')" ] || fail "the second call makes something again"
! grep -q synthesizing err || fail "the second call: $(cat err)"
cmp -s out first || fail "the second call gives another result"
report=$(ls "$UTURN_CACHE"/*/cost.json)
netlist=$(ls "$UTURN_CACHE"/*/ut_switch.v)
grep -q '^module ut_switch(' "$netlist" && grep -q 'wire .*u_vc\.pending_credits_q' "$netlist" || fail "the netlist has no registers"
head -c 500 "$report" >half
cp half "$report"
expect 0 cost small.yaml --json
sed '/synthesis_s/d' out >second
sed '/synthesis_s/d' first | cmp -s - second || fail "a half-written report was used, or mended to another one"

# a buffer of one place keeps its name: 4 of 67 bits, and the output registers
sed 's/depth_flits: 2, packet_flits: 2/depth_flits: 1, packet_flits: 1/' small.yaml >one_place.yaml
expect 0 cost one_place.yaml
has 'buffers 536, control'
has '16 of them real'

# ---- text, comparison, charts, memories
expect 0 cost small.yaml
has 'NAND2 equivalents'
has '^  vc_allocator'
has '2-ary 3-tree: 12 switches, 48 unidirectional links'
has 'ft_ruft_212'
expect 0 cost small.yaml --vary algorithm=fta,reroute_adaptive_link --compare --chart chart.png
[ "$(head -c 4 chart.png | tail -c 3)" = PNG ] || fail "chart.png is no PNG"
mv out two
expect 0 cost small.yaml --vary algorithm=fta,reroute_adaptive_link --compare --workers 1
cmp -s out two || fail "another number of processes gives another result"
has '^reroute_adaptive_link .*reroute_vector +'
# the vector's blocks: what has not changed costs the same
! grep -q '^reroute_adaptive_link .*\(vc_allocator\|crossbar\|output_unit\) ' out || fail "a block that did not change costs more: $(cat out)"
expect 0 cost small.yaml --vary algorithm=fta,reroute_adaptive_link --compare --json --chart chart.svg
grep -q '</svg>' chart.svg || fail "chart.svg is no SVG"
[ "$(head -c 1 out)" = '[' ] && [ "$(grep -c '^    "difference"' out)" = 2 ] || fail "the comparison is no list of two"
grep -q '"reroute_vector": [1-9]' out || fail "the re-route vector costs nothing"
[ "$(grep '^      "reroute"' out | tr -dc '0-9\n' | tail -n 1)" -gt 20 ] || fail "no re-route state"
expect 0 cost small.yaml --memory --json
is memory_bits $((4 * 2 * 67))
is longest_path_ns null
[ "$(grep -m 1 '"buffers"' out | tr -dc 0-9)" = 268 ] || fail "--memory: output registers: $(grep -m 1 '"buffers"' out)"
if ls -d "$UTURN_CACHE"/*.tmp >/dev/null 2>&1; then fail "a temporary folder is left"; fi
echo "cost: as expected"
