#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# route: one question and all of them, names of channels, errors.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
scenario() { # TOPOLOGY VCS ALGORITHM FAULTS
  printf 'topology: {%s}\nswitch: {vcs: %s, depth_flits: 4, packet_flits: 4, switching: wormhole}\nrouting: {algorithm: %s}\n' "$1" "$2" "$3"
  printf 'traffic: {load_flits_per_cycle: 0.1}\nfaults: [%s]\n' "$4"
}
has() { grep -qF -- "$1" out || fail "no '$1' in: $(head -c 2000 out)"; }
says() { grep -qF -- "$1" err || fail "no '$1' in: $(cat err)"; [ "$(wc -l <err)" = 1 ] || fail "more than a line: $(cat err)"; }

# a mesh with one failed node, (1,1)
fault='{at: 0, switch: {level: 0, switch: 5}}'
scenario 'kind: mesh, sizes: [4, 3]' 2 detour "$fault" >mesh.yaml
expect 0 "$UTURN_BIN" route mesh.yaml --switch 0.4 --from inj --dst 7
has 'rule       3.5'; has '+1.2  port 2 VC 1 to 0.8 (0,2), escape'; has '-1.2'
expect 0 "$UTURN_BIN" route mesh.yaml --switch 4 --from +1.1 --dst 7 --json
has '"from": "+1.1"'; has '"rule": "3.6 climb"'; has '"switch": "0.4"'; has '"discard": false'
cp out named
expect 0 "$UTURN_BIN" route mesh.yaml --switch 4 --from 3:0 --dst 7 --json
cmp -s out named || fail "the port and the channel's name answer differently"
expect 0 "$UTURN_BIN" route mesh.yaml --all --json
has '{"node": 1, "destination": 0, "from": "inj", "candidates": ["-0.1", "-0.2"], "escape": ["-0.1"]}'
[ "$(sort out | uniq -d | wc -l)" = 0 ] || fail "a state twice"
if grep -q '"node": 5,\|"destination": 5,' out; then fail "packets of the failed node"; fi
lines=$(wc -l <out)
# more VCs of VIN2 have the same name: the same lines
sort out >two
scenario 'kind: mesh, sizes: [4, 3]' 3 detour "$fault" >mesh3.yaml
expect 0 "$UTURN_BIN" route mesh3.yaml --all --json
sort out | cmp -s - two || fail "three VCs: $(wc -l <out) lines, two: $lines"

scenario 'kind: torus, sizes: [5, 5]' 4 detour '' >torus.yaml
expect 0 "$UTURN_BIN" route torus.yaml --switch 0 --from inj --dst 4 --json # across the dateline
has '"-0.1.0"'; has '"-0.2.0"'; has '"-0.2.1"'
scenario 'kind: torus, sizes: [5, 5]' 2 duato '' | sed 's/wormhole/vct/;s/depth_flits: 4/depth_flits: 8/' >duato.yaml
expect 0 "$UTURN_BIN" route duato.yaml --switch 0 --from 4:1 --dst 1 --json # ports and VCs
has '"0:0"'; has '"rule": null'; has '"from": "inj"'
scenario 'kind: hypercube, n: 3' 2 detour '{at: 0, switch: {level: 0, switch: 3}}' >cube.yaml
expect 0 "$UTURN_BIN" route cube.yaml --switch 2 --from inj --dst 5 --json
has '"1.2"'
printf 'topology: {kind: fat_tree, k: 2, n: 3}\nrouting: {algorithm: fta}\ntraffic: {load_flits_per_cycle: 0.1}\n' >tree.yaml
expect 0 "$UTURN_BIN" route tree.yaml --switch 0.0 --from inj --dst 5 --json
has '"up2:0"'
expect 0 "$UTURN_BIN" route tree.yaml --all --json
has '"from": "2:0"'

expect 2 "$UTURN_BIN" route mesh.yaml --switch 12 --from inj --dst 7; says 'no such switch'
expect 2 "$UTURN_BIN" route mesh.yaml --switch 1.0 --from inj --dst 7; says 'no such switch'
expect 2 "$UTURN_BIN" route mesh.yaml --switch x --from inj --dst 7; says 'no such switch'
expect 2 "$UTURN_BIN" route mesh.yaml --switch 4 --from 1:0 --dst 7; says 'no such input' # at the border: no link
expect 2 "$UTURN_BIN" route mesh.yaml --switch 4 --from 3:2 --dst 7; says 'no such input'
expect 2 "$UTURN_BIN" route mesh.yaml --switch 4 --from up --dst 7; says 'no such input'
expect 2 "$UTURN_BIN" route tree.yaml --switch 1.0 --from inj --dst 1; says 'no such input'
expect 2 "$UTURN_BIN" route mesh.yaml --switch 4 --from inj --dst 12; says 'no such terminal'
expect 2 "$UTURN_BIN" route mesh.yaml --switch 4
expect 2 "$UTURN_BIN" route mesh.yaml --all
# no answer twice, although headers of several packets ask the same
expect 0 "$UTURN_BIN" route "$UTURN_ROOT/scenarios/trace_torus.yaml" --all --json
[ -z "$(sort out | uniq -d)" ] || fail "route --all --json: lines that stand there twice: $(sort out | uniq -d | head -n 3)"
expect 2 "$UTURN_BIN" route mesh.yaml --all --json --dst 1
echo "route: all answers are right"
