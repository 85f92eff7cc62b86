#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tolerance --mechanisms (tori and meshes): JSON contract, figures, exit statuses, one clear message for bad input.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
has() { tr -d ' \n' <out | grep -qF -- "$1" || fail "no '$1' in: $(cat out)"; }
network() { # TOPOLOGY
  printf 'topology: {%s}\nswitch: {vcs: 2, depth_flits: 8, packet_flits: 2}\nrouting: {algorithm: duato}\n' "$1"
  printf 'traffic: {load_flits_per_cycle: 0.1}\n'
}
network 'kind: torus, k: 3, n: 3' >torus.yaml
network 'kind: mesh, sizes: [4, 3]' >mesh.yaml
network 'kind: torus, sizes: [4, 4]' >even.yaml
network 'kind: torus, k: 3, n: 4' >four.yaml
count() { "$UTURN_BIN" tolerance "$@"; }

# the contract
expect 0 count torus.yaml --mechanisms I --model exhaustive --faults 1..2 --json
has '"mechanisms":"I",'; has '"model":"exhaustive",'; has '"points":[{"faults":1,"fault_sets":81,"exhaustive":true,"not_tolerated":0,"percent":0.0,'
has '"faults":2,"fault_sets":3240,"exhaustive":true,"not_tolerated":81,"percent":2.5,'
has '"mechanism_shares":{"I":100.0}'; has '"affected_path_percent":6.85871056'
expect 0 count torus.yaml --mechanisms I+D --model region --faults 1..3 --json
has '"model":"region"'; has '"links":33'; has '"fault_sets":5456'
expect 0 count torus.yaml --mechanisms D --faults 1 --json # nothing is tolerated: no shares
has '"not_tolerated":81,"percent":100.0,"affected_path_percent":null,"separated_path_percent":null,"mechanism_shares":{}'
expect 0 count torus.yaml --mechanisms I+D+M --model sampled --samples 50 --faults 14 --json
has '"fault_sets":50,"exhaustive":false'; has '"percent_95":['
expect 0 count torus.yaml --mechanisms I2 --model region --samples 50 --faults 8 --json
has '"model":"region"'; has '"exhaustive":false'

# the order of deterministic paths: I+D tolerates four faults in dimension order only (INTERMEDIATE section 5.1.2)
expect 0 count torus.yaml --mechanisms I+D --faults 4 --json
has '"order":"dimension"'; has '"not_tolerated":0'
expect 0 count torus.yaml --mechanisms I+D --order direction --faults 3..4 --json
has '"order":"direction"'; has '"faults":3,"fault_sets":85320,"exhaustive":true,"not_tolerated":0'; has '"not_tolerated":270'

# other networks, text
expect 0 count mesh.yaml --mechanisms I2+D --faults 0..3
grep -q '^ *3 *680 *(all)' out || fail "mesh: $(cat out)"
expect 0 count even.yaml --mechanisms I --faults 1 --json # even rings: one intermediate node does not get past one fault
has '"not_tolerated":32,'
expect 0 count four.yaml --mechanisms I --faults 1 --json
has '"fault_sets":324,"exhaustive":true,"not_tolerated":0'

# the number of processes and the seed
for workers in 1 2 3; do
  count torus.yaml --mechanisms I+M --faults 2..3 --json --workers $workers | grep -v wall_s >all.$workers
  count torus.yaml --mechanisms I+M --samples 100 --faults 9..10 --json --workers $workers | grep -v wall_s >some.$workers
done
for n in 2 3; do
  if ! cmp all.1 all.$n || ! cmp some.1 some.$n; then fail "depends on the number of processes"; fi
done
count torus.yaml --mechanisms I --samples 500 --faults 6 --json --seed 2 | grep -v wall_s >seed.2
count torus.yaml --mechanisms I --samples 500 --faults 6 --json | grep -v wall_s >seed.1
! cmp -s seed.1 seed.2 || fail "the seed changes nothing"

# Ctrl-C: what is known so far, exit status 130
status=0
"$UTURN_BIN" tolerance torus.yaml --mechanisms I+M --faults 1..12 --json >out 2>err &
pid=$!
catches() { [ $((0x0$(sed -n 's/^SigCgt:[[:space:]]*//p' /proc/$pid/status) & 2)) != 0 ]; } # SIGINT
until catches || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
sleep 2 # a point or none: both are what is known so far
kill -s INT $pid
wait $pid || status=$?
[ $status = 130 ] || fail "interrupted: exit status $status"
has '"points":['

# bad input
fat='topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\ntraffic: {load_flits_per_cycle: 0.1}\n'
# shellcheck disable=SC2059
printf "$fat" >fat.yaml
reject "fat.yaml|2-ary 2-tree|leave the option out" count fat.yaml --mechanisms I
reject "torus.yaml|3x3x3 torus|--mechanisms I, D, M" count torus.yaml --faults 1
reject "--mechanisms|'I+X'|known: I, D, M" count torus.yaml --mechanisms I+X
reject "--mechanisms|'I+D'?" count torus.yaml --mechanisms i+D
reject "--model|'regoin'|'region'?" count torus.yaml --mechanisms I --model regoin
reject "--order|'dimensions'|'dimension'?" count torus.yaml --mechanisms D --order dimensions
reject "--order direction|I has no deterministic paths" count torus.yaml --mechanisms I --order direction
reject "--order dimension|misroutes" count torus.yaml --mechanisms D+M --order dimension
reject "region|mesh" count mesh.yaml --mechanisms I --model region
reject "82 faults|81 links" count torus.yaml --mechanisms I --model sampled --faults 82
reject "34 faults|33 links" count torus.yaml --mechanisms I --model region --faults 34
reject "20 faults in 81 links|samples" count torus.yaml --mechanisms I --faults 20
reject "--samples|--model sampled" count torus.yaml --mechanisms I --model exhaustive --samples 9
reject "--model exhaustive" count torus.yaml --mechanisms I --exhaustive
reject "--model|--mechanisms" count fat.yaml --model region
reject "--samples" count torus.yaml --mechanisms I --samples 0
reject "--faults|three" count torus.yaml --mechanisms I --faults three
"$UTURN_BIN" tolerance --help >help
for option in mechanisms model order; do
  grep -q -- "--$option" help || fail "--help does not name --$option"
done
echo "tolerance of tori and meshes keeps its contract"
