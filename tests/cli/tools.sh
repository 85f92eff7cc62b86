#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs of others (csim/util/tool.h): where they are found, that files at home and in the current folder change nothing, and what
# becomes of those that fail or make no picture.  Most of them are stand-ins, scripts of a line.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/hostile.bash
. "$UTURN_ROOT/tests/cli/hostile.bash"
scenarios
export UTURN_CACHE=$work/cache
touched() { [ ! -e "$work/touched" ] || fail "$*: it has run what it must not"; }
net() { "$UTURN_BIN" net brief.yaml --svg net.svg; }
plot() { "$UTURN_BIN" plot sweep.yaml -o "plot.$1"; }
expect 0 plot svg
cp plot.svg plain.svg

# ---- where they are found: in no folder that PATH does not name from the root on
mkdir here
for tool in gnuplot neato yosys sta verilator clang clang++ gcc g++ cc valgrind git man ctest sbatch perl sh; do
  printf '#!/bin/sh\n: >"%s/touched"\n' "$work" >here/$tool
done
chmod +x here/*
cd here
cp ../brief.yaml ../sweep.yaml .
for path in ":$PATH" ".:$PATH" "$PATH:" "../here:$PATH" "here/..:.:$PATH" "$(dirname "$(command -v sh)")/nowhere::$PATH"; do
  expect 0 env PATH="$path" "$UTURN_BIN" net brief.yaml --svg net.svg
  touched "net, PATH $path"
done
expect 0 env PATH=".:$PATH" "$UTURN_BIN" run brief.yaml --elaborate always
touched "a compiler"
expect 0 env PATH=".:$PATH" "$UTURN_BIN" plot sweep.yaml -o plot.svg
touched gnuplot
for path in . '' :: here; do
  reject "neato|not in PATH|apt-get install graphviz" env PATH="$path" "$UTURN_BIN" net brief.yaml --svg net.svg
  touched "net, PATH '$path'"
done
for tool in waves/show tools/layout tools/soak tools/check_certificate; do
  (PATH=".:$PATH" UTURN_BUILD="$work/build" CC= "$UTURN_ROOT/$tool" --nothing) >/dev/null 2>&1 </dev/null || :
  touched "$tool"
done
cd ..

# ---- files of the user's
mkdir home
echo "system 'touch $work/touched'; set border 0; set title 'mine'" >home/.gnuplot
echo "exec touch $work/touched" >home/.sta
echo "!touch $work/touched" >home/.yosysrc
echo '--tool=memcheck' >home/.valgrindrc
cp home/.* here/
(cd here && HOME=$work/home XDG_CONFIG_HOME=$work/home "$UTURN_BIN" plot sweep.yaml -o ../own.svg >/dev/null)
touched .gnuplot
cmp -s plain.svg own.svg || fail "the user's .gnuplot changes a picture"

# ---- and variables
expect 0 env GNUTERM=x11 DISPLAY=:99 "$UTURN_BIN" plot sweep.yaml -o own.svg
cmp -s plain.svg own.svg || fail "GNUTERM changes a picture"
mkdir seen
printf '#!/bin/sh\nenv >"%s/variables"; exit 1\n' "$work" >seen/neato
chmod +x seen/neato
expect 2 env PATH="$work/seen:$PATH" MAKEFLAGS=-n DEPENDENCIES_OUTPUT=touched CCC_OVERRIDE_OPTIONS=+-x "$UTURN_BIN" net brief.yaml --svg net.svg
! grep -E '^(MAKEFLAGS|DEPENDENCIES_OUTPUT|CCC_OVERRIDE_OPTIONS)=' variables || fail "a tool gets these variables"

# ---- tools that fail, or make no picture: one message with status 2, the tool's first words and a remedy; what stood there stays
stand_in() { # TOOL SCRIPT
  rm -rf bin
  mkdir bin
  printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
  chmod +x "bin/$1"
}
with() { PATH=$work/bin:$PATH "$@"; }
echo old >net.svg
echo old >plot.svg
echo old >plot.png
for words in 'echo "boom: no fonts" >&2; exit 3|boom: no fonts|status 3' 'kill -KILL $$|Killed|memory' 'exit 0|no picture' \
  'echo garbage|garbage|no picture' 'echo "<svg>half"|no picture' 'printf "\\211PNG\\r\\n\\032\\nhalf"|no picture' \
  'echo "</svg>"|no picture' 'head -c 100000 /dev/zero|no picture' 'exit 127|status 127'; do
  stand_in neato "${words%%|*}"
  reject "net.svg|graphviz|${words#*|}" with net
  stand_in gnuplot "${words%%|*}"
  for kind in svg png; do reject "plot.$kind|gnuplot|${words#*|}" with plot $kind; done
done
stand_in gnuplot 'echo "<svg></svg>"'
reject "plot.png|no picture" with plot png # an SVG is no PNG
for old in net.svg plot.svg plot.png; do [ "$(cat $old)" = old ] || fail "$old is not what it was"; done
[ -z "$(find . -name '*.part*')" ] || fail "left behind: $(find . -name '*.part*')"

# what makes switches: each of its steps
cosim() { "$UTURN_BIN" cosim brief.yaml; }
cost() { "$UTURN_BIN" cost brief.yaml; }
compiled() { "$UTURN_BIN" run brief.yaml --elaborate always; }
failing() { # WORDS TOOL SCRIPT COMMAND: one message of ours, status 2
  local words=$1 word
  stand_in "$2" "$3"
  rm -rf cache
  expect 2 with "$4"
  [ ! -s out ] && [ "$(grep '^uturn[^:]*: ' err | grep -vc ' s so far')" = 1 ] || fail "$4 with a $2 '$3': not one message: $(cat out err)"
  while read -r -d '|' word; do
    grep -qF -- "$word" err || fail "$4 with a $2 '$3': the message lacks '$word': $(cat err)"
  done <<<"$words|"
}
for case in clang:compiled clang++:cosim verilator:cosim yosys:cost; do
  tool=${case%:*} command=${case#*:}
  failing "boom|reinstall|$tool" "$tool" 'echo "warning: x"; echo "error: boom"; exit 3' "$command"
  failing "reinstall|$tool" "$tool" 'exit 0' "$command"
  failing "reinstall|$tool" "$tool" 'echo garbage' "$command"
done
failing 'signal 9|out of memory' clang 'kill -KILL $$' compiled
