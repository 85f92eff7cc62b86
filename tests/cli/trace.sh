#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# trace and net: text, JSON contract, drawings, exit statuses, nothing half-written.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
mounted=
trap '[ -z "$mounted" ] || umount "$work/disk"; rm -rf "$work"' EXIT
# scenario K N LINK_CYCLES VCS ALGORITHM LOAD FAULTS
scenario() {
  printf 'topology: {kind: fat_tree, k: %s, n: %s, link_cycles: %s}\nswitch: {vcs: %s}\nrouting: {algorithm: %s}\n' \
    "$1" "$2" "$3" "$4" "$5"
  printf 'traffic: {load_flits_per_cycle: %s}\nfaults: [%s]\nrun: {warmup_cycles: 100, measure_cycles: 900}\n' "$6" "$7"
}
# json KEY: its value in out, an object's member of the outermost level
json() { sed -n "s/^  \"$1\": \(.*[^,]\),\{0,1\}$/\1/p" out; }
is() { [ "$(json "$1")" = "$2" ] || fail "$1 is $(json "$1"), expected $2"; }
has() { grep -q -- "$1" out || fail "no '$1' in: $(cat out)"; }
# picture FILE WORDS...: a well-formed SVG with these words
picture() {
  local file=$1 word
  shift
  [ -s "$file" ] || fail "no $file"
  if command -v xmllint >/dev/null; then xmllint --noout --nonet "$file" || fail "$file is not well-formed"; fi
  grep -q '</svg>' "$file" || fail "$file is cut off"
  for word in "$@"; do grep -q -- "$word" "$file" || fail "no '$word' in $file"; done
}
trace() { expect 0 "$UTURN_BIN" trace "$@"; }

down='{at: 0, link: {level: 0, switch: 0, port: 2}}'
scenario 2 3 1 1 reroute_adaptive_link 0.1 "$down" >turn.yaml
scenario 2 3 1 1 fta 0.1 "$down" >fta.yaml
scenario 2 3 1 1 fta 0.1 '' >whole.yaml

# the first U-turn: above and again upwards, with its bit; the same by its name
trace turn.yaml --svg turn.svg
cp out first
has 'the first one that makes a U-turn'; has 'link 0.0-1.0 from cycle 0 on'
has '<0,01> .*U-turn .*00->10'; has 'delivered .*1 U-turn,'
[ "$(grep -c '^ \{4,5\}[0-9]' out)" -ge 5 ] || fail "fewer than 5 hops: $(cat out)"
picture turn.svg × stroke-dasharray 'vector 10' 'turn switch' '#ffe0ad' '>1</text>' '>5</text>' source destination
packet=$(sed -n 's/^  packet *\([0-9]*:[0-9]*\),.*/\1/p' first)
trace turn.yaml --packet "$packet"
diff <(sed 's/;.*//' first) <(sed 's/;.*//' out) >/dev/null || fail "the same packet by its name: $(diff first out)"
trace turn.yaml --packet "$packet" --json
is chosen '"given"'; is result '"delivered"'; is u_turns 1; is deadlock false
is source "${packet%:*}"; is tag "${packet#*:}"; is sequence "${packet#*:}"
for key in scenario seed destination flits generated_cycle injected_cycle faults hops end_cycle latency_cycles links waited_cycles; do
  grep -q "^  \"$key\": " out || fail "--json lacks $key"
done
for key in switch tuple in_port in_vc from_above arrived_cycle behind_cycles vector_before vector rt rt_after out_port out_vc \
  direction u_turn left_cycle waited_cycles to_switch to_terminal; do
  grep -q "^      \"$key\": " out || fail "a hop lacks $key"
done
[ "$(grep -c '"u_turn": true' out)" = 1 ] || fail "not one U-turn in the hops"
# the hops fit together
awk -F'[:,] *' '
  /^      "switch"/ { if (to != "" && to != $2) bad = 1; hops++ }
  /^      "to_switch"/ { to = $2 }
  /^      "arrived_cycle"/ { if (left != "" && left != $2) bad = 1; arrived = $2 }
  /^      "left_cycle"/ { left = $2 }
  /^      "waited_cycles"/ { if (left - arrived != 3 + $2) bad = 1; sum += $2 }
  /^  "links"/ { links = $2 }
  /^  "waited_cycles"/ { total = $2 }
  END { exit bad || hops != links + 1 || sum != total }' out || fail "the hops do not fit together: $(cat out)"

# of several heads that a switch sends upwards in one cycle, the one that turned
scenario 4 2 1 2 misroute_header 0.9 '{at: 150, link: {level: 0, switch: 0, port: 4}}' >busy.yaml
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
  trace busy.yaml --seed $seed --json
  [ "$(json u_turns)" -ge 1 ] || fail "seed $seed: the packet makes no U-turn"
done

# nothing turns
trace whole.yaml --json
is chosen '"first_injected"'; is u_turns 0; is result '"delivered"'
trace whole.yaml
has 'faults *none'
# without a detour: the 257th packet of a source has tag 0 again; some packet is discarded
trace whole.yaml --packet 3:0:2 --load 1 --json
is sequence 256; is tag 0
found=
for source in 2 3 4 5 6 7; do
  for tag in 0 1 2 3 4 5 6 7; do
    trace fta.yaml --packet $source:$tag --json --svg fta.svg
    [ "$(json result)" = '"discarded"' ] || continue
    is reason '"unreachable"'; is latency_cycles null; is place '"switch 1.0"'
    picture fta.svg discarded stroke-dasharray
    found=yes
    break 2
  done
done
[ "$found" ] || fail "fta discards nothing at its missing link"
trace fta.yaml --packet $source:$tag
has 'discarded .*unreachable, switch 1.0'
# not over when the run is
trace whole.yaml --packet 0:0 --load 1 --cycles 8 --json --svg short.svg
is result '"in_flight"'; is end_cycle null

# every algorithm, with several VCs, one switch, long wires
for algorithm in fta destro reroute_adaptive_link reroute_adaptive_switch reroute_det_link reroute_det_switch misroute_header; do
  for shape in "3 3 1" "4 1 1" "2 3 8"; do
    # shellcheck disable=SC2086
    scenario $shape 3 $algorithm 0.3 '' >any.yaml
    [ "$shape" = "4 1 1" ] || sed -i 's/faults: \[\]/faults: [{at: 0, link: {level: 0, switch: 0, port: 3}}]/' any.yaml
    trace any.yaml --svg any.svg --json
    case $algorithm,$shape in
    fta,* | destro,* | *,"4 1 1") is u_turns 0 ;;
    *) [ "$(json u_turns)" -ge 1 ] || fail "$algorithm on $shape: no U-turn" ;;
    esac
    picture any.svg 'VC 2'
  done
done
# 1024 terminals are drawn too; 65536 are too many, and that is said before the run
scenario 2 10 1 1 fta 0.1 '' >large.yaml
expect 0 "$UTURN_BIN" net large.yaml --svg large.svg
picture large.svg '>1023</text>'
scenario 16 4 1 1 fta 0.1 '' >huge.yaml
for command in trace net; do
  expect 2 "$UTURN_BIN" $command huge.yaml --svg huge.svg
  grep -q '65536 terminals.*too large' err || fail "$command: $(cat err)"
done

# tori and meshes
# direct NAME TOPOLOGY VCS DEPTH ROUTING FAULTS
direct() {
  printf 'topology: {%s}\nswitch: {vcs: %s, depth_flits: %s, packet_flits: 4, route_cycles: 1}\nrouting: {%s}\n' \
    "$2" "$3" "$4" "$5" >"$1"
  printf 'traffic: {load_flits_per_cycle: 0.1}\nfaults: [%s]\nrun: {warmup_cycles: 100, measure_cycles: 900}\n' "$6" >>"$1"
}
cp "$UTURN_ROOT/scenarios/trace_torus.yaml" .
trace trace_torus.yaml --svg torus.svg
cp out first
has 'the first one whose route was planned around faults'; has '4 flits and 1 more header word;'
has 'link 0.0-0.20, -y of (0,0) from cycle 0 on'; has '^ *2 .* 0.10 (0,2) .* -x .* 0->1 .*no->yes'
has '^ *header stripped, next stop terminal 3$'; has ' local 0 *port *4 .*to terminal 3 '
has '5 hops between switches (shortest way 3), 1 intermediate node, waited 0 cycles'
grep -q 'U-turn\|vector\|port field' out && fail "a torus has U-turns: $(cat out)"
picture torus.svg × stroke-dasharray 'intermediate node' '#ffe0ad' '>1 VC0</text>' '>6 VC0</text>' '(4,2)' source destination
[ "$(grep -c '>2 VC0</text>' torus.svg)" = 2 ] || fail "a hop around the torus does not stand at both ends"
[ "$(grep -c '>×</text>' torus.svg)" = 7 ] || fail "not one cross on the link in x, two on each of the three around the torus"
trace trace_torus.yaml --packet 5:0 --json
is chosen '"given"'; is result '"delivered"'; is header_words 2; is intermediate_nodes 1; is shortest_way_links 3; is links 5
for key in switch tuple in_port in_vc arrived_cycle behind_cycles rt rt_after out_port out_vc direction left_cycle waited_cycles \
  to_switch to_terminal sub_path sub_path_before deterministic misroutes misroutes_before headers_stripped strip_cycles next_stop; do
  grep -q "^      \"$key\": " out || fail "a hop lacks $key"
done
grep -q '"from_above"\|u_turn' out && fail "a torus has U-turns in --json"
[ "$(grep -c '"headers_stripped": 1' out)" = 1 ] || fail "not one header word is stripped"
awk -F'[:,] *' '
  /^      "switch"/ { if (to != "" && to != $2) bad = 1; hops++ }
  /^      "to_switch"/ { to = $2 }
  /^      "strip_cycles"/ { strip = $2; strips += $2 }
  /^      "arrived_cycle"/ { if (left != "" && left != $2) bad = 1; arrived = $2 }
  /^      "left_cycle"/ { left = $2 }
  /^      "waited_cycles"/ { if (left - arrived != 3 + strip + $2) bad = 1 }
  END { exit bad || hops != 6 || strips != 2 }' out || fail "the hops do not fit together: $(cat out)"
# mechanism M alone; no mechanism; no route
sides='{at: 0, link: {level: 0, switch: 0, port: 0}}, {at: 0, link: {level: 0, switch: 0, port: 2}}'
direct misroute.yaml 'kind: torus, k: 4, n: 2' 3 10 'algorithm: duato, mechanisms: {misroute: true}' "$sides"
trace misroute.yaml
has 'planned around faults'; has '[+-][xy]\*1->-$'; has '4 flits; generated'
trace misroute.yaml --json
is chosen '"first_planned"'; is header_words 1; is intermediate_nodes 0
direct corner.yaml 'kind: mesh, k: 4, n: 2' 3 10 'algorithm: duato, mechanisms: {intermediate: 1}' "$sides"
trace corner.yaml --packet 0:0 --json --svg corner.svg
is result '"discarded"'; is reason '"unreachable"'; is place '"terminal 0"'; is header_words 0; is injected_cycle null
picture corner.svg 'unreachable, terminal 0'
trace corner.yaml --packet 0:0
has 'not sent .*there is no route'
direct nothing.yaml 'kind: mesh, k: 4, n: 2' 3 10 'algorithm: duato, mechanisms: {intermediate: 1}' ''
trace nothing.yaml
has 'the first one injected, none has a route that was planned'
# planes switched off: the network that is left
direct bypass.yaml 'kind: torus, k: 4, n: 2' 2 8 'algorithm: duato, plane_bypass: true' '{at: 0, link: {level: 0, switch: 5, port: 0}}'
for command in trace net; do
  expect 0 "$UTURN_BIN" $command bypass.yaml
  has '3x4 torus, 12 switches'; has 'bypass .*1 plane switched off, 4 nodes: x=1'
  expect 0 "$UTURN_BIN" $command bypass.yaml --json
  has '"nodes_off": 4'
done
# every number of dimensions; a row of 20 nodes is folded
shapes=0
while read -r nodes titles topology; do
  direct any.yaml "$topology" 2 8 'algorithm: duato' '{at: 0, link: {level: 0, switch: 1, port: 0}}'
  trace any.yaml --svg any.svg
  has 'the first one injected$'; has 'delivered'
  expect 0 "$UTURN_BIN" net any.yaml --svg any_net.svg
  # shellcheck disable=SC2086
  for file in any.svg any_net.svg; do
    picture $file ">0.$((nodes - 1))</text>" stroke-dasharray
    [ "$(grep -c '>[zt] = [0-9]' $file)" = "$titles" ] || fail "$topology: not $titles planes in $file"
  done
  shapes=$((shapes + 1))
done <<'END'
20 0 kind: torus, k: 20, n: 1, local_ports: 3
12 0 kind: mesh, sizes: [4, 3], local_ports: 9
18 2 kind: torus, sizes: [3, 3, 2]
48 4 kind: torus, sizes: [4, 3, 2, 2]
36 6 kind: mesh, sizes: [3, 2, 2, 3]
END
[ $shapes = 5 ] || fail "$shapes shapes"
direct large.yaml 'kind: torus, k: 16, n: 3' 2 8 'algorithm: duato' ''
expect 0 "$UTURN_BIN" net large.yaml --svg large_torus.svg
picture large_torus.svg '>z = 15</text>' '(15,15,15)'
direct huge_torus.yaml 'kind: torus, k: 65, n: 2' 2 8 'algorithm: duato' ''
for command in trace net; do
  expect 2 "$UTURN_BIN" $command huge_torus.yaml --svg huge.svg
  grep -q '4225 terminals.*too large' err || fail "$command: $(cat err)"
done
# net of a torus: directions instead of levels
expect 0 "$UTURN_BIN" net trace_torus.yaml --loads --load 0.5 --svg loads.svg
has '25 switches of 5 ports, 50 links'; has '^  +x  *25  *3 *0\.[0-9]* *0\.[0-9]*$'; has '^  -y  *25  *1 '; has '^  local  *25  *0 '
has '^ *0\.[0-9]* *0.5 *(0,1) *port *2 *to 0.10 *+y$'
picture loads.svg 'flits/cycle'
expect 0 "$UTURN_BIN" net trace_torus.yaml --loads --json
tr -d ' \n' <out | grep -q '"topology":{"kind":"torus","sizes":\[5,5\],"local_ports":1,"terminal_links":1}' || fail "topology: $(cat out)"
[ "$(grep -c '"flits_per_cycle"' out)" = 125 ] || fail "not 125 loads: 50 links both ways, 25 to terminals"
tr -d ' \n' <out | grep -q '"switch":"0.0","port":1,"flits_per_cycle":0.0,"direction":"-x","to_switch":"0.4"' || fail "a faulty link is loaded"
[ "$(grep -c '"faulty_links": [13],' out)" = 4 ] || fail "faulty links of the directions: $(cat out)"
direct twice.yaml 'kind: mesh, k: 3, n: 2' 2 8 'algorithm: duato' \
  '{at: 200, until: 300, link: {level: 0, switch: 4, port: 3}}, {at: 400, link: {level: 0, switch: 4, port: 3}}, {at: 500, switch: {level: 0, switch: 8}}'
expect 0 "$UTURN_BIN" net twice.yaml
has '^  +y  *6  *1$'; has '^  +x  *6  *0$'; has 'switch 0.8 (2,2) from cycle 500 on'; has '1 switch: its links'

# a deadlock
expect 4 "$UTURN_BIN" net "$UTURN_ROOT/scenarios/deadlock_without_bubble.yaml" --loads
cp "$UTURN_ROOT/scenarios/deadlock_one_vc.yaml" .
expect 0 "$UTURN_BIN" trace deadlock_one_vc.yaml
stuck=
for tag in 0 10 20 30 40 50 60 70 80 90 100 110 120; do
  status=0
  "$UTURN_BIN" trace deadlock_one_vc.yaml --packet 8:$tag --json >out 2>err || status=$?
  [ $status = 4 ] || continue
  is deadlock true
  grep -q 'wait for each other' err || fail "the deadlock is not printed"
  stuck=yes
  break
done
[ "$stuck" ] || fail "no packet meets the deadlock"
expect 4 "$UTURN_BIN" net deadlock_one_vc.yaml --loads

# net
expect 0 "$UTURN_BIN" net turn.yaml --svg net.svg
has '12 switches of 4 ports, 16 links'; has 'link 0.0-1.0 from cycle 0 on'
picture net.svg '>2.3</text>' '&lt;2,11&gt;' stroke-dasharray faulty
! grep -q 'busiest' out || fail "loads without --loads"
expect 0 "$UTURN_BIN" net turn.yaml --loads --json --svg loads.svg
is switches 12; is terminals 8; is links 16; is at_cycle null; is load_from_cycle 100; is load_until_cycle 1000
[ "$(grep -c '"flits_per_cycle"' out)" = 40 ] || fail "not 40 loads: 16 links both ways, 8 to terminals"
picture loads.svg 'flits/cycle'
expect 0 "$UTURN_BIN" net turn.yaml --loads
has 'busiest links'; has '0.[0-9]* *1.1 *<1,01> *port *0 *to 0.0'
# what --at selects: faults, and the cycles in which they do not change
scenario 2 3 1 1 reroute_adaptive_link 0.3 \
  '{at: 300, until: 600, link: {level: 1, switch: 1, port: 2}}, {at: 400, switch: {level: 2, switch: 3}}' >times.yaml
expect 0 "$UTURN_BIN" net times.yaml
has 'link 1.1-2.1 in cycles 300-599'; has 'switch 2.3 from cycle 400 on'
while read -r at faults from until; do
  expect 0 "$UTURN_BIN" net times.yaml --at "$at" --loads --json
  [ "$(grep -c '"until"' out)" = "$faults" ] || fail "--at $at: not $faults faults"
  is at_cycle "$at"; is load_from_cycle "$from"; is load_until_cycle "$until"
done <<'END'
50 0 0 100
299 0 100 300
300 1 300 400
599 2 400 600
600 1 600 1000
END
# a link that is down carries nothing
expect 0 "$UTURN_BIN" net times.yaml --at 450 --loads --json
tr -d ' \n' <out | grep -q '"switch":"1.1","port":2,"flits_per_cycle":0.0' || fail "a faulty link is loaded"

# bad input: one message, nothing on standard output, no file
for bad in 5 5: :5 a:0 0:a 0:256 0:0: 0:0:0 0:0:x 0:-1 -1:0 0:0:1:1 ' 0:0' 99999999999999999999:0 ''; do
  reject "--packet|SRC:TAG" "$UTURN_BIN" trace turn.yaml "--packet=$bad"
done
reject "no terminal 8|0 to 7" "$UTURN_BIN" trace turn.yaml --packet 8:0
reject "terminal 3 generates|3:200:9" "$UTURN_BIN" trace turn.yaml --packet 3:200:9
reject "no terminal sends" "$UTURN_BIN" trace turn.yaml --load 0
reject "--at|cycles 0 to 999" "$UTURN_BIN" net turn.yaml --at 1000
reject "--at|later" "$UTURN_BIN" net turn.yaml --at later
mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=4k tmpfs disk 2>/dev/null; then
  mounted=yes
else
  echo "skipped: a full disk (needs the right to mount)"
fi
for command in trace net; do
  reject "which scenario" "$UTURN_BIN" $command
  reject "nowhere.yaml|No such file" "$UTURN_BIN" $command nowhere.yaml
  reject "nowhere/x.svg|cannot be written" "$UTURN_BIN" $command turn.yaml --svg nowhere/x.svg --json
  mkdir folder.svg
  reject "folder.svg|cannot be written" "$UTURN_BIN" $command turn.yaml --svg folder.svg
  rmdir folder.svg
  if [ -w /dev/full ]; then
    ln -sf /dev/full full.svg # not the device itself: a tool with a mistake could remove it
    reject "full.svg|cannot be written" "$UTURN_BIN" $command turn.yaml --svg full.svg
    [ -L full.svg ] || fail "$command removes what is no plain file"
  fi
  if [ "$mounted" ]; then
    reject "disk/x.svg|cannot be written" "$UTURN_BIN" $command turn.yaml --svg disk/x.svg
    [ ! -e disk/x.svg ] || fail "$command leaves half a picture"
  fi
  # without Graphviz: an old picture stays
  echo old >old.svg
  expect 2 env PATH=/nowhere "$UTURN_BIN" $command turn.yaml --svg old.svg
  grep -q "old.svg needs .neato.*apt-get install graphviz" err || fail "$command without Graphviz: $(cat err)"
  [ "$(cat old.svg)" = old ] || fail "$command without Graphviz: the old picture is gone"
done

# around a block: hops that lead away stand out, two of them; a packet beside the block has none
trace "$UTURN_ROOT/scenarios/detour_example_mesh.yaml" --packet 2:0 --svg block.svg
has '10 hops between switches (shortest way 6)'
picture block.svg 'leads away from the destination' unsafe disabled faulty '#fdeeb4' '#e2d5ec'
[ "$(grep -c '<path .*#f48fb1' block.svg)" = 3 ] || fail "not two hops and the legend lead away: $(grep -c '#f48fb1' block.svg)"
trace "$UTURN_ROOT/scenarios/detour_example_cube.yaml" --packet 1:0 --svg cube.svg
picture cube.svg unsafe faulty
! grep -q '#f48fb1' cube.svg || fail "every hop of this packet leads nearer"
echo "trace and net keep their contracts"
