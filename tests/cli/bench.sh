#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench: instructions of a small scenario, counted by hand too; comparison, tables in pages, a stand-in for BookSim, bad input.
# Nothing here depends on how fast the machine is.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
cat >small.yaml <<'S'
topology: {kind: fat_tree, k: 2, n: 2}
switch: {vcs: 2, depth_flits: 6, packet_flits: 3, route_cycles: 2}
routing: {algorithm: fta}
traffic: {load_flits_per_cycle: 0.1}
S
bench() { "$UTURN_BIN" bench "$@"; }
has() { grep -qF -- "$1" out || fail "no '$1' in: $(cat out)"; }
# results VERSION A B C D: two cases, as --json prints them
results() {
  cat <<J
{"machine": "a machine", "processors": 2, "date": "2026-01-02", "version": "$1", "cases": [
  {"group": "shapes", "scenario": "one", "load": 0.05, "golden": {"instructions_per_flit_hop": $2}},
  {"group": "shapes", "scenario": "one", "load": 0.2, "golden": {"instructions_per_flit_hop": $3}},
  {"group": "memory", "scenario": "net_1", "load": 0.2, "golden": {"cpu_ns_per_flit_hop": 40.0}},
  {"group": "memory", "scenario": "net_2", "load": 0.1, "golden": {"cpu_ns_per_flit_hop": $4}},
  {"group": "memory", "scenario": "other_1", "load": 0.1, "golden": {"cpu_ns_per_flit_hop": 20.0}},
  {"group": "memory", "scenario": "other_2", "load": 0.1, "golden": {"cpu_ns_per_flit_hop": 25.0}},
  {"group": "rates", "scenario": "two", "load": 0.4, "golden": {"switch_cycles_per_s": $5}}]}
J
}
results old 400.0 100.0 50.0 2e7 >old.json
results new 300.0 104.0 60.0 1.5e7 >new.json

# ---- bad input: found before anything is measured
reject "nowhere.yaml|No such file" bench --quick nowhere.yaml
reject "nowhere.json|cannot open|No such file" bench --against nowhere.json
reject "nowhere.json|cannot open|No such file" bench --from nowhere.json
echo '{"cases": [{"load": 1}]}' >bad.json
reject "bad.json|scenario|uturn bench --json" bench --from bad.json
reject "no case|'nonsense'|scenarios/bench" bench --only nonsense
reject "--slower|per cent" bench --slower much
reject "--only|scenarios" bench small.yaml --only tree
reject "--quick|--all" bench --quick --all
reject "--from|--only" bench --from new.json --only tree
reject "--write|whole tables" bench --write page.md --only tree
reject "--booksim|--quick" bench --booksim . --quick
reject "--lanes|rtl|all|gates" bench --lanes gates
reject "--lanes|--quick" bench --lanes rtl --quick
reject "page.md|No such file" bench --from new.json --write page.md
reject "$work|no BookSim 2|src/booksim|make" bench --booksim "$work" small.yaml
mkdir empty
reject "\`valgrind\`|apt-get install valgrind" env PATH="$work/empty" "$UTURN_BIN" bench --quick small.yaml
reject "nowhere/scenarios/bench|complete" env UTURN_ROOT=nowhere "$UTURN_BIN" bench --quick

# ---- every case can be run; the largest networks would take long
for scenario in "$UTURN_ROOT"/scenarios/bench/{rates,shapes}/*.yaml "$UTURN_ROOT"/scenarios/bench/memory/*_00*.yaml; do
  expect 0 "$UTURN_BIN" run "$scenario" --cycles 2
done

# ---- instructions: those of a longer run less those of a shorter one, by the flit-hops between them
counted() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$UTURN_BIN" run small.yaml --elaborate always --load 0.2 --cycles "$1" --json 2>&1; }
number() { sed -n "s/.*$1\([0-9]*\).*/\1/p"; }
"$UTURN_BIN" run small.yaml --elaborate always --cycles 1 >out # compiles
counted 2000 >shorter
counted 4000 >longer
by_hand=$((($(number 'Collected : ' <longer) - $(number 'Collected : ' <shorter)) / ($(number '"flit_hops": ' <longer) - $(number '"flit_hops": ' <shorter))))
expect 0 bench --quick --json small.yaml
mv out measured.json
for key in machine processors date version cases; do
  grep -q "^  \"$key\": " measured.json || fail "no '$key' in the JSON"
done
[ "$(grep -c '"instructions_per_flit_hop"' measured.json)" = 2 ] || fail "not two loads: $(cat measured.json)"
[ "$(grep -c '"elaborated": true' measured.json)" = 2 ] || fail "not elaborated: $(cat measured.json)"
measured=$(sed -n 's/.*"instructions_per_flit_hop": \([0-9]*\).*/\1/p' measured.json | tail -n 1)
[ $((measured - by_hand)) -le $((by_hand / 50)) ] && [ $((by_hand - measured)) -le $((by_hand / 50)) ] ||
  fail "$measured instructions for a flit-hop, $by_hand by hand"
grep -q '"scenario": "small"' measured.json || fail "no name: $(cat measured.json)"
# without room for temporary files, where we may mount such a disk
mkdir disk
trap 'umount "$work/disk" 2>/dev/null || :; rm -rf "$work"' EXIT
! mount -t tmpfs -o size=4k tmpfs disk 2>/dev/null || head -c 4096 /dev/zero >disk/fill
expect 0 env TMPDIR="$work/disk" "$UTURN_BIN" bench --quick small.yaml --against measured.json
[ "$(ls disk)" = fill ] || [ -z "$(ls disk)" ] || fail "left behind: $(ls disk)"
has '0 of 2 figures worse'
status=0
timeout --preserve-status -s INT 0.5 "$UTURN_BIN" bench --quick --only tree >out 2>err || status=$?
[ $status = 130 ] || fail "interrupted: exit status $status: $(cat err)"

# ---- comparison
expect 0 bench --from new.json --against old.json
has 'old: old of 2026-01-02 on a machine'
for row in 'one +0.05 +golden.instructions_per_flit_hop +400 +300 +0.750$' 'one +0.20 .* 100 +104 +1.040$' \
  'net_2 +0.10 +golden.cpu_ns_per_flit_hop +50 +60 +1.200  SLOWER$' 'two +0.40 +golden.switch_cycles_per_s .* 0.750  SLOWER$'; do
  grep -Eq "^$row" out || fail "no row '$row': $(cat out)"
done
has '2 of 7 figures worse by more than 5 %'
expect 0 bench --from new.json --against old.json --slower 3
has '3 of 7 figures worse by more than 3 %'
expect 0 bench --from new.json --against old.json --json
[ "$(grep -c '"slower": true' out)" = 2 ] && [ "$(grep -c '"slower": false' out)" = 5 ] || fail "--against --json: $(cat out)"

# ---- on a terminal: rates in millions, everything else as it is
expect 0 bench --from new.json
for row in 'one +0.20 +104 ' 'two +0.40 .* 15 M ' 'net_2 +0.10 .* 60.0$'; do
  grep -Eq "^$row" out || fail "no row '$row': $(cat out)"
done

# ---- tables in pages: what stands around them stays
cat >page.md <<'P'
# Page

<!-- bench: shapes -->
| an old table |
<!-- bench: end -->
Between.

<!-- bench: memory -->
<!-- bench: end -->
<!-- bench: booksim -->
stays
<!-- bench: end -->
The end
P
cat >wanted.md <<'P'
# Page

<!-- bench: shapes -->

Measured on a machine, 2 processors, 2026-01-02, version new.

| scenario | load 0.05 | load 0.2 |
|---|---|---|
| `one` | 300 | 104 |

<!-- bench: end -->
Between.

<!-- bench: memory -->

Measured on a machine, 2 processors, 2026-01-02, version new.

| scenario | load | ns for a flit-hop | times the smallest |
|---|---|---|---|
| `net_1` | 0.2 | 40.0 | 1.00 |
| `net_2` | 0.1 | 60.0 | 1.50 |
| `other_1` | 0.1 | 20.0 | 1.00 |
| `other_2` | 0.1 | 25.0 | 1.25 |

<!-- bench: end -->
<!-- bench: booksim -->
stays
<!-- bench: end -->
The end
P
for again in 1 2; do # what is written can be replaced
  expect 0 bench --from new.json --write page.md
  diff page.md wanted.md >&2 || fail "the page, time $again (< is, > should be)"
done
sed '/bench: end/d' wanted.md >page.md
reject "page.md|bench: end|bench: shapes" bench --from new.json --write page.md
sed 's/bench: memory/bench: memories/' wanted.md >page.md
reject "page.md|memories|rates, shapes, memory, booksim, lanes" bench --from new.json --write page.md
echo '# Page' >page.md
reject "page.md|bench: NAME" bench --from new.json --write page.md
printf '<!-- bench: booksim -->\n<!-- bench: end -->\n' >page.md
expect 2 bench --from new.json --write page.md
grep -q 'page.md: there is nothing to write' err || fail "no message: $(cat err)"
[ ! -e page.md.new ] || fail "something is left behind"
grep -q '^<!-- bench: rates -->$' "$UTURN_ROOT/docs/results/measurements.md" || fail "docs/results/measurements.md has no table of rates"

# ---- BookSim: a stand-in that says what BookSim says of so many cycles, and keeps its configuration
mkdir -p book/src
cat >book/src/booksim <<'B'
#!/bin/sh
cycles=$((2 * ${2#sample_period=}))
i=0
while [ $i -lt $cycles ]; do i=$((i + 1)); done
cp "$1" "$(dirname "$0")/configuration"
echo "Accepted flit rate average= 0.7"
echo "Time taken is $cycles cycles"
echo "Accepted flit rate average = 0.25 (1 samples)"
echo "Hops average = 2 (1 samples)"
exit 255
B
chmod +x book/src/booksim
expect 0 bench --booksim book small.yaml --json
for line in 'topology = fattree' 'k = 2' 'n = 2' 'num_vcs = 2' 'vc_buf_size = 6' 'packet_size = 3' 'routing_delay = 2' \
  'injection_rate = 0.200000' 'injection_rate_uses_flits = 1'; do
  grep -q "^$line;$" book/src/configuration || fail "the configuration lacks '$line': $(cat book/src/configuration)"
done
[ "$(grep -c '"ratio_to_golden": [0-9]' out)" = 2 ] && grep -q '"group": "booksim"' out || fail "--booksim: $(cat out)"
sed 's/fat_tree, k: 2, n: 2/torus, sizes: [4, 4, 4]/; s/algorithm: fta/algorithm: duato/' small.yaml >grid.yaml
expect 0 bench --booksim book/src grid.yaml
has 'BookSim'
grep -q '^routing_function = dim_order;$' book/src/configuration && grep -q '^k = 4;$' book/src/configuration &&
  grep -q '^n = 3;$' book/src/configuration || fail "the configuration of a torus: $(cat book/src/configuration)"
sed 's/sizes: \[4, 4, 4\]/sizes: [4, 4, 5]/' grid.yaml >other.yaml
expect 2 bench --booksim book other.yaml
grep -q 'BookSim 2 can do none' err || fail "no message: $(cat err)"
printf '#!/bin/sh\necho no such option\n' >book/src/booksim
expect 2 bench --booksim book small.yaml
grep -q 'is it BookSim 2.*no such option' <(tr '\n' ' ' <err) || fail "another program: $(cat err)"
echo "bench: as expected"
