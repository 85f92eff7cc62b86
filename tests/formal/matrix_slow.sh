#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The matrix of proofs: each row of matrix.tsv is a block of the RTL with parameters, and what a solver shows of it
# (docs/explanation/proofs.md).  Yosys, yosys-smtbmc and z3.
#
#   tests/formal/matrix_slow.sh [--all] [--keep FOLDER] [BLOCK...]
#
# Modes of a row:
#   prove K       the assertions hold in the first K cycles, and K cycles in which they hold are followed by one in which
#                 they do: so they hold for ever (induction)
#   bounded K     they hold in the first K cycles
#   cover K       what the block's `cover` says is reached within K cycles: the assumptions do not forbid everything
#   fails K       the assertion named in the row, alone, fails within K cycles: parameters for which it does not hold
#   mutant:M K    with mutant M of tests/mutants.txt the assertion named in the row, alone, fails within K cycles: it can fail
# A parameter K=2..16 stands for a row for each number.  Without --all: the rows marked `quick`.  --keep: models, logs and waves
# (.vcd) of covers and mutants stay there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
UTURN_ROOT=${UTURN_ROOT:-$(cd "$here/../.." && pwd)}
rtl=$UTURN_ROOT/rtl
. "$UTURN_ROOT/tests/mutants.bash"
all='' keep='' blocks=" "
while [ $# -gt 0 ]; do
  case $1 in
  --all) all=1 ;;
  --keep) keep=${2:?"a folder"}; shift ;;
  -*) echo "usage: matrix_slow.sh [--all] [--keep FOLDER] [BLOCK...]" >&2; exit 2 ;;
  *) blocks="$blocks$1 " ;;
  esac
  shift
done
work=${keep:-$(mktemp -d)}
mkdir -p "$work"
[ -n "$keep" ] || trap 'rm -rf "$work"' EXIT
fail() { echo "matrix: $*" >&2; exit 1; }

# connects BLOCK PARAMETERS: "// see NAME = PATH [for i < COUNT]" in the block's file gives its assertions registers from
# inside.  A name that does not exist stops Yosys.
connects() {
  local name path loop count i range at
  # shellcheck disable=SC2086,SC2163 # assignments, for the expressions
  (
    for i in $2; do declare "$i"; done
    sed -n 's|^// see \([^ ]*\) = \([^ ]*\)\( for i < \(.*\)\)*$|\1 \2 \4|p' "$here/$1.v" |
      while read -r name path loop; do
        count=$((${loop:-1}))
        for ((i = 0; i < count; i++)); do
          range=${name#*[} at=${path//\[i\]/[$i]}
          if [ "$range" = "$name" ]; then
            range=
          else
            range=${range%]}
            range="[$((${range%:*})):$((${range#*:}))]"
          fi
          echo "connect -nomap -nounset -set see_${name%%[*}$range \\$at"
        done
      done
  )
}

# frees BLOCK: "// free PATH" in the block's file gives a wire inside any value: what drives it does not count, so what is shown
# holds whatever that would be.
frees() { sed -n 's|^// free \([^ ]*\)$|cutpoint w:\1|p' "$here/$1.v"; }

# model NAME BLOCK PARAMETERS RTL [ASSERTION]: NAME.smt2, down to single bits, so that payload which nothing looks at
# disappears.  With an assertion all others are left out.  Of the RTL Yosys reads what the block needs, but for modules that the
# block's file defines, as what is proven of them elsewhere.
model() {
  local p top=$here/$2.v proof=-DUT_PROOF
  [ ! -s "$work/$1.smt2" ] || return 0
  if [ -n "${5-}" ]; then
    top=$work/$1.v proof=
    grep -q "^ *$5: assert" "$here/$2.v" || fail "$2.v has no assertion '$5'"
    sed -E "/^ *[a-z0-9_]+: assert/{/^ *$5:/!d}" "$here/$2.v" >"$top"
  fi
  {
    printf '%s\n' "verilog_defaults -add -formal $proof -I$4" "read_verilog $top"
    for p in $3; do echo "chparam -set ${p%=*} ${p#*=} $2"; done
    printf '%s\n' "hierarchy -check -libdir $4 -top $2" proc flatten memory_collect memory_map "cd $2"
    frees "$2"
    connects "$2" "$3"
    printf '%s\n' "cd .." "opt -full" async2sync techmap simplemap "opt -full" opt_clean dffunmap \
      "write_smt2 -wires $work/$1.smt2"
  } >"$work/$1.ys"
  yosys -q -l "$work/$1.log" "$work/$1.ys" >/dev/null 2>&1 || fail "$2 $3: Yosys: $(tail -3 "$work/$1.log")"
  ! grep -q 'implicitly declared' "$work/$1.log" || fail "$2.v: an undeclared name: $(grep 'implicitly' "$work/$1.log")"
}

# solve NAME MODE OPTIONS...: runs the solver, its words in NAME.MODE.out
solve() {
  local name=$1 mode=$2
  shift 2
  PATH="$here:$PATH" yosys-smtbmc -s z3 --unroll --noprogress "$@" "$work/$name.smt2" >"$work/$name.$mode.out" 2>&1
}
words() { grep -E 'Assert|Unreached|assumption|Status|Error|error' "$work/$1.out" | head -5; }

rows=0 TIMEFORMAT=%U
# row BLOCK PARAMETERS MODE DEPTH WHAT
row() {
  local block=$1 parameters=$2 mode=$3 depth=$4 what=$5 name copy
  name=$block.$(echo "$parameters" | tr -c 'A-Za-z0-9\n' '_')
  case $mode in
  prove)
    model "$name" "$block" "$parameters" "$rtl"
    solve "$name" base -t "$((depth + 1))" || fail "$block $parameters: in the first cycles: $(words "$name.base")"
    solve "$name" induction -i -t "$depth" || fail "$block $parameters: no induction over $depth: $(words "$name.induction")"
    ;;
  bounded)
    model "$name" "$block" "$parameters" "$rtl"
    solve "$name" base -t "$depth" --dump-vcd "$work/$name.vcd" || fail "$block $parameters: $(words "$name.base")"
    ;;
  cover)
    model "$name" "$block" "$parameters" "$rtl"
    solve "$name" cover -c -t "$depth" --dump-vcd "$work/$name.cover%.vcd" ||
      fail "$block $parameters: not reached within $depth cycles: $(words "$name.cover")"
    ;;
  fails | mutant:*)
    mode=${mode#mutant:} copy=$work/rtl.$mode
    if [ "$mode" = fails ]; then
      copy=$rtl
    else
      plant_mutant "$mode" "$copy" || fail "no mutant $mode"
    fi
    name=$name.$mode.$what
    model "$name" "$block" "$parameters" "$copy" "$what"
    if solve "$name" mutant -t "$depth" --dump-vcd "$work/$name.vcd"; then
      fail "$block $parameters: $mode: nothing is found within $depth cycles"
    fi
    grep -q "Assert failed in .*: $what" "$work/$name.mutant.out" ||
      fail "$block $parameters: $mode: not $what: $(words "$name.mutant")"
    ;;
  *) fail "matrix.tsv: mode '$mode'" ;;
  esac
}

# each PARAMETERS: a line for each number of a range in them
each() {
  local range n
  range=$(grep -o '[0-9]*\.\.[0-9]*' <<<"$1") || { echo "$1"; return; }
  for ((n = ${range%..*}; n <= ${range#*..}; n++)); do echo "${1/"$range"/$n}"; done
}

while IFS=$'\t' read -r block parameters mode depth what when; do
  case $block in '' | '#'*) continue ;; esac
  [ -n "$all" ] || [ "$when" = quick ] || continue
  [ "$blocks" = " " ] || [[ $blocks == *" $block "* ]] || continue
  while read -r one <&4; do
    { seconds=$({ time row "$block" "$one" "$mode" "$depth" "$what" >&3; } 2>&1); } 3>&1 || { echo "$seconds" >&2; exit 1; }
    printf '%-10s %-34s %-28s %2s  %-20s %s s\n' "$block" "$one" "$mode" "$depth" "$what" "$seconds"
    rows=$((rows + 1))
  done 4< <(each "$parameters")
done <"$here/matrix.tsv"
[ $rows -gt 0 ] || fail "no row for$blocks"
echo "$rows rows hold"
