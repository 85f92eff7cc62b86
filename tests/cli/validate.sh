#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# validate: bad input, and a stand-in for BookSim that says what BookSim says.  With UTURN_BOOKSIM=DIR also BookSim 2 itself: every pair equal.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/booksim.bash
. "$UTURN_ROOT/tests/cli/booksim.bash"
validate() { "$UTURN_BIN" validate "$@"; }
has() { grep -qF -- "$1" out || fail "no '$1' in: $(cat out)"; }

# ---- bad input: found before anything runs
reject "BookSim 2|--booksim|validate.md" validate small.yaml
reject "$work|no BookSim 2|src/booksim|make" validate small.yaml --booksim "$work"
reject "--only|pairs" validate small.yaml --booksim . --only some
reject "--loads|0.05:0.6:0.05" validate small.yaml --booksim . --loads 3
reject "--theirs|KEY=VALUE" validate small.yaml --booksim . --theirs seed
reject "--write|--only" validate small.yaml --booksim . --only pairs --write page.md

# ---- a stand-in
sed 's/2, n: 1/2, n: 1, local_ports: 2/' small.yaml >other.yaml
reject "other.yaml|flits of 64|packets of one length" validate other.yaml --booksim book
expect 0 validate small.yaml --booksim book --loads 0.1:0.3:0.1 --theirs seed=7
has '| 2 | 2 | 14 | 14 | 14 to 15 | 1 |'
has '1 of 2 pairs have the same latency without load; 0 had no packet.'
has '| most accepted | 0.'
grep -q '^| 0.20 | [0-9.]* | 20.0 | [-+0-9.]* % | 0.[12][0-9]* | 0.200 |$' out || fail "no load: $(cat out)"
for line in 'topology = mesh' 'k = 2' 'n = 1' 'num_vcs = 2' 'vc_buf_size = 8' 'packet_size = 3' 'routing_delay = 1' 'speculative = 0' \
  'credit_delay = 1' 'use_noc_latency = 0' 'traffic = bitcomp'; do
  grep -q "^$line;$" book/configuration || fail "the configuration lacks '$line': $(cat book/configuration)"
done
[ "$(tr '\n' ' ' <book/watched)" = "2 5 8 " ] || fail "not the tails are watched: $(cat book/watched)"
[ "$(grep -c ' seed=7$' book/told)" = 4 ] || fail "not four runs with seed=7: $(cat book/told)"
[ "$(grep -c 'sample_period=500 injection_rate=0.[123]00000' book/told)" = 3 ] || fail "not three loads: $(cat book/told)"
expect 0 validate small.yaml --booksim book --only pairs
! grep -q accepted out || fail "--only pairs: $(cat out)"
for names in uniform:uniform shuffle:shuffle transpose:transpose bit_reverse:bitrev tornado:tornado neighbour:neighbor; do
  sed "s/k: 2/k: 4/; s/complement/${names%:*}/" small.yaml >pattern.yaml
  expect 0 validate pattern.yaml --booksim book --only loads --loads 0.1:0.1:0.1
  grep -q "^traffic = ${names#*:};$" book/configuration || fail "${names%:*}: $(grep traffic book/configuration)"
done
sed 's/complement/bit_rotation/' small.yaml >pattern.yaml
reject "patterns: uniform, complement, shuffle, transpose, bit_reverse, tornado, neighbour" validate pattern.yaml --booksim book
# ---- graphs: a file of the network with latencies one cycle less; networks of BookSim's own
cat >ring.anynet <<'E'
router 0 node 0 2 router 1 3 router 2 4
router 1 node 1 2 router 0 3 router 2 5
router 2 node 2 2 router 0 4 router 1 5
E
ends='injection_cycles: 2, ejection_cycles: 2'
sed "s/kind.*link_cycles: 2/kind: graph, file: ring.anynet, link_cycles: 3, $ends/; s/dor/table, planner: minimal/; s/complement/uniform/" small.yaml >ring.yaml
sed -i '/^echo "Packet/i sed -n "s/^network_file = //p" "$1" | tr -d ";" | xargs -r cat >"$here/network"' book/booksim
expect 0 validate ring.yaml --booksim book --only pairs
grep -q '^topology = anynet;$' book/configuration && grep -q '^routing_function = min;$' book/configuration || fail "graph: $(cat book/configuration)"
printf 'router 0 node 0 router 1 2 router 2 3\nrouter 1 node 1 router 0 2 router 2 4\nrouter 2 node 2 router 0 3 router 1 4\n' >wanted
diff wanted book/network || fail "the network is not as it was, a cycle less"
sed 's/node \([0-9]\) 2/node \1 3/' ring.anynet >far.anynet
sed 's/ring.anynet/far.anynet/' ring.yaml >other.yaml
reject "other.yaml|no latency of links to terminals" validate other.yaml --booksim book
sed 's/planner: minimal/planner: updown/' ring.yaml >other.yaml
reject "other.yaml|shortest ways|planners minimal" validate other.yaml --booksim book
for network in 'hyperx_4x4|topology = flatfly|routing_function = ran_min|k = 4|n = 2|c = 4|x = 4|y = 4|xr = 2|yr = 2' \
  'dragonfly_4_2_2|topology = dragonflynew|routing_function = min|k = 2|n = 1'; do
  IFS='|' read -ra lines <<<"$network"
  sed 's/measure_cycles: [0-9]*/measure_cycles: 10/' "$UTURN_ROOT/scenarios/validate/${lines[0]}.yaml" >net.yaml
  expect 0 validate net.yaml --booksim book --only loads --loads 0.1:0.1:0.1
  for line in "${lines[@]:1}"; do
    grep -q "^$line;$" book/configuration || fail "${lines[0]}: the configuration lacks '$line': $(cat book/configuration)"
  done
done
expect 0 validate small.yaml --booksim book --only loads --loads 0.1:0.1:0.1 --json
[ "$(grep -c '"accepted"' out)" = 2 ] && ! grep -q zero_load out || fail "--only loads --json: $(cat out)"
printf '# Page\n<!-- validate: small -->\nold\n<!-- validate: end -->\n' >page.md
expect 0 validate small.yaml --booksim book --loads 0.1:0.2:0.1 --write page.md --pictures .
grep -q '^| 0.20 ' page.md && ! grep -q '^old' page.md || fail "the page: $(cat page.md)"
grep -q 'BookSim 2' validation_small.svg || fail "no picture"
# Saturation is the highest load up to which all is accepted: not 0.3, for 0.2 is not; the most that is accepted is at 0.3.
sed -i 's/^echo "Accepted flit/case $rate in 0.2*) rate=0.15 ;; esac\n&/' book/booksim
expect 0 validate small.yaml --booksim book --only loads --loads 0.1:0.3:0.1
grep -q '^| most accepted | 0.[0-9]* | 0.300 |$' out && grep -q '^| highest load of which 95 % is accepted | 0.30 | 0.10 |$' out || fail "saturation: $(cat out)"
printf '#!/bin/sh\necho no such option\n' >book/booksim
expect 2 validate small.yaml --booksim book
grep -q 'is it BookSim 2' err || fail "no message: $(cat err)"

# ---- BookSim itself, where somebody has built it
if [ -z "${UTURN_BOOKSIM-}" ]; then
  echo "validate: as expected; not compared with BookSim 2: UTURN_BOOKSIM does not say where it was built"
  exit
fi
for network in 'mesh, k: 4, n: 2|dor|wormhole' 'torus, k: 4, n: 2|dor|vct' 'fat_tree, k: 2, n: 3|fta|wormhole'; do
  IFS='|' read -r kind algorithm switching <<<"$network"
  sed "s/mesh, k: 2, n: 1/$kind/; s/dor/$algorithm/; s/wormhole/$switching/; s/complement/uniform/" small.yaml >net.yaml
  expect 0 validate net.yaml --booksim "$UTURN_BOOKSIM" --only pairs
  grep -Eq '^([0-9]+) of \1 pairs' out || fail "$kind: $(cat out)"
done
for network in ring.yaml "$UTURN_ROOT"/scenarios/validate/{hyperx_4x4,slim_fly_5,dragonfly_4_2_2}.yaml; do
  expect 0 validate "$network" --booksim "$UTURN_BOOKSIM" --only pairs
  grep -Eq '^([0-9]+) of \1 pairs' out || fail "$network: $(cat out)"
done
echo "validate: as expected, also beside BookSim 2"
