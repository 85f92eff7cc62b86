#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Bad input: exit status 2, one clear message on standard error, nothing on standard output, nothing half-written.
set -eu
work=$(mktemp -d)
mounted=
trap '[ -z "$mounted" ] || umount "$work/disk"; rm -rf "$work"' EXIT
cd "$work"
failures=0
checked=0
fail() { echo "bad_input: $*" >&2; failures=$((failures + 1)); }

cat >good.yaml <<'YAML'
topology: {kind: fat_tree, k: 2, n: 2}
routing: {algorithm: reroute_adaptive_link}
traffic: {load_flits_per_cycle: 0.1}
faults:
  - {at: 10, link: {level: 1, switch: 1, port: 1}}
run: {warmup_cycles: 0, measure_cycles: 100}
YAML
"$UTURN_BIN" run good.yaml >/dev/null || { echo "bad_input: the good scenario fails" >&2; exit 1; }

# reject NAME "KEY WORD|..." COMMAND...: every key word (separated by |) is in the message.
reject() {
  local name=$1 words=$2 status=0 word
  shift 2
  "$@" >out 2>err </dev/null || status=$?
  checked=$((checked + 1))
  [ $status = 2 ] || fail "$name: exit status $status, expected 2"
  [ ! -s out ] || fail "$name: writes to standard output: $(head -c 200 out)"
  [ "$(grep -c . err)" -ge 1 ] && [ "$(grep -c . err)" -le 6 ] || fail "$name: $(wc -l <err) lines on standard error"
  [ "$(grep -c '^uturn[^:]*: ' err)" -le 2 ] || fail "$name: more than one message"
  while read -r -d '|' word; do
    grep -qiF -- "$word" err || fail "$name: the message lacks '$word': $(cat err)"
  done <<<"$words|"
  if grep -q 'Sanitizer\|Assertion\|Segmentation' err; then fail "$name: $(cat err)"; fi
}
# edited NAME WORDS SED: the good scenario with one change
edited() {
  sed "$3" good.yaml >"bad.yaml"
  ! cmp -s good.yaml bad.yaml || fail "$1: the script changes nothing"
  reject "$1" "bad.yaml|$2" "$UTURN_BIN" run bad.yaml --json
  reject "$1 (cosim)" "bad.yaml|$2" "$UTURN_BIN" cosim bad.yaml --json
}

# planners of tables
printf 'Switch 2 "s0"\n[1] "h0"[1]\n[2] "h1"[1]\nCa 1 "h0"\nCa 1 "h1"\n' >two.net
printf 's0,h0,1\ns0,h1,2\n' >two.csv
planner() { # NAME WORDS KEYS
  printf 'topology: {kind: graph, file: two.net}\nrouting: {algorithm: table, %s}\ntraffic: {load_flits_per_cycle: 0.1}\n' "$3" >bad.yaml
  reject "$1" "$2" "$UTURN_BIN" run bad.yaml
}
planner "no tables" "bad.yaml:2|missing key 'tables_file'" "planner: file"
planner "tables without their planner" "bad.yaml:2|has no meaning|planner: file" "tables_file: two.csv"
planner "tables that are not there" "nowhere.csv|cannot open" "planner: file, tables_file: nowhere.csv"
planner "tables of another network" "good.yaml:1:1|has no switch" "planner: file, tables_file: good.yaml"
planner "dmodk without levels" "bad.yaml:2|dmodk" "planner: dmodk"
sed 's/table, .*}/table, planner: file, tables_file: two.csv}/' bad.yaml >tables.yaml
"$UTURN_BIN" run tables.yaml --cycles 100 >/dev/null || fail "tables from a CSV are refused"
rm two.net two.csv tables.yaml

# command line
status=0; "$UTURN_BIN" >out 2>err || status=$?
[ "$status" = 2 ] && [ ! -s out ] && grep -q "^Usage: " err || fail "no command: exit status $status"
reject "unknown command" "unknown command|cosmi|did you mean 'cosim'" "$UTURN_BIN" cosmi good.yaml
for command in cosim coverage faults upsets run new schema wave trace net route prove tolerance cost report bench test man completion; do
  reject "unknown option of $command" "--frobnicate" "$UTURN_BIN" $command --frobnicate
done
reject "misspelt option" "unknown option|did you mean '--wave-window'" "$UTURN_BIN" cosim good.yaml --wave-windwo=3:4
reject "option for a value" "--seed|--cycles" "$UTURN_BIN" run good.yaml --seed --cycles
reject "no scenario" "which scenario" "$UTURN_BIN" run
reject "two scenarios" "one scenario at a time" "$UTURN_BIN" run good.yaml good.yaml
reject "--cycles x" "--cycles|ten" "$UTURN_BIN" run good.yaml --cycles ten
reject "--cycles 0" "--cycles" "$UTURN_BIN" run good.yaml --cycles 0
reject "--cycles -5" "--cycles" "$UTURN_BIN" run good.yaml --cycles=-5
reject "--seed 1x" "--seed|1x" "$UTURN_BIN" run good.yaml --seed 1x
reject "--load 3.0" "good.yaml|load_flits_per_cycle|is 3|0..1|1 injection link" "$UTURN_BIN" run good.yaml --load 3.0
reject "--load 1e-400" "--load|1e-400" "$UTURN_BIN" run good.yaml --load 1e-400
reject "--load nan" "--load|nan" "$UTURN_BIN" run good.yaml --load nan
for command in run cosim; do
  reject "--threads 0 of $command" "--threads" "$UTURN_BIN" $command good.yaml --threads 0
  reject "--threads two of $command" "--threads|two" "$UTURN_BIN" $command good.yaml --threads two
  reject "--threads 1000 of $command" "--threads 1000|256" "$UTURN_BIN" $command good.yaml --threads 1000
done
reject "--dut" "--dut|vhdl" "$UTURN_BIN" cosim good.yaml --dut vhdl
reject "--rt beyond its field" "--rt 16777216|16777215 at most" "$UTURN_BIN" route good.yaml --switch 0.0 --from inj --dst 1 --rt 16777216
reject "hunt without a budget" "--minutes|above 0" "$UTURN_BIN" hunt --minutes 0
reject "RTL of a hunt" "nowhere|check its name" "$UTURN_BIN" hunt --rtl nowhere --minutes 1
reject "no name to read" "scenario file is empty|give one" "$UTURN_BIN" run ""
reject "no name to write" "empty name|give it one" "$UTURN_BIN" new torus ""
reject "results in a file" "--results good.yaml|no folder|name another" "$UTURN_BIN" reproduce all --results good.yaml
reject "results that are nowhere" "--results nowhere|there is no such folder" "$UTURN_BIN" reproduce all --results nowhere --read
reject "--inject" "--inject|nonsense" "$UTURN_BIN" cosim good.yaml --inject nonsense

# prove and tolerance
reject "prove without a scenario" "which scenario" "$UTURN_BIN" prove
for command in prove tolerance; do
  reject "$command --faults x" "--faults|two" "$UTURN_BIN" $command good.yaml --faults two
  reject "$command --faults 3..1" "--faults|3..1" "$UTURN_BIN" $command good.yaml --faults 3..1
  reject "$command --faults -1" "--faults|-1" "$UTURN_BIN" $command good.yaml --faults=-1
  reject "$command --faults 5" "5 link faults|4 links" "$UTURN_BIN" $command good.yaml --faults 5 --json
  reject "$command --samples 0" "--samples" "$UTURN_BIN" $command good.yaml --samples 0
  reject "$command --samples and --exhaustive" "not both" "$UTURN_BIN" $command good.yaml --samples 5 --exhaustive
  reject "$command on a missing file" "nowhere.yaml|No such file" "$UTURN_BIN" $command nowhere.yaml
done
reject "tolerance --switch-faults without --links" "--switch-faults|--links" "$UTURN_BIN" tolerance good.yaml --switch-faults 1
reject "tolerance --switch-levels by itself" "--switch-levels|--switch-faults" "$UTURN_BIN" tolerance good.yaml --links network --switch-levels 1
sed 's/algorithm: .*}/algorithm: fta}/' good.yaml >fta.yaml
for option in "--switch-faults 5:5 switch faults|4 switches" "--switch-faults 1 --switch-levels 0..2:--switch-levels|fta.yaml|0..1" \
  "--switch-faults 3 --switch-levels 1:3 switch faults|2 switches"; do
  # shellcheck disable=SC2086 # several words
  reject "tolerance ${option%%:*}" "${option#*:}" "$UTURN_BIN" tolerance fta.yaml --links network ${option%%:*}
done
rm fta.yaml
reject "prove --switch-faults 3" "3 switch faults|2 switches" "$UTURN_BIN" prove good.yaml --switch-faults 3
reject "prove --show" "--show|banana" "$UTURN_BIN" prove good.yaml --show banana
reject "prove --total" "no fault set" "$UTURN_BIN" prove good.yaml --faults 1 --total 3
sed 's/k: 2, n: 2/k: 32, n: 3/; /faults/d; /at: 10/d' good.yaml >big.yaml
reject "prove on 32768 terminals" "big.yaml|32768 terminals" "$UTURN_BIN" prove big.yaml --faults 1
sed 's/level: 1, switch: 1/level: 0, switch: 1/' good.yaml >big.yaml
reject "prove with a faulty terminal's link" "big.yaml|terminal 3" "$UTURN_BIN" prove big.yaml
rm big.yaml
printf 'topology: {kind: mesh, k: 4, n: 2}\nswitch: {local_first: true}\nrouting: {algorithm: dor}\ntraffic: {load_flits_per_cycle: 0.1}\n' >first.yaml
reject "prove with terminals first" "first.yaml|local_first|starve" "$UTURN_BIN" prove first.yaml
rm first.yaml

# scenarios
edited "unknown key" "1:|unknown key|knee" 's/k: 2/knee: 2/'
edited "unknown section" "unknown|trafic|traffic" 's/^traffic/trafic/'
edited "nearest key" "load_flit_per_cycle|did you mean|load_flits_per_cycle" 's/load_flits_per/load_flit_per/'
edited "word for a number" "1:|k|whole number|four" 's/k: 2/k: four/'
edited "list for a mapping" "traffic" 's/^traffic.*/traffic: [1, 2]/'
edited "k = 1" "1:|topology.k|1|2..32" 's/k: 2/k: 1/'
edited "k = -1" "topology.k|-1" 's/k: 2/k: -1/'
edited "n = 0" "topology.n" 's/n: 2/n: 0/'
edited "too large" "1:|k^n|65536" 's/k: 2, n: 2/k: 16, n: 9/'
edited "load 3.0" "3:|load_flits_per_cycle|is 3|0..1|1 injection link" 's/0\.1/3.0/'
edited "load just above 1" "3:|load_flits_per_cycle' is 1.0000001, must" 's/0\.1/1.0000001/'
edited "missing section" "missing|routing" '/^routing/d'
edited "missing key" "missing|algorithm" 's/algorithm: reroute_adaptive_link//'
edited "duplicate key" "duplicate|k" 's/k: 2/k: 2, k: 3/'
edited "unknown algorithm" "2:|reroute_adaptive_lonk|did you mean|reroute_adaptive_link" 's/adaptive_link/adaptive_lonk/'
edited "tables without tables" "2:|tables|reroute_adaptive_link" 's/adaptive_link/&, tables: static/'
edited "manager of static tables" "2:|manager_switch_cycles|reconfigured" 's/reroute_adaptive_link/table, tables: static, manager_switch_cycles: 9/'
edited "groups of no table" "2:|next_hop_groups|forwarding" 's/^routing/switch: {next_hop_groups: 8}\n&/'
edited "a fault that repeats how often?" "5:|every|times" 's/at: 10/at: 10, every: 50/'
edited "a limit of no resends" "3:|resend_limit|resend_after_cycles" 's/0\.1/0.1, resend_limit: 3/'
edited "unknown pattern" "unifrom|uniform" 's/0\.1/0.1, pattern: unifrom/'
edited "pattern without power of two" "complement|power" 's/k: 2/k: 3/; s/0\.1/0.1, pattern: complement/'
edited "buffer below a packet" "depth_flits|packet_flits" 's/^routing/switch: {depth_flits: 2, packet_flits: 3}\n&/'
edited "fault on a switch that does not exist" "5:|switch|1.9|does not exist" 's/switch: 1/switch: 9/'
edited "fault on a level that does not exist" "5:|level 7|does not exist" 's/level: 1/level: 7/'
edited "fault on a port that does not exist" "5:|port 9|does not exist" 's/port: 1/port: 9/'
edited "fault on an up port of a root" "5:|root|no link" 's/port: 1/port: 3/'
edited "fault that ends before it starts" "5:|ends|start" 's/at: 10/at: 10, until: 10/'
edited "fault of nothing" "5:|what fails" 's/, link.*}}/}/'
edited "missing trace" "nowhere.txt|No such file" 's/load_flits_per_cycle: 0.1/pattern: trace, trace_file: nowhere.txt/'
edited "tab" ":" 's/^  - /\t- /'

# tori and meshes
torus() { # NAME PLACE TOPOLOGY SWITCH ROUTING: of a scenario without faults
  printf 'topology: {%s}\nswitch: {%s}\nrouting: {%s}\ntraffic: {load_flits_per_cycle: 0.1}\n' "$3" "$4" "$5" >bad.yaml
  reject "$1" "$2" "$UTURN_BIN" run bad.yaml
}
torus "torus of k = 1" "1:|topology.k|1|2..256" "kind: torus, k: 1, n: 2" "vcs: 1" "algorithm: dor"
torus "torus of five dimensions" "1:|topology.n|5|1..4" "kind: torus, k: 2, n: 5" "vcs: 1" "algorithm: dor"
torus "a size of 300" "1:|topology.sizes|300|2..256" "kind: mesh, sizes: [4, 300]" "vcs: 1" "algorithm: dor"
torus "sizes and k" "1:|sizes|leave 'k' away" "kind: mesh, k: 4, sizes: [4, 4]" "vcs: 1" "algorithm: dor"
torus "neither sizes nor k" "1:|missing key 'k'|sizes: [" "kind: mesh, n: 4" "vcs: 1" "algorithm: dor"
torus "sizes of a fat tree" "1:|topology.sizes|torus, mesh and hyperx only" "kind: fat_tree, k: 4, n: 2, sizes: [4, 4]" "vcs: 1" "algorithm: fta"
torus "too many nodes" "1:|terminals|65536" "kind: torus, k: 17, n: 4" "vcs: 1" "algorithm: dor"
torus "too many ports" "1:|65 ports|64" "kind: torus, k: 4, n: 2, local_ports: 61" "vcs: 1" "algorithm: dor"
torus "too many links of a terminal" "1:|terminal_links|9|1..8" "kind: mesh, k: 4, n: 2, terminal_links: 9" "vcs: 1" "algorithm: dor"
torus "ports of too many links" "1:|68 ports|64|each of its links" "kind: mesh, k: 4, n: 2, local_ports: 8, terminal_links: 8" "vcs: 1" "algorithm: dor"
torus "terminals first in a fat tree" "2:|local_first|torus, mesh and hypercube only" "kind: fat_tree, k: 4, n: 2" "local_first: true" "algorithm: fta"
torus "two virtual networks in a fat tree" "2:|vin1_vcs|torus, mesh and hypercube only" "kind: fat_tree, k: 4, n: 2" "vcs: 4, vin1_vcs: 2" "algorithm: fta"
torus "VIN1 of an algorithm without" "2:|vin1_vcs|ecube has none" "kind: mesh, k: 4, n: 2" "vcs: 4, vin1_vcs: 2" "algorithm: ecube"
torus "misrouted hops in a fat tree" "2:|misroute_hops|torus, mesh and hypercube only" "kind: fat_tree, k: 4, n: 2" "vcs: 1, misroute_hops: 1" "algorithm: fta"
torus "misrouted hops in a torus" "2:|misroute_hops|algorithm detour cannot" "kind: torus, k: 5, n: 2" "vcs: 4, misroute_hops: 1" "algorithm: detour"
torus "too many misrouted hops" "2:|misroute_hops|4|0..3" "kind: mesh, k: 4, n: 2" "vcs: 2, misroute_hops: 4" "algorithm: detour"
torus "no VC left for VIN2" "2:|vin1_vcs|needs 5|raise 'switch.vcs'" "kind: mesh, k: 4, n: 2" "vcs: 4, vin1_vcs: 4" "algorithm: detour"
torus "half a class for VIN2" "2:|vin1_vcs|needs 8|raise 'switch.vcs'" "kind: torus, k: 5, n: 2" "vcs: 7, vin1_vcs: 3" "algorithm: detour"
torus "exclusion intervals of another algorithm" "3:|exclusion_intervals|algorithm fta" "kind: fat_tree, k: 4, n: 2" "vcs: 1" "algorithm: destro, exclusion_intervals: 2"
torus "too many exclusion intervals" "3:|exclusion_intervals|17|0..16" "kind: fat_tree, k: 4, n: 2" "vcs: 1" "algorithm: fta, exclusion_intervals: 17"
torus "tables of an algorithm without intervals" "3:|routing.tables|fta has none" "kind: fat_tree, k: 4, n: 2" "vcs: 1" "algorithm: fta, tables: static"
torus "static reconfiguration of nothing" "3:|reconfiguration|has none|routing.mechanisms" "kind: mesh, k: 4, n: 2" "vcs: 2" "algorithm: duato, reconfiguration: static"
torus "a drain without static reconfiguration" "3:|drain_timeout_cycles|reconfiguration: static" "kind: mesh, k: 4, n: 2" "vcs: 2" "algorithm: dor, mechanisms: {intermediate: 1}, drain_timeout_cycles: 5"
torus "an update without tables" "3:|update|forwarding tables|leave it away" "kind: mesh, k: 4, n: 2" "vcs: 2" "algorithm: dor, update: two_phase"
torus "a distribution without its mean" "2:|missing key 'mean'|mean: 20" "kind: mesh, k: 4, n: 2" "packet_flits: {distribution: exponential}" "algorithm: dor"
torus "an unknown distribution" "2:|unifrom|did you mean 'uniform'" "kind: mesh, k: 4, n: 2" "packet_flits: {distribution: unifrom, min: 1, max: 2}" "algorithm: dor"
torus "lengths the wrong way round" "2:|min is 4|max 3" "kind: mesh, k: 4, n: 2" "packet_flits: {distribution: uniform, min: 4, max: 3}" "algorithm: dor"
torus "a mean that does not fit" "2:|mean' is 20|max 4|wormhole" "kind: mesh, k: 4, n: 2" "packet_flits: {distribution: exponential, mean: 20}" "algorithm: dor"
torus "a fat tree's algorithm" "3:|fta|fattree|torus" "kind: torus, k: 4, n: 2" "vcs: 1" "algorithm: fta"
torus "duato with one VC" "2:|duato|2|vcs" "kind: torus, k: 4, n: 2" "vcs: 1" "algorithm: duato"
torus "no VC for a sub-path" "2:|intermediate|4|vcs" "kind: mesh, k: 4, n: 2" "vcs: 3" "algorithm: duato, mechanisms: {intermediate: 2}"
torus "no room for a bubble" "2:|bubble|two packets|depth_flits" "kind: torus, k: 4, n: 2" "vcs: 2, depth_flits: 7, packet_flits: 4" "algorithm: duato"
torus "no room for the header words" "2:|bubble|5 flits|depth_flits" "kind: torus, k: 4, n: 2" "vcs: 3, depth_flits: 9, packet_flits: 4" "algorithm: duato, mechanisms: {intermediate: 1}"
torus "bubbles and worms" "2:|bubble|cut-through" "kind: torus, k: 4, n: 2" "vcs: 2, switching: wormhole" "algorithm: duato"
torus "four intermediate nodes" "3:|intermediate|4|0..3" "kind: mesh, k: 4, n: 2" "vcs: 6" "algorithm: duato, mechanisms: {intermediate: 4}"
torus "unknown mechanism" "3:|misrout" "kind: mesh, k: 4, n: 2" "vcs: 6" "algorithm: duato, mechanisms: {misrouting: true}"
torus "a combination nobody planned for" "3:|misrouting|I2+D" "kind: mesh, k: 4, n: 2" "vcs: 6, depth_flits: 10" "algorithm: duato, mechanisms: {intermediate: 2, misroute: true}"
torus "bypass in a mesh" "3:|plane_bypass|torus" "kind: mesh, k: 4, n: 2" "vcs: 1" "algorithm: dor, plane_bypass: true"
torus "bypass with mechanisms" "3:|plane_bypass|mechanisms" "kind: torus, k: 4, n: 2" "vcs: 3, depth_flits: 6" "algorithm: duato, plane_bypass: true, mechanisms: {intermediate: 1}"
torus "packets of 2 and 4 flits in rings" "2:|2 and 4 flits|longer" "kind: torus, k: 4, n: 2" "vcs: 2, depth_flits: 8, packet_flits: 4, shortest_packet_flits: 2" "algorithm: duato"
torus "the shortest packet is longer" "2:|shortest_packet_flits|5" "kind: torus, k: 4, n: 2" "vcs: 2, depth_flits: 8, packet_flits: 4, shortest_packet_flits: 5" "algorithm: duato"
torus "mechanisms in a fat tree" "3:|mechanisms|fta" "kind: fat_tree, k: 4, n: 2" "vcs: 2" "algorithm: fta, mechanisms: {intermediate: 1}"
torus "a plan with misrouting for 4096 nodes" "bad.yaml|misrouting|2048" "kind: torus, k: 16, n: 3" "vcs: 3, depth_flits: 6" "algorithm: duato, mechanisms: {misroute: true}"

# RUFT and its relatives
ruft() { # NAME PLACE TOPOLOGY ROUTING LOAD [FAULT]
  {
    printf 'topology: {%s}\nrouting: {%s}\ntraffic: {load_flits_per_cycle: %s}\n' "$3" "$4" "$5"
    [ $# -lt 6 ] || printf 'faults:\n  - {at: 10, %s}\n' "$6"
  } >bad.yaml
  reject "$1" "bad.yaml|$2" "$UTURN_BIN" run bad.yaml --json
}
ft222="kind: ft_ruft_222, k: 2, n: 3" ft212="kind: ft_ruft_212, k: 2, n: 3" algorithm="algorithm: ruft"
ruft "FT-RUFT of k = 3" "1:|topology.k|3|power of two|2, 4, 8, 16 or 32" "kind: ft_ruft_212, k: 3, n: 3" "$algorithm" 0.1
ruft "RUFT of k = 64" "1:|topology.k|64|2..32" "kind: ruft, k: 64, n: 2" "$algorithm" 0.1
ruft "RUFT of n = 1" "1:|topology.n|1|at least 2|ruft_pl" "kind: ruft_pl, k: 4, n: 1" "$algorithm" 0.1
ruft "sizes of RUFT" "1:|topology.sizes|torus, mesh and hyperx" "kind: ruft, k: 4, n: 2, sizes: [4, 4]" "$algorithm" 0.1
ruft "a fat tree's algorithm in RUFT" "2:|fta|fattree|ft_ruft_222|ruft" "$ft222" "algorithm: fta" 0.1
ruft "parallel links of RUFT" "2:|parallel_links|side by side|ruft" "kind: ruft, k: 2, n: 3" "$algorithm, parallel_links: static" 0.1
ruft "parallel links of FT-RUFT-212" "2:|parallel_links|side by side|ft_ruft_212" "$ft212" "$algorithm, parallel_links: static" 0.1
ruft "parallel links of another kind" "2:|parallel_links|staticc|did you mean" "$ft222" "$algorithm, parallel_links: staticc" 0.1
ruft "tables of RUFT" "2:|routing.tables|ruft" "$ft222" "$algorithm, tables: static" 0.1
ruft "more than one link takes" "3:|load_flits_per_cycle|1.5|0..1|1 injection link" "kind: ruft, k: 2, n: 3" "$algorithm" 1.5
ruft "more than two links take" "3:|load_flits_per_cycle|2.5|0..2|2 injection links" "$ft222" "$algorithm" 2.5
ruft "direction of a link of RUFT" "5:|direction|two directions|ft_ruft_222" "$ft222" "$algorithm" 0.1 "direction: out, link: {level: 0, switch: 0, port: 0}"
ruft "direction of random links of RUFT" "5:|direction|two directions" "$ft222" "$algorithm" 0.1 "direction: in, random_links: 1"
ruft "output port of FT-RUFT-212's first level" "5:|port 2|does not exist|output ports 0..1" "$ft212" "$algorithm" 0.1 "link: {level: 0, switch: 0, port: 2}"
ruft "level of RUFT that does not exist" "5:|level 3|does not exist" "$ft212" "$algorithm" 0.1 "link: {level: 3, switch: 0, port: 0}"
ruft "switch of RUFT that does not exist" "5:|switch 1.4|does not exist" "$ft212" "$algorithm" 0.1 "switch: {level: 1, switch: 4}"
ruft "second injection link of RUFT" "5:|terminal 3|1 injection link|no 1" "kind: ruft, k: 2, n: 3" "$algorithm" 0.1 "injection: {terminal: 3, link: 1}"
ruft "injection link of nobody" "5:|terminal 8|does not exist|0..7" "$ft222" "$algorithm" 0.1 "injection: {terminal: 8}"
ruft "ejection link of nobody" "5:|terminal 9|does not exist|0..7" "$ft222" "$algorithm" 0.1 "ejection: {terminal: 9, link: 1}"
ruft "third ejection link" "5:|link|2|2 ejection links" "$ft222" "$algorithm" 0.1 "ejection: {terminal: 7, link: 2}"
ruft "more links of terminals than there are" "5:|33|links of terminals|32" "$ft222" "$algorithm" 0.1 "random_terminal_links: 33"
edited "injection link without a terminal" "5:|missing key|terminal" 's/link: .*}}/injection: {link: 0}}/'
head -c 150 good.yaml >bad.yaml
reject "truncated YAML" "bad.yaml:" "$UTURN_BIN" run bad.yaml
: >bad.yaml
reject "empty file" "bad.yaml" "$UTURN_BIN" run bad.yaml
head -c 4096 "$UTURN_BIN" >bad.yaml
reject "a program for a scenario" "bad.yaml" "$UTURN_BIN" run bad.yaml
reject "missing file" "nowhere.yaml|No such file" "$UTURN_BIN" run nowhere.yaml
reject "a slip in its name" "goood.yaml|did you mean 'good.yaml'?" "$UTURN_BIN" run goood.yaml
reject "a scenario of the repository" "demo.yaml|did you mean '$UTURN_ROOT/scenarios/demo.yaml'?" "$UTURN_BIN" net demo.yaml
mkdir -p scenarios/deep
cp good.yaml scenarios/
mv good.yaml kept
reject "one of scenarios/" "good|did you mean 'scenarios/good.yaml'?" "$UTURN_BIN" prove good
reject "a slip in the folder" "scenario/god.yaml|did you mean 'scenarios/good.yaml'?" "$UTURN_BIN" report a.html scenario/god.yaml
mv kept good.yaml
reject "a sweep" "gud.yaml|did you mean 'good.yaml'?" "$UTURN_BIN" sweep gud.yaml
reject "a sweep that is no scenario" "god" "$UTURN_BIN" sweep ./deep/god.yaml
! grep -q scenarios/ err || fail "a sweep among scenarios: $(cat err)"
rm -r scenarios
mkdir folder
reject "a folder" "folder|this is a folder" "$UTURN_BIN" run folder

# places that cannot be read or written
: >file
reject "cache is a file" "file|cache" env UTURN_CACHE="$work/file" "$UTURN_BIN" cosim good.yaml
reject "cache below a file" "file|cache" env UTURN_CACHE="$work/file/cache" "$UTURN_BIN" cosim good.yaml
reject "--rtl folder that does not exist" "nowhere" "$UTURN_BIN" cosim good.yaml --rtl "$work/nowhere"
reject "--rtl folder without ut_switch.v" "ut_switch.v" "$UTURN_BIN" cosim good.yaml --rtl "$work/folder"
reject "wave dump that does not exist" "nowhere.fst|cannot open the wave dump" "$UTURN_BIN" wave nowhere.fst

unwritable() {
  local status=0
  "$UTURN_BIN" cosim good.yaml --wave "$2" >out 2>err || status=$?
  checked=$((checked + 1))
  [ $status = 2 ] || fail "$1: exit status $status, expected 2"
  grep -q "$2.*cannot be written" err || fail "$1: $(cat err)"
  [ ! -e "$2" ] || [ -d "$2" ] || fail "$1: a dump is left"
}
unwritable "--wave below a folder that does not exist" "$work/nowhere/dump.fst"
mkdir folder.fst
unwritable "--wave onto a folder" "$work/folder.fst"
mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o ro tmpfs disk 2>/dev/null; then
  mounted=yes
  unwritable "--wave on a read-only disk" "$work/disk/dump.fst"
  reject "cache on a read-only disk" "disk|cache" env UTURN_CACHE="$work/disk/cache" "$UTURN_BIN" cosim good.yaml
else
  echo "skipped: a read-only disk (needs the right to mount)"
fi

# nothing half-written
for left in * .[!.]*; do
  case $left in
  good.yaml | bad.yaml | out | err | file | folder | folder.fst | disk | '.[!.]*') ;;
  *) fail "left behind: $left" ;;
  esac
done
[ ! -s file ] || fail "the file in the cache's place was written to"
[ -z "$(ls -A folder)" ] || fail "left behind in folder: $(ls -A folder)"
echo "$checked rejections, $failures wrong"
[ $failures = 0 ]
