#!/bin/bash
# blocks.sh - every block of the RTL against its C twin under random stimulus (tests/rtl).
# Usage: tests/cosim/blocks.sh [block...]; UTURN_BUILD is the build folder (default: build).  UTURN_RTL is another folder of
# the RTL, UTURN_BLOCKS another one for what is built: for changed copies of the RTL (tests/cosim/assertions.sh).
# The assertions of the RTL (rtl/assertions.vh) run here.
set -eu
cd "$(dirname "$0")/../.."
out=${UTURN_BLOCKS:-${UTURN_BUILD:-build}/blocks}
rtl=${UTURN_RTL:-rtl}
mkdir -p "$out"
out=$(cd "$out" && pwd)
root=$PWD
if [ $# -eq 0 ]; then
  set -- vc_allocator rr_arbiter switch_allocator route_unit route_torus output_unit fifo reroute_vector
fi
algorithms=$(grep -c '^fattree' rtl/algorithms.tsv)
tables=$(grep -c '^table' rtl/algorithms.tsv)
include=$(verilator --getenv VERILATOR_ROOT)/include
[ -f "$include/verilated.h" ] || include=/usr/share/verilator/include
cxx="${CXX:-g++} -std=c++17 -O1 -w -I$include -I$include/vltstd -I$root/csim/switch -I$root/tests/rtl"

# newer TARGET SOURCE...: the target exists and no source is newer
newer() {
  local target=$1
  shift
  [ -f "$target" ] && [ -z "$(find "$@" -newer "$target" -print -quit)" ]
}

build_common() {
  local f
  newer "$out/common.done" csim/switch tests/cosim/blocks.sh && return
  for f in verilated verilated_threads; do
    [ -f "$include/$f.cpp" ] || continue
    $cxx -c "$include/$f.cpp" -o "$out/$f.o" &
  done
  for f in csim/switch/*.c; do
    "${CC:-gcc}" -std=gnu11 -O1 -Icsim/switch -c "$f" -o "$out/twin_$(basename "$f" .c).o"
  done
  wait
  touch "$out/common.done"
}

build_block() {
  local block=$1 dir=$out/$1
  newer "$dir/test" "$rtl" csim/switch tests/rtl/"$block"_tb.* tests/rtl/blocks.hpp tests/cosim/blocks.sh && return
  rm -rf "$dir"
  local flags=()
  [ "$block" != route_unit ] || flags=("-GALGORITHMS=$algorithms" "-GTABLES=$tables")
  verilator --cc --exe -O3 --x-assign fast --x-initial unique --no-timing -Wno-fatal -Wno-WIDTH -Wno-UNUSED -Wno-DECLFILENAME \
    -Wno-UNOPTFLAT --top-module "${block}_tb" --prefix "V${block}_tb" --Mdir "$dir" -I"$rtl" --assert +define+UT_ASSERTIONS "${flags[@]}" \
    "tests/rtl/${block}_tb.v" "$root/tests/rtl/${block}_tb.cpp"
  for f in "$dir"/V*.cpp "$root/tests/rtl/${block}_tb.cpp"; do
    echo "#include \"$f\""
  done >"$dir/all.cpp"
  $cxx -I"$dir" -DALGORITHMS="$algorithms" -DTABLES="$tables" "$dir/all.cpp" "$out"/verilated*.o "$out"/twin_*.o -pthread -latomic -o "$dir/test.new"
  mv "$dir/test.new" "$dir/test"
}

one() {
  build_block "$1" >"$out/$1.log" 2>&1 || {
    echo "building $1 fails:"
    tail -n 20 "$out/$1.log"
    return 1
  }
  "$out/$1/test"
}

build_common
failed=0
pids=()
for block; do # two at a time
  if [ ${#pids[@]} -ge 2 ]; then
    wait "${pids[0]}" || failed=1
    pids=("${pids[@]:1}")
  fi
  one "$block" &
  pids+=($!)
done
for pid in "${pids[@]}"; do
  wait "$pid" || failed=1
done
exit $failed
