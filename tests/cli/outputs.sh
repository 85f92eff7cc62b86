#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Files that commands write are whole or not there, replace nothing that is no regular file, and a full disk or a lost standard output is
# told of.  What needs a right that this user does not have is named at the end.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/booksim.bash
. "$UTURN_ROOT/tests/cli/booksim.bash"
trap 'umount "$work/disk" 2>/dev/null || :; rm -rf "$work"' EXIT
left_out=
cat >good.yaml <<'YAML'
topology: {kind: fat_tree, k: 2, n: 2}
routing: {algorithm: reroute_adaptive_link}
traffic: {load_flits_per_cycle: 0.1}
faults:
  - {at: 10, link: {level: 1, switch: 1, port: 1}}
run: {warmup_cycles: 0, measure_cycles: 100}
YAML
printf 'base: good.yaml\naxes:\n  - traffic.load_flits_per_cycle: [0.1, 0.2]\n' >sweep.yaml
printf '<!-- %s -->\n<!-- bench: end -->\n' 'bench: memory' >x.md
printf '<!-- %s -->\n<!-- validate: end -->\n' 'validate: small' >x.valid.md
printf '{"machine": "m", "processors": 2, "date": "today", "version": "1", "cases": [{"group": "memory", "scenario": "net", "load": 0.2,
  "golden": {"cpu_ns_per_flit_hop": 40.0}}]}' >figures.json
mkdir bin
ln -s /bin/true bin/sbatch
PATH=$work/bin:$PATH
cosim() { "$UTURN_BIN" cosim good.yaml "$@"; }
# nothing is beside what is named, in any folder
only() {
  local wanted=$1 found
  found=$(find . -path ./disk -prune -o -name '*.part*' -print -o -name '*.hier' -print)
  [ -z "$found" ] || fail "$wanted: left behind: $found"
}

# ---- what stands under the name
mkfifo pipe.fst
ln -s /dev/null device.fst
ln -s nowhere.fst dangling.fst
mkdir folder.fst
for name in pipe:pipe device:device dangling:nowhere folder:folder; do
  reject "${name%:*}.fst|${name#*:}|regular file" cosim --wave "${name%:*}.fst"
done
[ -p pipe.fst ] && [ -L device.fst ] && [ -c device.fst ] && [ -L dangling.fst ] && [ ! -e nowhere.fst ] && [ -d folder.fst ] ||
  fail "--wave has replaced what is no regular file: $(ls -l)"
[ -c /dev/null ] || fail "/dev/null is no device any more"
only "refused"
# a symbolic link to a file is followed, its permissions stay
echo old >real.fst
chmod 640 real.fst
ln -s real.fst link.fst
expect 0 cosim --wave link.fst
[ -L link.fst ] && [ "$(stat -c %a real.fst)" = 640 ] || fail "--wave through a link: $(ls -l)"
expect 0 "$UTURN_ROOT/waves/show" --check real.fst
only "--wave through a link"
# drawings and sheets go into a pipe or a device, but replace nothing
for words in "net good.yaml --svg x.svg" "run good.yaml --packets x.csv"; do
  kind=${words##*.}
  ln -s /dev/null "device.$kind"
  # shellcheck disable=SC2086 # several words
  expect 0 "$UTURN_BIN" ${words%x.*}"device.$kind"
  [ -L "device.$kind" ] || fail "$words: the link is gone"
  mkfifo "pipe.$kind"
  # shellcheck disable=SC2086
  reject "pipe.$kind|nobody reads" "$UTURN_BIN" ${words%x.*}"pipe.$kind"
  cat "pipe.$kind" >"read.$kind" &
  # shellcheck disable=SC2086
  for _ in $(seq 50); do "$UTURN_BIN" ${words%x.*}"pipe.$kind" >out 2>err && break; sleep 0.1; done
  wait
  [ -s "read.$kind" ] && [ -p "pipe.$kind" ] || fail "$words into a pipe: $(cat err)"
done
tail -n 1 read.svg | grep -q '</svg>' || fail "the drawing in the pipe is not whole"
# standard output, which is a file: both stand in it
"$UTURN_BIN" net good.yaml --svg /dev/stdout >both 2>err || fail "--svg /dev/stdout: $(cat err)"
grep -q '</svg>' both && grep -q '^good.yaml' both || fail "--svg /dev/stdout: one of both is lost"

# ---- what the command reads
printf '1 0 1 1\n' >in.csv
printf 'topology: {kind: fat_tree, k: 2, n: 2}\nrouting: {algorithm: fta}\ntraffic: {pattern: trace, trace_file: in.csv}\n' >in.yaml
cat in.yaml in.csv >before
reject "in.csv: cannot be written: this command reads it" "$UTURN_BIN" run in.yaml --packets in.csv
for option in certificate replay; do
  reject "in.yaml: cannot be written: this command reads it" "$UTURN_BIN" prove in.yaml --faults 1 --$option in.yaml
done
cat in.yaml in.csv | cmp - before || fail "what was read is replaced"

# ---- two at once, the same switch twice
expect 0 cosim --wave twice.fst --wave-switches 0.0,0.0,1.1,0.0
grep -q 'of 2 switches' err || fail "0.0,0.0,1.1: $(cat err)"

# ---- no room
full() { # NAME STATUS: a message, and nothing is left
  [ "$2" = 2 ] || fail "$1: exit status $2: $(cat err)"
  grep -q 'uturn: .*x\.' err || fail "$1: $(cat err)"
  only "$1"
}
for size in 4 12; do
  status=0
  (ulimit -c 0 -f $size; cosim --wave x.fst) 2>&1 >/dev/null | cat >err || :
  [ -s err ] && grep -q 'x.fst: ' err || fail "ulimit -f $size: $(cat err)"
  [ ! -e x.fst ] || fail "ulimit -f $size: a dump is left"
  only "ulimit -f $size"
done
validate="validate small.yaml --booksim book --loads 0.1:0.1:0.1"
cp x.md page.md
for words in "run good.yaml --packets x.csv" "bench --from figures.json --write x.md" "$validate --pictures ." "$validate --write x.valid.md" \
  "sweep sweep.yaml --slurm"; do
  # shellcheck disable=SC2086
  (ulimit -c 0 -f 0; "$UTURN_BIN" $words || echo "status $?" >&2) 2>&1 >/dev/null | cat >err
  grep -q '^status 2$' err && [ "$(grep -c '^uturn[^:]*: ' err)" = 1 ] || fail "$words under ulimit -f 0: $(cat err)"
  only "$words"
done
[ ! -e x.csv ] && [ ! -e sweep.tasks ] && [ ! -e validation_small.svg ] && cmp x.md page.md || fail "left behind: $(ls)"
mkdir disk
if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
  status=0
  (ulimit -c 0; cosim --wave disk/x.fst) >/dev/null 2>err || status=$?
  full "--wave on a full disk" $status
  head -c 16384 /dev/zero >disk/fill 2>/dev/null || :
  for words in "net good.yaml --svg disk/x.svg" "run good.yaml --packets disk/x.csv" "new torus disk/x.yaml"; do
    status=0
    # shellcheck disable=SC2086
    "$UTURN_BIN" $words >/dev/null 2>err || status=$?
    full "$words" $status
  done
  [ "$(ls -A disk)" = fill ] || fail "left on the full disk: $(ls -A disk)"
  umount disk
else
  left_out="$left_out; a full disk (needs the right to mount)"
fi

# ---- a dump that was cut off, no display
for bytes in 5 100 1000 20000; do
  head -c $bytes real.fst >cut.fst
  expect 2 timeout 20 "$UTURN_BIN" wave cut.fst --png cut.png
  grep -q 'cut.fst: ' err || fail "a dump of $bytes bytes: $(cat err)"
done
expect 2 timeout 20 "$UTURN_ROOT/waves/show" --check pipe.fst
grep -q 'pipe.fst: this is no file' err || fail "waves/show of a pipe: $(cat err)"
expect 2 "$UTURN_BIN" wave good.yaml
grep -q 'good.yaml: not a wave dump' err || fail "no dump: $(cat err)"
expect 2 env -u DISPLAY -u WAYLAND_DISPLAY "$UTURN_BIN" wave real.fst
grep -q 'DISPLAY.*--png' err || fail "no display: $(cat err)"
expect 2 env -u WAYLAND_DISPLAY DISPLAY=:987 "$UTURN_BIN" wave real.fst
grep -q ':987' err || fail "a wrong display: $(cat err)"
reject "--png|x.svg|*.png" "$UTURN_BIN" wave real.fst --png x.svg

# ---- standard output
lost() {
  local status=0
  "$UTURN_BIN" "$@" >/dev/full 2>err </dev/null || status=$?
  [ $status = 2 ] && grep -q 'cannot write to standard output: No space left' err || fail "$* >/dev/full: status $status: $(cat err)"
  status=0
  "$UTURN_BIN" "$@" >&- 2>err </dev/null || status=$?
  [ $status = 2 ] && grep -q 'cannot write to standard output: Bad file' err || fail "$* >&-: status $status: $(cat err)"
}
if [ -c /dev/full ]; then
  for words in "run good.yaml" "run good.yaml --json" "cosim good.yaml --json" "net good.yaml" "route good.yaml --all --json" "man" "schema" \
    "completion" "new" "new torus" "prove good.yaml" "tolerance good.yaml --faults 1" "trace good.yaml" "run --help" "--help" "--version" "reproduce list"; do
    # shellcheck disable=SC2086
    lost $words
  done
  for words in "bench --from figures.json" "bench --from figures.json --write x.md" "$validate --json" "$validate" "sweep sweep.yaml --slurm"; do
    # shellcheck disable=SC2086
    lost $words
  done
else
  left_out="$left_out; /dev/full"
fi
# closed: no file gets its number
"$UTURN_BIN" run good.yaml --packets only.csv >&- 2>/dev/null || :
[ "$(head -c 6 only.csv)" = source ] && ! grep -q throughput only.csv || fail "what is printed is in the sheet"
echo "outputs: all${left_out:+ but what this user may not do$left_out}"
