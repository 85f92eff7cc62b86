#!/bin/bash
# The script `uturn` before anything is built: help, unknown commands, a symbolic link on PATH, a clone that CMake cannot build in.  Nothing is
# built here: what would be built is a stand-in.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
unset UTURN_BUILD UTURN_CACHE
clone() { mkdir -p "$1/cli" "$1/tools" "$1/rtl"; cp "$UTURN_ROOT/uturn" "$1/"; cp "$UTURN_ROOT/cli/commands.c" "$1/cli/"; : >"$1/tools/packages.txt"; }
clone "$work/clone"
mkdir bin tools
ln -s "$work/clone/uturn" bin/uturn
ln -s uturn bin/again
# a ninja that fails: nothing below may build
printf '#!/bin/sh\necho "built: $*" >&2\nexit 1\n' >tools/ninja
cp tools/ninja tools/cmake
chmod +x tools/*
PATH=$work/tools:$PATH

for uturn in clone/uturn bin/uturn bin/again; do
  for word in --help -h help; do
    expect 0 $uturn $word
    [ ! -s err ] || fail "$uturn $word: $(cat err)"
    for command in cosim run reproduce completion; do grep -q "^  $command  *[a-zA-Z]" out || fail "$uturn $word lacks $command: $(cat out)"; done
  done
  expect 2 $uturn
  grep -q '^usage' err || fail "$uturn: $(cat err)"
  reject "unknown command 'cosmi'|--help" $uturn cosmi scenario.yaml
done
[ "$(sed -n 's/^    COMMAND(\([a-z]*\),.*/\1/p' "$UTURN_ROOT/cli/commands.c" | wc -l)" = "$(grep -c '^    COMMAND(' "$UTURN_ROOT/cli/commands.c")" ] ||
  fail "a line of cli/commands.c is not as the script expects it"
"$UTURN_BIN" --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p' >all
bin/uturn --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p' | cmp - all || fail "the script's list of commands is not the program's"
[ ! -e bin/build ] && [ ! -e clone/build ] || fail "a build folder is left: $(ls -d bin/build clone/build)"

# what is built already answers --help at once, also through a link
mkdir clone/build
echo "$work/clone" >clone/build/.root
printf '#!/bin/sh\necho "program: $*; $UTURN_ROOT"\n' >clone/build/uturn
chmod +x clone/build/uturn
expect 0 bin/uturn cosim --help
grep -q "^program: cosim --help; $work/clone$" out || fail "cosim --help through a link: $(cat out)"
expect 0 bin/again --version
grep -q "^program: --version" out || fail "--version: $(cat out)"
# anything else is built first
expect 1 bin/uturn cosim scenario.yaml
grep -q '^built: ' err && [ ! -e bin/build ] || fail "cosim through a link: $(cat err)"

# a path that CMake cannot take; one that it can
clone "$work/a\$(x)"
reject "path|move" "$work/a\$(x)/uturn" cosim scenario.yaml
[ ! -e "$work/a\$(x)/build" ] || fail "a build folder in a path that cannot be built in"
expect 0 "$work/a\$(x)/uturn" --help
clone "$work/a b"
expect 1 "$work/a b/uturn" cosim scenario.yaml
grep -q "^built: -S $work/a b " err || fail "a path with a blank: $(cat err)"
