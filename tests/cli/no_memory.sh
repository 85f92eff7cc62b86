#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Memory that ends at an allocation, for good or just for that one: exit status 2 and a message, or the same results; never a crash, never
# results that lack something.
#
#   tests/cli/no_memory.sh [PLACES]     allocations of each command that fail, for good and once, default 7
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/hostile.bash
. "$UTURN_ROOT/tests/cli/hostile.bash"
hostile no_memory
places=${1:-7} tried=0
scenarios
uturn=$UTURN_BIN
"$uturn" sweep sweep.yaml >/dev/null
# left COMMAND...: with so little memory left; sets status
left() { # CALLS ONCE COMMAND...
  local calls=$1 once=$2
  shift 2
  status=0
  (ulimit -c 0; exec env ${once:+UT_MEMORY_ONCE=1} UT_MEMORY_STATE="$work/state" UT_MEMORY_CALLS="$calls" LD_PRELOAD="$work/no_memory.so" \
    timeout 60 "$@") >out 2>err </dev/null || status=$?
}
short() { # FILE COMMAND...: FILE is written, or -
  local file=$1 all n once good
  shift
  UT_MEMORY_STATE="$work/state" UT_MEMORY_CALLS=1000000000 LD_PRELOAD="$work/no_memory.so" "$@" >out 2>err </dev/null || fail "$*: $(cat err)"
  all=$(cat state)
  plain out >wanted
  [ "$file" = - ] || plain "$file" >wanted.file
  for once in '' 1; do
    # what the C library does before the first one is its own
    for n in $(some "$all" "$places"); do
      rm -f "$file"
      left "$n" "$once" "$@"
      tried=$((tried + 1))
      good=
      if [ $status = 0 ]; then
        plain out | cmp -s - wanted && good=yes
        [ "$file" = - ] || { plain "$file" >found && cmp -s found wanted.file; } || good=
      elif [ $status = 2 ] && [ "$(grep -c '^uturn[^:]*: ' err)" = 1 ]; then
        good=yes
        [ "$file" = - ] || [ ! -e "$file" ] || { plain "$file" >found && cmp -s found wanted.file; } || good=
      fi
      [ -n "$good" ] || fail "allocation $n of $all fails${once:+ once}: $*: status $status: $(head -c 300 err) $(diff <(plain out) wanted | head -3)"
    done
  done
  [ -z "$(find . -name '*.part')" ] || fail "$*: left behind: $(find . -name '*.part')"
}
short - "$uturn" run brief.yaml --elaborate never --json
short p.csv "$uturn" run planned.yaml --elaborate never --packets p.csv
short - "$uturn" run brief.yaml good.yaml --compare --seeds 2 --cycles 100 --threads 1
short - "$uturn" prove planned.yaml --workers 1 --json
short good.cert "$uturn" prove good.yaml --certificate good.cert
short - "$uturn" tolerance brief.yaml --faults 1 --workers 2
short - "$uturn" tolerance planned.yaml --mechanisms I+D --faults 1..2 --json
short better.lfts "$uturn" plan "$UTURN_ROOT/scenarios/racks.net" --vcs 2 --write better.lfts --sl better.sl --tables "$UTURN_ROOT/scenarios/racks.lfts"
short - "$uturn" net brief.yaml --loads --json
short - "$uturn" trace brief.yaml --packet 0:0 --json
short - "$uturn" route brief.yaml --all --json
short - "$uturn" schema
short new.yaml "$uturn" new torus new.yaml
short page.html "$uturn" report page.html brief.yaml sweep.sqlite
short - "$uturn" sweep sweep.yaml --read
short - "$uturn" sweep sweep.yaml --check
# an address space that is too small for the network
sed 's/4, 4/256, 256/' good.yaml >large.yaml
for words in "run large.yaml" "net large.yaml" "tolerance large.yaml --links network --faults 1" "trace large.yaml --packet 0:0"; do
  status=0
  # shellcheck disable=SC2086
  (ulimit -v 200000; exec timeout 60 "$uturn" $words) >out 2>err || status=$?
  [ $status = 2 ] && grep -q '^uturn: .*memory' err || fail "ulimit -v 200000: $words: status $status: $(head -c 300 err)"
done
echo "no_memory: $tried allocations that failed"
