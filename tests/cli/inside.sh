#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run and cosim --histogram, --packets, --timeline: the lines are those of trace, the sums those of the report, whatever
# the number of threads; run --compare; files that cannot be written.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "inside: $*" >&2; exit 1; }
. "$UTURN_ROOT/tests/cli/threads.scenarios.bash"
# expect STATUS COMMAND...: standard output in out, standard error in err
expect() {
  local wanted=$1 status=0
  shift
  "$@" >out 2>err </dev/null || status=$?
  [ $status = "$wanted" ] || fail "$*: exit status $status, expected $wanted: $(head -c 400 err)"
}
# json KEY [FILE]: its number, at any level
json() { sed -n "s/^ *\"$1\": \([0-9.]*\),\{0,1\}$/\1/p" "${2:-out}"; }
# sum FILE COLUMN [CONDITION-COLUMN VALUE]: of a CSV; "rows" counts
sum() {
  awk -F, -v name="$2" -v key="${3:-}" -v value="${4:-}" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; if (name != "rows" && !(name in at)) exit 1; next }
    key == "" || $at[key] == value { sum += name == "rows" ? 1 : $at[name] }
    END { printf "%.0f\n", sum }' "$1"
}
same() { [ "$2" = "$3" ] || fail "$1: $2, expected $3"; }

# agree FILE: a report in out; p.csv, t.csv, h.csv are of the same run
agree() {
  local reason
  same "$1: lines" "$(sum p.csv rows)" "$(json generated_packets)"
  same "$1: delivered" "$(sum p.csv rows result delivered)" "$(json delivered_packets)"
  same "$1: in flight" "$(sum p.csv rows result in_flight)" "$(json in_flight_packets)"
  same "$1: queued" "$(sum p.csv rows result queued)" "$(json queued_packets)"
  same "$1: U-turns" "$(sum p.csv u_turns)" "$(json u_turns)"
  for reason in cut_by_fault in_failed_switch unreachable purged; do
    same "$1: $reason" "$(sum p.csv rows reason $reason)" "$(json $reason)"
    same "$1: timeline: $reason" "$(sum t.csv discarded_$reason)" "$(json $reason)"
    lost=$((lost + $(json $reason)))
  done
  same "$1: timeline: delivered" "$(sum t.csv delivered_packets)" "$(json delivered_packets)"
  same "$1: timeline: generated" "$(sum t.csv generated_packets)" "$(json generated_packets)"
  same "$1: timeline: the last line" "$(tail -n 1 t.csv | cut -d, -f2,13,14)" \
    "$(json cycles),$(json in_flight_packets),$(json queued_packets)"
  awk -F, -v mean="$(json mean)" 'NR > 1 { n += $2; sum += $1 * $2 }
    END { if (n) sum /= n; exit !(sum - mean < 1e-3 && mean - sum < 1e-3) }' h.csv || fail "$1: histogram"
  detours=$((detours + $(sum p.csv detours)))
  turns=$((turns + $(json u_turns)))
}

# traced FILE N: N packets of p.csv, spread over all, and the same ones of trace
traced() {
  local src sequence dst flits generated injected end result reason latency hops turns detours left
  while IFS=, read -r src sequence dst flits generated injected end result reason latency hops turns detours; do
    expect 0 "$UTURN_BIN" trace "$1" --cycles 1200 --json --packet "$src:$((sequence % 256)):$((sequence / 256 + 1))"
    left=$(grep -c '"left_cycle"' out || true)
    [ "$result" != queued ] || continue # trace knows nothing of a packet before it is sent
    same "$1: packet $src:$sequence" \
      "$dst,$flits,$generated,${injected:-null},${end:-null},\"$result\",${latency:-null},$hops" \
      "$(for key in destination flits generated_cycle injected_cycle end_cycle result latency_cycles; do
        sed -n "s/^  \"$key\": \(.*[^,]\),\{0,1\}$/\1,/p" out | tr -d '\n'
      done)$left"
    same "$1: packet $src:$sequence: reason" "$reason" "$(sed -n 's/^  "reason": "\(.*\)",$/\1/p' out)"
    same "$1: packet $src:$sequence: U-turns" "$turns" "$(grep -c '"u_turn": true' out || true)"
    [ -n "$detours" ] || fail "$1: no detours"
    compared=$((compared + 1))
  done < <(awk -F, -v n="$2" -v lines="$(wc -l <p.csv)" 'NR > 1 && NR % int(lines / n + 1) == 0' p.csv
    awk -F, '$8 == "discarded" && ++seen % 50 == 1 && seen < 100' p.csv)
}

mkdir scenarios
write_scenarios scenarios
lost=0 detours=0 turns=0 compared=0
for file in scenarios/*.yaml; do
  for threads in 1 3; do
    expect 0 "$UTURN_BIN" run "$file" --cycles 1200 --elaborate never --threads $threads --json \
      --packets p.csv --timeline t.csv --every 50 --histogram h.csv
    [ $threads != 1 ] || for name in p t h; do mv $name.csv $name.1; done
  done
  for name in p t h; do cmp $name.1 $name.csv || fail "$file: --threads changes $name.csv"; done
  grep -v '"wall_s"\|per_s' out >with
  agree "$file"
  traced "$file" 3
  expect 0 "$UTURN_BIN" run "$file" --cycles 1200 --elaborate never --json
  diff with <(grep -v '"wall_s"\|per_s' out) || fail "$file: who looks changes results"
done
[ $lost -gt 100 ] && [ $detours -gt 20 ] && [ $turns -gt 20 ] && [ $compared -gt 30 ] ||
  fail "only $lost packets lost, $detours detours, $turns U-turns, $compared packets traced"

# of packets of one flit every flit is a head
sed 's/depth_flits: 6/depth_flits: 6, packet_flits: 1/' scenarios/switches.yaml >flit.yaml
expect 0 "$UTURN_BIN" run flit.yaml --packets p.csv --json
same "hops of packets of one flit" "$(sum p.csv hops)" "$(json flit_hops)"

# JSON has the same numbers
expect 0 "$UTURN_BIN" run scenarios/ruft.yaml --packets p.csv --timeline t.csv --histogram h.csv
expect 0 "$UTURN_BIN" run scenarios/ruft.yaml --packets p.json --timeline t.json --histogram h.json
for name in p t h; do
  diff <(tail -n +2 $name.csv | sed 's/^,/null,/; s/,,/,null,/g; s/,,/,null,/g; s/,$/,null/') \
    <(sed -n 's/^{\(.*\)},\{0,1\}$/\1/p' $name.json | sed 's/"[a-z_]*": //g; s/, /,/g; s/"//g') >/dev/null || fail "$name.json is not $name.csv"
  ! command -v python3 >/dev/null || python3 -c 'import json, sys; json.load(open(sys.argv[1]))' $name.json || fail "$name.json"
done
same "the default of --every" "$(sed -n 2p t.csv | cut -d, -f1,2)" 0,100

# lockstep looks at the golden switches: the same files
demo=$UTURN_ROOT/scenarios/demo.yaml
sed 's/at: 20000/at: 100/; s/at: 40000, until: 70000/at: 200, until: 500/; s/at: 50000, until: 90000/at: 300, until: 600/' \
  "$demo" >demo.yaml
expect 0 "$UTURN_BIN" run demo.yaml --cycles 900 --packets p.csv --timeline t.csv --histogram h.csv
for name in p t h; do mv $name.csv $name.1; done
expect 0 "$UTURN_BIN" cosim demo.yaml --cycles 900 --packets p.csv --timeline t.csv --histogram h.csv
for name in p t h; do cmp $name.1 $name.csv || fail "cosim: another $name.csv"; done

# interrupted: what there is so far
rm -f p.json
status=0
timeout -s INT 1 "$UTURN_BIN" run "$demo" --cycles 100000000 --packets p.json --json >out 2>err || status=$?
[ $status = 124 ] || [ $status = 130 ] || fail "interrupted: status $status: $(cat err)"
same "interrupted: lines" "$(grep -c '"source"' p.json)" "$(json generated_packets)"
same "interrupted: the end" "$(tail -n 1 p.json)" "]"

# ---- side by side
expect 0 "$UTURN_BIN" run scenarios/switches.yaml flit.yaml --compare --json --seeds 3 --seed 11
cp out compared
same "seeds" "$(tr -d ' \n' <compared | grep -o '"seeds":[^]]*]')" '"seeds":[11,12,13]'
for key in throughput_flits_per_cycle_per_terminal:throughput_flits_per_cycle_per_terminal latency_mean_cycles:mean \
  latency_p50_cycles:p50 latency_p99_cycles:p99 u_turns:u_turns; do
  values=
  for file in scenarios/switches.yaml flit.yaml; do
    for seed in 11 12 13; do
      expect 0 "$UTURN_BIN" run $file --seed $seed --json
      values="$values $(json "${key#*:}")"
    done
  done
  # values, means and the mean of the differences
  tr -d ' \n' <compared | grep -o "\"${key%:*}\":{[^}]*}" | tr -c '0-9.eE+\n-' ' ' >numbers
  awk -v values="$values" '
    function near(a, b) { return a - b < 1e-6 + 1e-6 * b && b - a < 1e-6 + 1e-6 * b }
    BEGIN { split(values, v, " "); a = (v[1] + v[2] + v[3]) / 3; b = (v[4] + v[5] + v[6]) / 3 }
    { n = 0; for (i = 1; i <= NF; i++) if ($i ~ /^[-+]?[0-9]/) x[++n] = $i }
    NR == 1 { bad += !near(x[n - 4], a) || !near(x[n - 2], v[1]) || !near(x[n - 1], v[2]) || !near(x[n], v[3]) }
    NR == 2 { bad += !near(x[n - 4], b) || !near(x[n - 2], v[4]) || !near(x[n - 1], v[5]) || !near(x[n], v[6]) }
    NR == 3 { d = x[n - 1] - (b - a); bad += d > 1e-5 || d < -1e-5 }
    END { exit bad || NR != 3 }' numbers || fail "--compare: ${key%:*}: $(cat numbers); runs: $values"
done
expect 0 "$UTURN_BIN" run scenarios/switches.yaml flit.yaml scenarios/ruft.yaml --cycles 600 --compare --threads 1
grep -q '^A  scenarios/switches.yaml: 4-ary 3-tree, ' out && grep -q '^seeds 1 to 5: ' out && grep -q '^B - A .* ± ' out &&
  grep -q '^C - A  *[-+]0.* ± ' out && grep -q '^ *throughput .* U-turns$' out || fail "--compare: $(cat out)"
cp out one
expect 0 "$UTURN_BIN" run scenarios/switches.yaml flit.yaml scenarios/ruft.yaml --cycles 600 --compare --threads 2
cmp one out || fail "--compare depends on how many runs there are at once"
# the same scenario twice: no difference
expect 0 "$UTURN_BIN" run flit.yaml flit.yaml --compare --seeds 2 --cycles 600
[ "$(grep '^B - A' out | grep -o '+0[.0]* ± 0[.0]*' | wc -l)" = 6 ] || fail "--compare of the same: $(cat out)"
expect 0 "$UTURN_BIN" run flit.yaml flit.yaml --compare --seeds 1 --cycles 600
! grep -q '±' out || fail "one seed has no interval: $(cat out)"
expect 4 "$UTURN_BIN" run "$UTURN_ROOT/scenarios/deadlock_one_vc.yaml" flit.yaml --compare --seeds 2
! grep -q '^warning' out || fail "a deadlock is warned of: $(cat out)"
grep -q 'deadlock_one_vc.yaml, seed [0-9]*: deadlock' err || fail "a deadlock is not told of: $(cat err)"

# warnings of run, of the seeds that have them
sed 's/load_flits_per_cycle: [0-9.]*/load_flits_per_cycle: 0.95/' flit.yaml >heavy.yaml
expect 0 "$UTURN_BIN" run heavy.yaml --cycles 6000
grep -q '^  warning     saturated: ' out || fail "0.95 is no heavy load: $(cat out)"
expect 0 "$UTURN_BIN" run flit.yaml heavy.yaml --compare --seeds 2 --cycles 6000
grep -qx 'warning of B: saturated in 2 of 2 runs: less is delivered than is offered; latency has no mean' out || fail "--compare does not warn: $(cat out)"
expect 0 "$UTURN_BIN" run flit.yaml heavy.yaml --compare --seeds 2 --seed 8 --cycles 6000 --json
tr -d ' \n' <out | grep -q '"warning_seeds":{}.*"warning_seeds":{"saturated":\[8,9\]}' || fail "--compare --json does not warn: $(cat out)"

# ---- bad input
reject() { # WORDS COMMAND...
  local words=$1 word
  shift
  expect 2 "$UTURN_BIN" "$@"
  while read -r -d '|' word; do grep -qiF -- "$word" err || fail "$*: the message lacks '$word': $(cat err)"; done <<<"$words|"
}
reject "--packets|*.csv or *.json|p.txt" run flit.yaml --packets p.txt
reject "--timeline|*.csv or *.json" cosim flit.yaml --timeline .csv
reject "--every|at least 1" run flit.yaml --timeline t.csv --every 0
reject "--every is for --timeline" run flit.yaml --every 5
reject "one scenario at a time|--compare" run flit.yaml flit.yaml
reject "one scenario at a time" cosim flit.yaml flit.yaml
reject "at least two" run flit.yaml --compare
reject "--seeds is for --compare" run flit.yaml --seeds 3
reject "--seeds|at most" run flit.yaml flit.yaml --compare --seeds 10001
reject "leave out --compare" run flit.yaml flit.yaml --compare --packets p.csv
reject "nowhere.yaml|No such file" run flit.yaml nowhere.yaml --compare
for option in --histogram --packets --timeline; do
  reject "nowhere/x.csv: cannot be written: No such file" run flit.yaml $option nowhere/x.csv --json
  [ ! -s out ] || fail "$option: results although the file cannot be written"
done
mkdir folder.csv
reject "folder.csv: cannot be written" run flit.yaml --packets folder.csv
[ -d folder.csv ] || fail "the folder is gone"
if [ -w /dev/full ]; then
  ln -sf /dev/full full.csv
  for option in --histogram --packets --timeline; do
    reject "full.csv: cannot be written: No space left" run flit.yaml $option full.csv
    [ -L full.csv ] || fail "$option removes what is no plain file"
  done
  reject "full.csv: cannot be written" cosim demo.yaml --cycles 900 --packets full.csv
fi
reject "same.csv: cannot be written" run flit.yaml --packets same.csv --timeline same.csv
# nothing is left beside the files, and an old one stays when a run fails
echo old >t.csv
reject "nowhere/x.csv" run flit.yaml --timeline t.csv --packets nowhere/x.csv
same "the old file" "$(cat t.csv)" old
left=$(find . -name '*.csv.*' -o -name '*.json.*')
[ -z "$left" ] || fail "left behind: $left"
echo "$compared packets traced, $lost lost, $detours detours, $turns U-turns"
