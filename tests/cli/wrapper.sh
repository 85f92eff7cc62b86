#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The script `uturn` before anything is built: help, version, unknown commands, how far the first build is, a symbolic link on PATH, a clone that CMake cannot build in.  Nothing is
# built here: what would be built is a stand-in.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
unset UTURN_BUILD UTURN_CACHE
clone() { mkdir -p "$1/cli" "$1/tools" "$1/rtl"; cp "$UTURN_ROOT/uturn" "$1/"; cp "$UTURN_ROOT/tools/environment.sh" "$1/tools/"; cp "$UTURN_ROOT/cli/commands.c" "$UTURN_ROOT/cli/help.txt" "$1/cli/"; cp "$UTURN_ROOT/CMakeLists.txt" "$1/"; : >"$1/tools/packages.txt"; }
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
  grep -q '^Usage' err || fail "$uturn: $(cat err)"
  for word in cosmi 'cosi[' 'c.sim' 'cosim '; do reject "unknown command '$word'|--help" $uturn "$word" scenario.yaml; done
done
[ "$(sed -n 's/^    COMMAND(\([a-z]*\),.*/\1/p' "$UTURN_ROOT/cli/commands.c" | wc -l)" = "$(grep -c '^    COMMAND(' "$UTURN_ROOT/cli/commands.c")" ] ||
  fail "a line of cli/commands.c is not as the script expects it"
"$UTURN_BIN" --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p' >all
bin/uturn --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p' | cmp - all || fail "the script's list of commands is not the program's"
# the texts are those of the program, and so is the version
"$UTURN_BIN" help all | diff - "$UTURN_ROOT/cli/help.txt" || fail "cli/help.txt is stale: uturn help all >cli/help.txt"
"$UTURN_BIN" --version >version
for words in --version -V "cosim --version" "cosim demo.yaml -V"; do
  expect 0 bin/uturn $words
  cmp -s out version || fail "$words: $(cat out), expected $(cat version)"
done
for command in cosim completion; do
  "$UTURN_BIN" $command --help >text
  for words in "help $command" "$command --help" "$command -h" "$command x.yaml -q --help"; do
    expect 0 bin/uturn $words
    diff out text || fail "$words is not what the program says"
  done
done
reject "unknown command 'cosmi'" bin/uturn help cosmi
grep -qx "version: $(cut -d ' ' -f 2 version)" "$UTURN_ROOT/CITATION.cff" && grep -q "^name: .*:$(cut -d ' ' -f 2 version)$" "$UTURN_ROOT/uturn.core" ||
  fail "CITATION.cff or uturn.core is not of $(cat version)"
[ ! -e bin/build ] && [ ! -e clone/build ] || fail "a build folder is left: $(ls -d bin/build clone/build)"

# what is built already answers --help at once, also through a link
mkdir clone/build
echo "$work/clone" >clone/build/.root
printf '#!/bin/sh\necho "program: $*; $UTURN_ROOT; $UTURN_COMMAND"\n' >clone/build/uturn
chmod +x clone/build/uturn
expect 0 bin/uturn cosim --help
grep -q "^program: cosim --help; $work/clone; bin/uturn$" out || fail "cosim --help through a link: $(cat out)"
expect 0 env PATH="$work/bin:$PATH" uturn cosim --help # one of PATH is called by its name
grep -q "^program: cosim --help; $work/clone; uturn$" out || fail "uturn of PATH: $(cat out)"
expect 0 bin/again --version
grep -q "^program: --version" out || fail "--version: $(cat out)"
# anything else is built first
expect 1 bin/uturn cosim scenario.yaml
grep -q '^built: ' err && [ ! -e bin/build ] || fail "cosim through a link: $(cat err)"
grep -q '^uturn: the build has failed' err || fail "a build that fails: $(cat err)"
# what is named is read by the program, not by the script: a pipe would block it, or be empty then
mkfifo pipe
expect 1 timeout 20 bin/uturn sweep pipe
grep -q '^built: ' err || fail "sweep of a pipe: $(cat err)"

# ---- how far a build is: here a second of it is a hundredth of one
printf '#!/bin/sh\n' >tools/cmake
cat >tools/ninja <<'END'
#!/bin/sh
for n in $(seq 4); do echo "[$n/8] Building C object x.c.o"; /bin/sleep 0.4; done
exit 1
END
printf '#!/bin/sh\nexec /bin/sleep 0.0"$1"\n' >tools/sleep
chmod +x tools/sleep
expect 1 bin/uturn run scenario.yaml
lines=$(grep -cE '^uturn: building: (12|25|38|50) %, step [1-4] of 8, about [0-9]+ s left$' err) || :
[ "$lines" -ge 3 ] && [ "$lines" -le 40 ] || fail "how far a build is, in a pipe, in $lines lines: $(cat err)"
expect 1 bin/uturn run scenario.yaml --quiet
! grep -q 'step\|first call' err && grep -q 'has failed' err || fail "--quiet: $(cat err)"
script -qec "bin/uturn run scenario.yaml" /dev/null >terminal </dev/null || :
tr '\r' '\n' <terminal | grep -q '^uturn: building: 50 %, step 4 of 8' || fail "how far a build is, on a terminal: $(cat -v terminal)"
rm tools/sleep
printf '#!/bin/sh\necho "built: $*" >&2\nexit 1\n' | tee tools/cmake >tools/ninja

# ---- no room to build in, no right to
no_room() { # WORDS COMMAND...: status 2, one message of ours
  local words=$1
  shift
  expect 2 "$@"
  [ "$(grep -v 'first call' err | grep -c '^uturn: ')" = 1 ] && grep -q "$words" err || fail "$*: $(cat err)"
}
printf '#!/bin/sh\necho "[1/2] Building"; echo "ar: x.a: No space left on device"; exit 1\n' >tools/cmake
mkdir full
no_room 'full: no room to build in.*UTURN_BUILD' env UTURN_BUILD="$work/full" bin/uturn run scenario.yaml
printf '#!/bin/sh\nexit 1\n' >tools/cmake # it could not even say so
limited() { (ulimit -c 0 -f 1; "$@"); }
no_room 'full: no room to build in.*UTURN_BUILD' limited env UTURN_BUILD="$work/full" bin/uturn run scenario.yaml
[ ! -e full/.room ] || fail "left behind: $(ls -A full)"
cp tools/ninja tools/cmake
mkdir -p locked/.lock # also root may not write it
no_room 'locked: .*may not be written.*UTURN_BUILD' env UTURN_BUILD="$work/locked" bin/uturn run scenario.yaml

: >file
no_room 'file: the folder to build in cannot be made.*UTURN_BUILD' env UTURN_BUILD="$work/file" bin/uturn run scenario.yaml
[ "$(wc -l <err)" = 1 ] || fail "a file in the place of the folder to build in: $(cat err)"
reject "unknown command 'cosmi'" env PATH="$work/nowhere" clone/uturn cosmi
[ "$(wc -l <err)" = 1 ] || fail "a PATH with nothing in it: $(cat err)"

# a path that CMake cannot take; one that it can
clone "$work/a\$(x)"
reject "path|move" "$work/a\$(x)/uturn" cosim scenario.yaml
[ ! -e "$work/a\$(x)/build" ] || fail "a build folder in a path that cannot be built in"
expect 0 "$work/a\$(x)/uturn" --help
clone "$work/a b"
expect 1 "$work/a b/uturn" cosim scenario.yaml
grep -q "^built: -S $work/a b " err || fail "a path with a blank: $(cat err)"

# ---- the folder that it is called in: programs of PATH's relative entries are not run, variables that change options do not count
mkdir here
for tool in cmake ninja dirname readlink sed grep tr awk flock; do printf '#!/bin/sh\n: >"%s/touched"\n' "$work" >here/$tool; done
chmod +x here/*
cd here
for path in ".:$PATH" ":$PATH" "$PATH:" "../here:$PATH"; do
  expect 1 env PATH="$path" POSIXLY_CORRECT=1 CDPATH=/ ../clone/uturn run scenario.yaml
  grep -q '^built: ' err && [ ! -e ../touched ] || fail "PATH $path: $(ls ..) $(cat err)"
done
cd ..
rm -r here

# ---- what a terminal obeys is not printed; a closed stream, a folder that has gone change no status
reject "unknown command 'a?[31mb?c" clone/uturn "$(printf 'a\033[31mb\302\233c\377')"
reject "unknown command '\\033[31m'" clone/uturn '\033[31m'
iconv -f UTF-8 -t UTF-8 err >/dev/null && ! LC_ALL=C grep -q "$(printf '[\001-\010\016-\037]')" err || fail "controls: $(cat -v err)"
status=0
clone/uturn cosmi <&- >&- 2>&- || status=$?
[ $status = 2 ] || fail "closed streams: status $status"
status=0
clone/uturn run x 2>&- || status=$?
[ $status = 1 ] || fail "standard error closed: status $status of a build that fails"
mkdir gone
cd gone
rmdir ../gone
expect_here() { "$work/clone/uturn" "$@" >"$work/out" 2>"$work/err" </dev/null; }
status=0
expect_here cosmi || status=$?
[ $status = 2 ] && [ "$(grep -c '^uturn: ' "$work/err")" = 1 ] || fail "a folder that has gone: status $status: $(cat "$work/err")"
