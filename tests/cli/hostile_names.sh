#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Names with quotes, blanks, line breaks, backquotes, $(), semicolons, dashes: of files, titles, folders of TMPDIR, UTURN_CACHE and --rtl,
# of cells of a Liberty file.  Nothing in them is run, by a shell or by the language of a tool; what can be made is made.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/hostile.bash
. "$UTURN_ROOT/tests/cli/hostile.bash"
scenarios
touched() { [ -z "$(find . -name 'touched*' -o -path ./-name -prune)" ] || fail "$*: it has been run"; }
names=('a`touch touched`b' 'a$(touch touched)b' "a'b" 'a"b' 'a;touch touched;b' $'a\nb' '-a' 'a\b' 'a %d {x} [y #' 'ä' $'a\033[31mb' $'a\xffb'
  "x'"$'\nEOD\nsystem "touch touched"\n')
sed 's/^base: .*/base: brief.yaml/' sweep.yaml >one.yaml
expect 0 "$UTURN_BIN" sweep one.yaml

# ---- pictures: their names, the folder of temporary files, titles
for name in "${names[@]}"; do
  mkdir "./$name"
  expect 0 env TMPDIR="$work/$name" "$UTURN_BIN" plot one.yaml -o "./$name/$name.svg"
  touched "plot, '$name'"
  python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "./$name/$name.svg" || fail "plot '$name': no SVG"
  expect 0 env TMPDIR="$work/$name" "$UTURN_BIN" net brief.yaml --svg "./$name/net.svg"
  touched "net, '$name'"
  printf '%s' "$name" >title
  expect 0 "$UTURN_BIN" plot one.yaml -o title.svg --title "$name"
  touched "a title, '$name'"
  python3 - "$name" <<'P' || fail "the title '$name' is not that of the picture"
import sys, xml.dom.minidom
texts = ["".join(t.firstChild.data for t in e.getElementsByTagName("tspan") or [e] if t.firstChild) for e in xml.dom.minidom.parse("title.svg").getElementsByTagName("text")]
title = sys.argv[1].encode("utf-8", "surrogateescape").replace(b"\033", b"\\x1b").replace(b"\xff", b"\\xff").decode().replace("\n", " ")
sys.exit(not any(title.strip() == t.strip() for t in texts))
P
done

# ---- the cache, the folder of temporary files, the RTL's, a file of it: all languages of tools at once
all=$work/$'`touch touched`$(touch touched)\'"; {x [y # \\ %\nz'
mkdir "$all"
export UTURN_CACHE=$all TMPDIR=$all
cat >small.yaml <<'YAML'
topology: {kind: mesh, sizes: [2]}
switch: {vcs: 1, depth_flits: 2, packet_flits: 2}
routing: {algorithm: dor}
traffic: {load_flits_per_cycle: 0.1}
run: {warmup_cycles: 0, measure_cycles: 200}
YAML
cp -r "$UTURN_ROOT/rtl" "$all/rtl"
: >"$all/rtl/"'!x; !touch touched; .v'
expect 0 "$UTURN_BIN" run small.yaml --elaborate always
expect 0 "$UTURN_BIN" cosim small.yaml --rtl "$all/rtl"
expect 0 "$UTURN_BIN" cost small.yaml --rtl "$all/rtl" --chart "$all/chart.svg"
touched "a cache of that name"
: >"$all/rtl/"'x"; !touch touched; ".v'
reject 'rtl|quote|rename' "$UTURN_BIN" cosim small.yaml --rtl "$all/rtl"

# ---- cells of a library
sed 's/cell *(BUFX2)/cell ("BUFX2 [exec touch touched]")/' /usr/share/qflow/tech/osu018/osu018_stdcells.lib >evil.lib
reject "evil.lib|BUFX2 [exec|letters, digits" "$UTURN_BIN" cost small.yaml --liberty evil.lib
touched "a cell's name"

# ---- Verilator's own folder, which its script hands to a shell
reject "VERILATOR_ROOT|shells" env VERILATOR_ROOT="/x;touch touched;" UTURN_CACHE="$work/empty" "$UTURN_BIN" cosim small.yaml
touched "VERILATOR_ROOT"

# ---- a job of Slurm
mkdir bin
printf '#!/bin/sh\necho "Submitted $#: $1"\n' >bin/sbatch
chmod +x bin/sbatch
expect 0 env PATH="$work/bin:$PATH" "$UTURN_BIN" sweep one.yaml --slurm --tasks 2 --results "./-x y'\$(touch touched).sqlite"
grep -q 'Submitted 1: ./' out || fail "the job: $(cat out)"
sh -n "./-x y'\$(touch touched).tasks/job.sh" || fail "the job is no script"
for name in 'a"b' $'a\nb' 'a%b' 'a\b'; do
  reject "Slurm|rename" env PATH="$work/bin:$PATH" "$UTURN_BIN" sweep one.yaml --slurm --results "$name.sqlite"
done
printf '#!/bin/sh\necho "sbatch: error: no such partition" >&2\nexit 1\n' >bin/sbatch
expect 2 env PATH="$work/bin:$PATH" "$UTURN_BIN" sweep one.yaml --slurm
grep -q 'no such partition' err || fail "sbatch that refuses: $(cat err)"
