#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The golden switch compiled for its parameters: a run's results are the same with it, without it, and without a compiler;
# nothing that asks for it in vain does so silently, and nothing that does not need it asks.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
export UTURN_CACHE=$work/cache
cat >small.yaml <<'S'
topology: {kind: fat_tree, k: 2, n: 3}
switch: {vcs: 2, depth_flits: 4}
routing: {algorithm: fta}
traffic: {load_flits_per_cycle: 0.3}
faults:
  - {at: 300, random_links: 1, until: 600}
run: {measure_cycles: 1500, seed: 3}
S
# same COMMAND...: the result of the first such call, but for the clock
same() {
  expect 0 "$@"
  grep -v 'wall_s\|per_s' out >result
  [ -e wanted ] || cp result wanted
  diff wanted result >&2 || fail "$*: another result (< is wanted, > is)"
}
entries() { find cache -name cycle.so 2>/dev/null | wc -l; }
entries_are() { [ "$(entries)" = "$1" ] || fail "$(entries) golden switches in the cache, expected $1: $2"; }
run() { "$UTURN_BIN" run small.yaml --json "$@"; }
quiet() { [ ! -s err ] || fail "$1: writes $(cat err)"; }

# ---- a short run compiles nothing, but uses what is there
same run
quiet "a short run"
entries_are 0 "after a short run"
same run --elaborate never
same run --elaborate=always
quiet "--elaborate always without a terminal"
entries_are 1 "after --elaborate always"
touch before
same run
same run --elaborate=always
[ -z "$(find cache -name cycle.so -newer before)" ] || fail "compiled again"

# ---- a folder of tools without a compiler; and one whose compiler fails
mkdir without fails
ln -s "$(command -v env)" "$(command -v sh)" without/
printf '#!/bin/sh\necho "error: no more today"\nexit 1\n' >fails/gcc
chmod +x fails/gcc
for words in 'without|`gcc`|apt-get install clang' 'fails|no more today|log'; do
  IFS='|' read -r folder first second <<<"$words"
  export UTURN_CACHE=$work/cache_$folder
  same env PATH="$work/$folder" "$UTURN_BIN" run small.yaml --json
  quiet "a short run with $folder in PATH"
  # a long one: it goes on, and says once in the end why it was slower
  expect 0 env PATH="$work/$folder" "$UTURN_BIN" run "$UTURN_ROOT/scenarios/bench/rates/tree_8ary3.yaml" --load 0.02 --cycles 150000 --json
  [ "$(grep -c '^uturn: ' err)" = 1 ] && grep -qF "$first" err && grep -qF "$second" err || fail "a long run, $folder: $(cat err)"
  [ -s out ] || fail "a long run, $folder: no result"
done
expect 2 env PATH="$work/without" UTURN_CACHE="$work/none" "$UTURN_BIN" run small.yaml --elaborate=always --json
[ ! -s out ] && [ "$(grep -c '^uturn: ' err)" = 1 ] && grep -q 'apt-get install clang' err || fail "no compiler: $(cat err)"
expect 2 env PATH="$work/fails" UTURN_CACHE="$work/none" "$UTURN_BIN" run small.yaml --elaborate=always --json
[ ! -s out ] && grep -q 'no more today' err || fail "a compiler that fails: $(cat err)"
expect 2 "$UTURN_BIN" run small.yaml --elaborate=sometimes
grep -q "'long', 'always' and 'never'" err || fail "--elaborate sometimes: $(cat err)"

# ---- those that analyse do without
export UTURN_CACHE=$work/cache_analysis
for command in 'prove small.yaml' 'tolerance small.yaml --faults 0..1' 'route small.yaml --all --json'; do
  # shellcheck disable=SC2086
  expect 0 env PATH="$work/fails" "$UTURN_BIN" $command
  quiet "$command"
done
[ ! -e cache_analysis ] || fail "an analysis opens the cache"
echo "elaborate: as expected"
