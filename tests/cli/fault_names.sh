#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Faults are printed in one form, and --fault takes it: what net, run, prove and tolerance print of a network is the same fault again.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
faults_of() { sed -n '/^  faults  /,/^$/s/^  \(faults\)* *\(link\|switch\)/\2/p' "$1"; }

# again NAME: the faults of NAME.yaml, printed by net, are given to NAME_none.yaml one by one
again() {
  local -a options=()
  expect 0 "$UTURN_BIN" net "$1.yaml"
  faults_of out >wanted
  [ -s wanted ] || fail "$1: no faults are printed: $(cat out)"
  while IFS= read -r line; do options+=(--fault "$line"); done <wanted
  expect 0 "$UTURN_BIN" net "$1_none.yaml" "${options[@]}"
  faults_of out | diff wanted - || fail "$1: --fault makes other faults of what is printed"
}
scenario() { # NAME TOPOLOGY ALGORITHM FAULT...: each FAULT an entry of faults
  printf 'topology: {%s}\nswitch: {vcs: 4, depth_flits: 8}\nrouting: {algorithm: %s}\ntraffic: {load_flits_per_cycle: 0.2}\nrun: {measure_cycles: 1000}\n' "$2" "$3" >"$1_none.yaml"
  { cat "$1_none.yaml"; echo 'faults:'; printf -- '  - {%s}\n' "${@:4}"; } >"$1.yaml"
}
scenario tree "kind: fat_tree, k: 4, n: 3" reroute_adaptive_link "at: 0, random_links: 3" "at: 5, until: 50, random_switches: 2" "at: 7, random_terminal_links: 2" \
  "at: 9, direction: out, random_links: 2"
scenario torus "kind: torus, sizes: [4, 3, 2]" duato "at: 0, random_links: 6" "at: 5, until: 6, direction: in, link: {level: 0, switch: 3, port: 2}" "at: 20, random_switches: 2"
scenario mesh "kind: mesh, k: 3, n: 2" dor "at: 1, random_links: 3" "at: 2, random_terminal_links: 1"
scenario cube "kind: hypercube, n: 4" ecube "at: 1, random_links: 3" "at: 2, until: 900, random_switches: 1"
scenario ruft "kind: ft_ruft_222, k: 4, n: 3" ruft "at: 0, random_links: 4" "at: 3, random_terminal_links: 4" "at: 4, until: 9, random_switches: 1"
for name in tree torus mesh cube ruft; do again $name; done

# what stands behind the comma may be left out where one link is called so: as prove prints it
expect 0 "$UTURN_BIN" net torus_none.yaml --fault "link 0.0-0.1"
grep -q 'link 0.0-0.1, +x of (0,0,0) from cycle 0 on' out || fail "a name without its end: $(cat out)"
reject "several links are called so|link 0.0-0.12, +z of (0,0,0)" "$UTURN_BIN" net torus_none.yaml --fault "link 0.0-0.12"
# prove: the counter-example's faults make the same run lose packets
sed 's/reroute_adaptive_link/fta/' tree_none.yaml >fta.yaml
cp fta.yaml fta_none.yaml
expect 4 "$UTURN_BIN" prove fta.yaml --faults 1
name=$(sed -n 's/^  faults: //p' out)
expect 0 "$UTURN_BIN" run fta.yaml --fault "$name" --json
[ "$(sed -n 's/.*"unreachable": \([0-9]*\).*/\1/p' out)" -gt 0 ] || fail "run with the fault of prove, $name, loses nothing"
expect 4 "$UTURN_BIN" prove fta.yaml --faults 2 --samples 50
names=$(sed -n 's/^  faults: //p' out)
expect 0 "$UTURN_BIN" net fta.yaml --fault "$names"
[ "$(faults_of out | sed 's/ from cycle 0 on//' | sort | paste -sd ';' | sed 's/;/; /g')" = "$(tr ';' '\n' <<<"$names" | sed 's/^ //' | sort | paste -sd ';' | sed 's/;/; /g')" ] ||
  fail "two faults of prove, $names, are for net $(cat out)"
# tolerance: a set that separates a pair
expect 0 "$UTURN_BIN" tolerance ruft_none.yaml --links network --faults 0..1 --samples 10
sed -n '/can separate terminals/,/^[^ ]/s/^  \(link\|switch\)/\1/p' out >wanted
[ -s wanted ] || fail "tolerance prints no fatal set: $(cat out)"
while IFS= read -r line; do expect 0 "$UTURN_BIN" net ruft_none.yaml --fault "$line"; grep -qF "$line from cycle 0 on" out || fail "tolerance prints '$line', net $(cat out)"; done <wanted

# a scenario takes the same words as entries of its list
{ cat torus_none.yaml; echo 'faults:'; "$UTURN_BIN" net torus.yaml >out; faults_of out | sed 's/^/  - /'; } >listed.yaml
faults_of out >wanted
expect 0 "$UTURN_BIN" net listed.yaml
faults_of out | diff wanted - || fail "faults of a list of texts"
sed -i '7s/link.*/link 0.0-9.9/' listed.yaml
reject "listed.yaml:7:5: there is no 'link 0.0-9.9'" "$UTURN_BIN" net listed.yaml
# and a switch by its name, with its port as it is printed
printf 'Switch 4 "S1" # "leaf"\n[1] "H1"[1]\n[3] "S2"[2]\nSwitch 4 "S2" # "top"\n[1] "H2"[1]\n[2] "S1"[3]\nHca 1 "H1"\n[1] "S1"[1]\nHca 1 "H2"\n[1] "S2"[1]\n' >own.net
scenario own "kind: graph, file: own.net" forwarding "at: 5, link: {switch: leaf, port: 3}" "at: 6, switch: {switch: top}"
scenario generated "kind: dragonfly, groups: 3, routers: 2, global_links: 1" forwarding "at: 5, direction: out, link: {switch: g2.r1, port: 1}"
scenario numbers "kind: mesh, k: 3, n: 2" dor "at: 5, link: {switch: '0.1', port: 0}" "at: 6, link: {level: 0, switch: 4, port: 0}"
for own in own generated numbers; do again $own; done
expect 0 "$UTURN_BIN" net own.yaml
grep -q 'link leaf-top from cycle 5 on' out && grep -q 'switch top from cycle 6 on' out || fail "faults by a switch's name: $(cat out)"
refused() { sed "s/$2/$3/" own.yaml >wrong.yaml && reject "$1" "$UTURN_BIN" net wrong.yaml; }
refused "wrong.yaml:7:28: there is no switch 'leaf9'" "switch: leaf" "switch: leaf9"
refused "there is no switch '0'" "switch: leaf" "switch: 0"
refused "faults[0].link.switch': expected a whole number" "switch: leaf" "level: 0, switch: leaf"
refused "faults[0].link.switch' is 65536" "switch: leaf" "level: 0, switch: 65536"
refused "port 0: the ports of 'leaf' are counted from 1" "port: 3" "port: 0"
refused "port 5 does not exist, switch leaf has 1..4" "port: 3" "port: 5"
refused "switch leaf has no link at port 2" "port: 3" "port: 2"
refused "missing key 'switch' in 'faults[0].link'" "switch: leaf, " ""
# prove, route, report: the faults that are there
expect 0 "$UTURN_BIN" prove fta_none.yaml
expect 4 "$UTURN_BIN" prove fta_none.yaml --fault "$name"
reject "--fault names a fault that is there" "$UTURN_BIN" prove fta_none.yaml --fault "$name" --faults 1
expect 0 "$UTURN_BIN" route mesh_none.yaml --switch 0.0 --from inj --dst 1
cp out without
expect 0 "$UTURN_BIN" route mesh_none.yaml --switch 0.0 --from inj --dst 1 --fault "link 0.0-0.1"
! cmp -s out without || fail "route --fault changes no answer: $(cat out)"
expect 0 "$UTURN_BIN" report page.html tree_none.yaml --fault "switch 2.9 in cycles 100-199"
grep -q 'switch 2.9' page.html || fail "no fault on the page"
reject "there is no 'switch 9.9'" "$UTURN_BIN" report page.html tree_none.yaml --fault "switch 9.9"
mkdir -p results
reject "--fault is for scenarios" "$UTURN_BIN" report page.html results --fault "switch 2.9"

reject "there is no 'link 9.9-1.1'" "$UTURN_BIN" run tree_none.yaml --fault "link 9.9-1.1"
reject "cycles are written as" "$UTURN_BIN" run tree_none.yaml --fault "switch 2.1 in cycles 9-5"
