#!/bin/bash
# bash completes commands, options, enumerated values, algorithms and files, with the script of `uturn completion`.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
mkdir script
"$UTURN_BIN" completion >script/uturn.bash
# shellcheck disable=SC1091
. script/uturn.bash
mkdir files
cd files
complete -p uturn | grep -q -- '-F _uturn' || fail "not registered"
mkdir sub
touch one.yaml two.yaml three.trace dump.fst sub/four.yaml 'with space.yaml'

# answers WORD...: what the last word becomes, sorted, in a line
answers() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _uturn
  printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//'
}
is() { # EXPECTED WORD...
  local expected=$1 found
  shift
  found=$(answers "$@")
  [ "$found" = "$expected" ] || fail "$*: '$found', expected '$expected'"
}
is "completion cosim cost coverage" uturn co
is "completion" uturn com
is "--wave --wave-switches --wave-window" uturn cosim one.yaml --wave
is "gate rtl" uturn cosim --dut ""
is "gate" uturn cosim --dut = g
is "gate rtl" uturn cosim --dut =
is "fault mismatch" uturn cosim --wave-window ""
is "dump.fst sub" uturn cosim --wave ""
is "sub" uturn cosim --rtl ""
is "" uturn cosim --seed ""
is "always long never" uturn run --elaborate ""
is "one.yaml sub two.yaml with space.yaml" uturn run ""
is "sub/four.yaml" uturn run sub/
is "one.yaml" uturn tolerance --mechanisms I+D on
is "I+D I+D+M I+M" uturn tolerance --mechanisms I+
is "algorithm= alloc_cycles=" uturn cost one.yaml --vary al
is "dor dor_without_bubble" uturn cost --vary algorithm = do
is "fta,destro fta,detour fta,detour_literal" uturn cost --vary algorithm = fta,de
is "vct wormhole" uturn cost --vary switching =
is "dump.fst sub" uturn wave ""
is "tables throughput_faults torus traffic two.yaml" uturn new t
is "scenario sweep" uturn schema s
is "cosim cost" uturn man cos
# every option of every command
options=0
for command in $("$UTURN_BIN" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  all=" $(answers uturn "$command" --) "
  for option in $("$UTURN_BIN" "$command" --help | grep -oE '^ {2,6}(-.*)?--[a-z-]+' | grep -oE -- '--[a-z-]+' | grep -v usage); do
    options=$((options + 1))
    case $all in *" $option "*) ;; *) fail "$command: no $option" ;; esac
  done
done
[ $options -ge 70 ] || fail "only $options options"
echo "$options options"
