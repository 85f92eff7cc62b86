# SPDX-License-Identifier: Apache-2.0
# blocks.bash - builds the benches of tests/rtl; sourced in the root of the repository by blocks_slow.sh and mutants_slow.sh.  Benches
# see the assertions of the RTL (rtl/assertions.vh).  Compiling takes longer than running, so most is compiled with -O0.
out=${UTURN_BUILD:-build}/blocks
mkdir -p "$out"
out=$(cd "$out" && pwd)
root=$PWD
include=$(verilator --getenv VERILATOR_ROOT)/include
[ -f "$include/verilated.h" ] || include=/usr/share/verilator/include
cxx="${CXX:-g++} -std=c++17 -w -I$include -I$include/vltstd -I$root/spec -I$root/tests/rtl"

# newer TARGET SOURCE...: the target exists and no source is newer
newer() {
  local target=$1
  shift
  [ -f "$target" ] && [ -z "$(find "$@" -newer "$target" -print -quit)" ]
}

# in_pairs FUNCTION ARGUMENT...: calls it for each argument, two at a time; fails if one of them fails
in_pairs() {
  local function=$1 failed=0 pids=()
  shift
  for argument; do
    if [ ${#pids[@]} -ge 2 ]; then
      wait "${pids[0]}" || failed=1
      pids=("${pids[@]:1}")
    fi
    "$function" "$argument" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do
    wait "$pid" || failed=1
  done
  return $failed
}

compile_common() {
  case $1 in
  headers) $cxx -O0 -x c++-header tests/rtl/blocks.hpp -o "$out/common/blocks.hpp.gch" ;;
  *.c) "${CC:-gcc}" -std=gnu11 -O1 -w -c "$1" -o "$out/common/spec/$(basename "$1" .c).o" ;;
  *) $cxx -O0 -c "$include/$1.cpp" -o "$out/common/$1.o" ;;
  esac
}

# What all benches share: the simulator's runtime, the spec, headers.  A bench may have its own one of a function of the spec, so
# that is a library.  Scripts that run at once wait for one of them.
build_common() (
  flock 9
  newer "$out/common/done" spec tests/rtl/blocks.hpp tests/cosim/blocks.bash && exit
  rm -rf "$out/common"
  mkdir -p "$out/common/spec"
  local threads=
  [ ! -f "$include/verilated_threads.cpp" ] || threads=verilated_threads
  # shellcheck disable=SC2086 # a word or none
  in_pairs compile_common verilated headers spec/*.c $threads
  ar rcs "$out/common/spec.a" "$out"/common/spec/*.o
  touch "$out/common/done"
) 9>"$out/common.lock"

# build_bench BENCH RTL FOLDER: into FOLDER/test
build_bench() {
  local bench=$1 rtl=$2 dir=$3 source=$1 family= f optimize=-O0
  case $bench in # one source; families are numbered there
  route_fattree) family=0 ;;
  route_table) family=1 ;;
  route_torus) family=2 ;;
  route_ruft) family=3 ;;
  route_detour_cube) family=4 ;;
  route_detour_grid) family=5 ;;
  rr_arbiter | output_unit) [ "$rtl" != rtl ] || optimize=-O1 ;; # a little code that runs long
  esac
  [ -z "$family" ] || source=route_unit
  newer "$dir/test" "$rtl" spec tests/rtl/"${source}"_tb.* tests/rtl/blocks.hpp tests/cosim/blocks.bash && return
  rm -rf "$dir"
  verilator --cc --exe -O3 --x-assign fast --x-initial unique --no-timing -Wno-fatal -Wno-WIDTH -Wno-UNUSED -Wno-DECLFILENAME \
    -Wno-UNOPTFLAT -Wno-CMPCONST --top-module "${source}_tb" --prefix "V${source}_tb" --Mdir "$dir" -I"$rtl" +define+UT_ASSERTIONS \
    ${family:+-GFAMILY=$family} "tests/rtl/${source}_tb.v" "$root/tests/rtl/${source}_tb.cpp"
  for f in "$dir"/V*.cpp "$root/tests/rtl/${source}_tb.cpp"; do
    echo "#include \"$f\""
  done >"$dir/all.cpp"
  $cxx $optimize -Winvalid-pch -I"$out/common" -include blocks.hpp -I"$dir" ${family:+-DFAMILY=$family} "$dir/all.cpp" \
    "$out"/common/*.o "$out/common/spec.a" -pthread -latomic -o "$dir/test.new"
  mv "$dir/test.new" "$dir/test"
}
