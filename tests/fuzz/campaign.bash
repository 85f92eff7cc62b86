# campaign.bash - what the random lockstep campaigns share; a script sources it, sets
#   cycles       of each scenario
#   shapes       one elaboration a line: its share first; of every sum(share) consecutive seeds, `share` use that line.
#                A campaign of as many scenarios or more must have met every line
#   scenarios    how many in the test suite (default: sum(share))
# defines scenario SEED, which writes the YAML, and ends with: campaign "$@".  The first line of a scenario is
#   # NAME SEED 1: elaboration WORDS, ..., may deadlock 0 or 1
# Usage of such a script: [FIRST_SEED [COUNT]], or --each for one scenario of each shape, or --print SEED.  A failing scenario
# is kept in $UTURN_BUILD/fuzz/.
# UTURN_CAMPAIGN_TIMES: scenarios of so many times as many cycles, faults and all; `times` in the script.
# UTURN_CAMPAIGN_GOLDEN: what the RTL is compared with, as --golden of `uturn cosim`: model (default) or spec.
# UTURN_CAMPAIGN_QUEUES: shapes with output queues: some (default): every other one; all; none.
# UTURN_CAMPAIGN_SHAPES: only so many of the shapes, spread evenly over the list: each costs a model of the RTL.

UTURN_ROOT=${UTURN_ROOT:-$(cd "$(dirname "$0")/../.." && pwd)}
UTURN_BUILD=${UTURN_BUILD:-$UTURN_ROOT/build}
UTURN_BIN=${UTURN_BIN:-$UTURN_BUILD/uturn}
export UTURN_ROOT UTURN_BUILD UTURN_BIN
times=${UTURN_CAMPAIGN_TIMES:-1}
golden=${UTURN_CAMPAIGN_GOLDEN:-model}
queues=${UTURN_CAMPAIGN_QUEUES:-some}
# For awk.  add_shape(): the line read is the next shape: slot[] holds it as often as its share is, line[] there its number.
# x is the state of random numbers.  Park-Miller: exact in double precision, the same in every awk.
# rnd(n): 0..n-1; pick("A B ..."): one of the words; queue(N, LEAST): the keys of the output queues of the N-th shape, which
# need LEAST places: up to 32, those of a shape always the same.
random='
    function add_shape(i) { lines++; for (i = 0; i < $1; i++) { line[slots + 0] = lines; slot[slots++] = $0 } }
    function rnd(n) { x = x * 16807 % 2147483647; return int(x / 2147483647 * n) }
    function pick(list, a, n) { n = split(list, a, " "); return a[rnd(n) + 1] }
    function queue(n, least, more, depth) {
      if (queues == "none" || (queues == "some" && n % 2)) return ""
      split("0 3 1 12 0 7 2 28", more, " ")
      depth = least + more[1 + int(n / 2) % 8]
      return sprintf(", output_depth_flits: %d%s", depth > 32 ? 32 : depth, int(n / 2) % 2 ? ", selection: output_space" : "")
    }
    function queue_name(keys) { gsub(/[ ,a-z_]*: /, "-", keys); return keys } # in the name of an elaboration'
name=$(basename "$0")
# The settings that differ from the default, as a command has them in front.
settings() {
  [ "$times" = 1 ] || printf 'UTURN_CAMPAIGN_TIMES=%s ' "$times"
  [ "$golden" = model ] || printf 'UTURN_CAMPAIGN_GOLDEN=%s ' "$golden"
  [ "$queues" = some ] || printf 'UTURN_CAMPAIGN_QUEUES=%s ' "$queues"
  [ -z "${UTURN_CAMPAIGN_SHAPES-}" ] || printf 'UTURN_CAMPAIGN_SHAPES=%s ' "$UTURN_CAMPAIGN_SHAPES"
}
# some_shapes N: N of the lines of $shapes, the first one and then evenly spread; all of them if there are no more.
some_shapes() {
  echo "$shapes" | awk -v wanted="$1" 'NF { line[n++] = $0 }
    END { if (wanted > n) wanted = n; for (i = 0; i < wanted; i++) print line[int(i * n / wanted)] }'
}
# one SEED: a line for the totals into $work/SEED.total
one() {
  local file="$work/seed-$1.yaml" json="$work/$1.json" status=0
  scenario "$1" >"$file"
  "$UTURN_BIN" cosim "$file" --golden "$golden" --cycles "$cycles" --threads 1 --json >"$json" 2>"$work/$1.err" || status=$?
  if [ $status = 4 ] && grep -q 'may deadlock 1$' "$file"; then status=0; fi
  { head -n 1 "$file"; cat "$json"; } | awk -v status=$status '
    NR == 1 { sub(",", "", $6); shape = $6; next }
    { gsub(/[",]/, ""); v[$1] = $2 }
    END { print status, shape, v["switch_cycles:"] + 0, v["cycles:"] + 0, v["mismatches:"] + 0, v["u_turns:"] + 0, v["cut_by_fault:"] + 0,
          v["in_failed_switch:"] + 0, v["unreachable:"] + 0, v["delivered_packets:"] + 0, v["deadlock:"] == "true", v["corrupt_packets:"] + 0,
          v["compared_switch_states:"] + 0, v["compared_switch_states:"] * v["compared_state_bits_per_switch:"] }' >"$work/$1.total"
  if [ $status != 0 ]; then
    mkdir -p "$UTURN_BUILD/fuzz"
    cp "$file" "$UTURN_BUILD/fuzz/"
    { echo "FAILED: seed $1, exit status $status, kept as $UTURN_BUILD/fuzz/seed-$1.yaml"
      cat "$work/$1.err"
      sed -n '/^  "mismatch": {/,/^  }/p' "$json"
      echo "reproduce: $(settings)tests/fuzz/$name $1 1"; } >&2
  fi
  rm -f "$file" "$json" "$work/$1.err"
}

campaign() {
  case "${UTURN_CAMPAIGN_SHAPES-}" in
  '') ;;
  0* | *[!0-9]*) echo "$name: UTURN_CAMPAIGN_SHAPES is '$UTURN_CAMPAIGN_SHAPES'; expected: a number of shapes, from 1 on" >&2; exit 2 ;;
  *) shapes=$(some_shapes "$UTURN_CAMPAIGN_SHAPES") ;;
  esac
  case "$queues" in
  some | all | none) ;;
  *) echo "$name: UTURN_CAMPAIGN_QUEUES is '$queues'; expected: some, all, none" >&2; exit 2 ;;
  esac
  case "${1-}" in
  --one) one "$2"; exit ;;
  --print) scenario "$2"; exit ;; # the scenario of a seed
  --each) ;;
  *[!0-9]*) echo "usage: tests/fuzz/$name [FIRST_SEED [COUNT]] | --each | --print SEED" >&2; exit 2 ;;
  esac
  read -r lines slots < <(echo "$shapes" | awk 'NF { n++; slots += $1 } END { print n, slots }')
  if [ "${1-}" = --each ]; then
    seeds=$(echo "$shapes" | awk -v seed=$((slots - 1)) 'NF { print seed += $1 }')
    slots=0
  else
    seeds=$(seq "${1:-1}" $((${1:-1} + ${2:-${scenarios:-$slots}} - 1)))
  fi
  count=$(echo "$seeds" | wc -l)
  work=$(mktemp -d)
  export work
  trap 'rm -rf "$work"' EXIT
  echo "$seeds" | xargs -P "${UTURN_JOBS:-2}" -n1 "$0" --one
  cat "$work"/*.total | awk -v wanted="$count" -v lines="$lines" -v slots="$slots" -v golden="$golden" '
    { n++; bad += $1 != 0; if (!seen[$2]++) shapes++; switches += $3; cycles += $4; mismatches += $5; u += $6
      cut += $7; inside += $8; un += $9; delivered += $10; dead += $11; corrupt += $12; states += $13; bits += $14 }
    END {
      printf "RTL against the %s: %d scenarios, %d elaborations, %.0f cycles, %.0f switch-cycles, %d mismatches, %d failed\n",
        golden, n, shapes, cycles, switches, mismatches, bad
      printf "%.0f switch states compared, %.1f Gbit of registers\n", states, bits / 1e9
      printf "packets: %.0f delivered, %d corrupt; discarded: %d cut_by_fault, %d in_failed_switch, %d unreachable\n", delivered, corrupt, cut, inside, un
      printf "%.0f U-turns, %d deadlocks where they may be\n", u, dead
      exit !(n == wanted && !bad && !mismatches && !corrupt && states && (wanted < slots || shapes == lines))
    }'
}
