#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Variables that change how the C library reads options, streams that are closed, a current folder that has gone, and what a terminal
# would obey in all that is printed.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/hostile.bash
. "$UTURN_ROOT/tests/cli/hostile.bash"
scenarios

# ---- the environment
plain_run() { sed -E 's/"(wall_s|switch_cycles_per_s)": *[-+.e0-9]*//' out; }
expect 0 "$UTURN_BIN" run brief.yaml --json
wanted=$(plain_run)
expect 0 env POSIXLY_CORRECT=1 "$UTURN_BIN" run brief.yaml --json
[ "$(plain_run)" = "$wanted" ] || fail "POSIXLY_CORRECT: other results"
expect 0 "$UTURN_BIN" run --help
cp out help
for format in rmargin=0 rmargin=1 rmargin=2 rmargin=-5 long-opt-col=200 usage-indent=99,rmargin=10 nonsense; do
  expect 0 timeout 10 env ARGP_HELP_FMT=$format "$UTURN_BIN" run --help
  cmp -s out help || fail "ARGP_HELP_FMT=$format changes the help"
done

# ---- closed streams: the status that there would have been, or 2 where output is lost; never a file of ours in their place
streams() { # STATUS COMMAND...: standard output is closed
  local wanted=$1 status=0
  shift
  "$@" <&- >&- 2>err || status=$?
  [ $status = "$wanted" ] || fail "$*, without streams: status $status: $(cat err)"
  [ "$(grep '^uturn' err | grep -vc ' s so far')" = 1 ] || fail "$*, without streams: not one message: $(cat err)"
}
streams 2 "$UTURN_BIN" run brief.yaml
streams 2 "$UTURN_BIN" run brief.yaml --json
streams 2 "$UTURN_BIN" run nowhere.yaml
streams 2 "$UTURN_BIN" net brief.yaml --svg net.svg
streams 2 "$UTURN_BIN" plot sweep.yaml -o plot.svg
grep -q '</svg>' net.svg plot.svg || fail "pictures without streams"
for command in "run nowhere.yaml:2" "cosmi:2" "net brief.yaml --svg net.svg:0" "plot sweep.yaml -o plot.svg:0"; do
  status=0
  # shellcheck disable=SC2086
  "$UTURN_BIN" ${command%:*} >out 2>&- || status=$?
  [ $status = "${command#*:}" ] || fail "$command without standard error: status $status"
done

# ---- the current folder has gone
mkdir gone
cd gone
rmdir ../gone
in_nowhere() { # STATUS WORDS COMMAND...
  local wanted=$1 words=$2 status=0
  shift 2
  "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  [ $status = "$wanted" ] && [ "$(wc -l <"$work/err")" = $((wanted > 0)) ] && grep -q "$words" "$work/out" "$work/err" ||
    fail "$*, in a folder that has gone: status $status: $(cat "$work/err")"
}
in_nowhere 0 brief.yaml "$UTURN_BIN" run "$work/brief.yaml"
in_nowhere 2 "has been removed: change to another" "$UTURN_BIN" run brief.yaml
in_nowhere 2 "has been removed: change to another" "$UTURN_BIN" net "$work/brief.yaml" --svg net.svg
in_nowhere 0 picture "$UTURN_BIN" plot "$work/sweep.yaml" -o "$work/plot.svg"
in_nowhere 2 "has been removed: change to another" env UTURN_CACHE=cache "$UTURN_BIN" run "$work/brief.yaml" --elaborate always
cd "$work"

# ---- what is printed: UTF-8, nothing that a terminal obeys
name=$(printf 'e\033]0;x\007\302\233\177\377\342\200\256\355\240\200\300\257gr\303\274n')
readable() { # COMMAND...: whatever its status
  "$@" >out 2>err </dev/null || :
  python3 - out err <<'P' || fail "$(printf '%q ' "$@"): $(cat -v out err | head -n 5)"
import sys, unicodedata
for file in sys.argv[1:]:
    text = open(file, "rb").read().decode()  # strictly
    bad = [c for c in text if (unicodedata.category(c) == "Cc" and c not in "\n\t") or c in "\u202a\u202b\u202c\u202d\u202e"]
    assert not bad, (file, bad)
P
}
told() { # COMMAND...: it has printed the name
  readable "$@"
  grep -q 'x1b' out err || fail "$(printf '%q ' "$@"): the name is not told: $(cat -v out err | head -n 5)"
}
cp brief.yaml "$name.yaml"
told "$UTURN_BIN" "$name"
for command in run net trace coverage prove tolerance route new report wave cost plot sweep cosim bench hunt faults upsets reproduce man schema; do
  readable "$UTURN_BIN" $command "$name.none"
  told "$UTURN_BIN" $command "--$name"
done
for command in run net trace prove; do told "$UTURN_BIN" $command "$name.yaml"; done
told "$UTURN_BIN" prove "$name.yaml" --certificate "$name.certificate"
readable "$UTURN_BIN" net brief.yaml --svg "$name.svg"
readable "$UTURN_BIN" plot brief.yaml -o "$name"
told "$UTURN_BIN" run "$name.yaml" brief.yaml --compare --seeds 1
told "$UTURN_BIN" new torus "$name.new"
# JSON stays JSON; a long text is not cut within a character
"$UTURN_BIN" new torus | iconv -f UTF-8 -t UTF-8 >/dev/null || fail "a template is no UTF-8"
cp brief.yaml "$(printf 'd\177\302\233.yaml')"
"$UTURN_BIN" run "$(printf 'd\177\302\233.yaml')" --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["scenario"] == "d\x7f\x9b.yaml"' ||
  fail "JSON with control characters"
