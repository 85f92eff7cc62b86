#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# X propagation: from an unknown state through reset and traffic in Icarus, for many parameter sets (x_propagation_tb.v).
#
#   tests/icarus/x_propagation_slow.sh [FOLDER]     folder of ut_switch.v, default rtl/; given: the first set only
#
# Control registers are all registers but the payload, which a reset leaves alone (CONTRIBUTING.md, rule 5); a bad_q
# of node states is no payload.  That the check can fail is shown by changed copies of the RTL in which one register is not reset.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
rtl=$(cd "${1:-$root/rtl}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
payload=' data_q tag_q cand_q bubble_q preferred_q rt_q kind_q bad_q vc_q table_q bank_q map_q begins_q '

# check.vh: a line for each control register that the dump of names has
names() {
  awk -v payload="$payload" '
    $1 == "$scope" { path[++depth] = $3 }
    $1 == "$upscope" { depth-- }
    $1 == "$var" && $2 == "reg" && $5 ~ /_q$/ && (index(payload, " " $5 " ") == 0 || path[depth] == "u_nodes") {
      name = path[2]
      for (i = 3; i <= depth; i++) name = name "." path[i]
      name = name "." $5
      printf "if (^%s === 1'"'"'bx) fail(\"%s\");\n", name, name
      n++
    }
    END { exit !n }' names.vcd >check.vh
}

compile() { # OPTION...; of the caller: rtl
  iverilog -g2005 -I"$rtl" -I. -y"$rtl" -s x_propagation_tb "$@" -o tb "$here/x_propagation_tb.v" && vvp -n tb >log
}

# simulate RTL NAME=VALUE...: what the bench says
simulate() {
  local set rtl=$1 options=
  shift
  for set; do options="$options -Px_propagation_tb.$set"; done
  # shellcheck disable=SC2086 # options are words
  compile $options && names && compile -DCHECK $options && cat log
}

first=
status=0
while read -r set; do
  [ -n "$set" ] || continue
  first=${first:-$set}
  # shellcheck disable=SC2086
  simulate "$rtl" $set >said || true
  echo "$set: $(cat said), $(wc -l <check.vh) control registers"
  grep -q ^passed said || status=1
  [ $# = 0 ] || exit $status
done <<'SETS'
PI=8 PO=8 ROUTE_CYCLES=1
PI=4 PO=4 ALGORITHM=0
PI=4 PO=4 ALGORITHM=3 V=2 ROUTE_CYCLES=2 ALLOC_CYCLES=2
PI=6 PO=6 ALGORITHM=5 V=3 DEPTH=6 REPORTS=2 XBAR_CYCLES=1
PI=8 PO=8 V=3 DEPTH=9 MAX_PACKET=4 SWITCHING=1 W=128 XBAR=1 XBAR_CYCLES=1
PI=4 PO=4 DEPTH=1 MAX_PACKET=1 ROUTE_CYCLES=4
PI=4 PO=4 ROUTE=1 ALGORITHM=1 V=2 DESTINATIONS=8
PI=5 PO=5 ROUTE=2 ALGORITHM=0 SIZE0=4 SIZE1=4
PI=5 PO=5 ROUTE=2 ALGORITHM=2 V=4 DEPTH=8 MAX_PACKET=4 SIZE0=3 SIZE1=3 ROUTE_CYCLES=1 XBAR=1
PI=5 PO=5 ROUTE=2 ALGORITHM=2 V=3 DEPTH=10 MAX_PACKET=5 MIN_PACKET=4 SIZE0=4 SIZE1=4 ESCAPES=2 DETERMINISTIC=1 MISROUTE=1
PI=8 PO=8 ROUTE=4 ALGORITHM=0 RADIX=4 PARALLEL=2 ROUTE_CYCLES=4
PI=5 PO=5 ROUTE=5 ALGORITHM=2 V=2 CUBE=4 SWITCHING=1
PI=5 PO=5 ROUTE=6 ALGORITHM=2 V=2 SIZE0=5 SIZE1=4 SWITCHING=1 ROUTE_CYCLES=1 REPORTS=7
PI=7 PO=7 ROUTE=7 ALGORITHM=3 V=4 SIZE0=3 SIZE1=3 SIZE2=3 DEPTH=3 MAX_PACKET=3 REPORTS=9
SETS

# One register each that is not reset.
while read -r file edit; do
  rm -rf changed
  cp -r "$rtl" changed
  sed -i "$edit" "changed/$file"
  ! cmp -s "$rtl/$file" "changed/$file" || { echo "$file: '$edit' changes nothing" >&2; exit 1; }
  # shellcheck disable=SC2086
  simulate "$work/changed" $first >said || true
  if grep -q ^FAILED said; then
    echo "$file without reset: $(cat said)"
  else
    echo "$file: '$edit' is not found" >&2
    status=1
  fi
done <<'EDITS'
ut_output_unit.v s/ & ~rst_i//
ut_input_vc.v s/if (rst_i) open_q/if (1'b0) open_q/
ut_rr_pointer.v s/if (rst_i) pointer_q/if (1'b0) pointer_q/
ut_vc_allocator.v s/if (rst_i) select_q/if (1'b0) select_q/
ut_fifo.v s/if (rst_i)/if (1'b0)/
EDITS
exit $status
