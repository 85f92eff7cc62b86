#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bash, zsh and fish complete commands, options, enumerated values, algorithms and files, with the scripts of `uturn completion`.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
mkdir script
"$UTURN_BIN" completion >script/uturn.bash
"$UTURN_BIN" completion bash | cmp - script/uturn.bash || fail "bash is not what is printed without a name"
"$UTURN_BIN" completion zsh >script/_uturn
"$UTURN_BIN" completion fish >script/uturn.fish
reject "expected 'bash', 'zsh' or 'fish', not 'tcsh'" "$UTURN_BIN" completion tcsh
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
is "dor dor_dateline dor_without_bubble" uturn cost --vary algorithm = do
is "fta,destro fta,detour fta,detour_literal fta,detour_low_high fta,detour_reserved" uturn cost --vary algorithm = fta,de
is "vct wormhole" uturn cost --vary switching =
is "dump.fst sub" uturn wave ""
is "tables throughput_faults torus traffic two.yaml" uturn new t
is "scenario sweep" uturn schema s
is "cosim cost" uturn man cos
is "cosim cost" uturn help cos
# every option of every command
options=0
for command in $("$UTURN_BIN" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  all=" $(answers uturn "$command" --) "
  for option in $("$UTURN_BIN" "$command" --help | grep -oE '^ {2,6}(-.*)?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
    options=$((options + 1))
    case $all in *" $option "*) ;; *) fail "$command: no $option" ;; esac
  done
done

# the other shells, by their own completion: words, options, values, files
for shell in zsh fish; do command -v $shell >/dev/null || fail "needs $shell: apt-get install $shell"; done
sorted() { LC_ALL=C sort -u | tr '\n' ' ' | sed 's/ $//'; }
cp ../script/_uturn .
zsh() { timeout 20 "$(type -P zsh)" -f "$UTURN_ROOT/tests/cli/completion.zsh" "$1" | sorted; }
fish() { env HOME="$work" "$(type -P fish)" -N -c 'source ../script/uturn.fish; complete -C "$argv"' "$1" | cut -f 1 | sorted; }
both() { # LINE EXPECTED
  for shell in zsh fish; do
    found=$($shell "$1")
    [ "$found" = "$2" ] || fail "$shell, $1: '$found', expected '$2'"
  done
}
both "uturn co" "completion cosim cost coverage"
both "uturn help cos" "cosim cost"
both "uturn cosim --thr" --threads
both "uturn cosim --qui" --quiet
both "uturn schema s" "scenario sweep"
is_one() { [ "$2" = "$3" ] || fail "$1: '$2', expected '$3'"; }
is_one "zsh, --dut=" "$(zsh 'uturn cosim --dut=')" "gate rtl"
is_one "fish, --dut" "$(fish 'uturn cosim --dut ')" "gate rtl"
both "uturn run one" one.yaml
[ $options -ge 70 ] || fail "only $options options"
echo "$options options"
