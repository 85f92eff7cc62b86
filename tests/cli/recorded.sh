#!/bin/bash
# recorded.sh - results are the same, bit for bit, as when recorded.txt was written: exit status, output, messages and
# files of each of its commands.  Whoever changes results on purpose writes it anew, and looks at what has changed.
# Usage: tests/cli/recorded.sh [--only N | --write]   N: a line of recorded.txt; --write: records what is so now
set -eu
cd "$UTURN_ROOT"
list=tests/cli/recorded.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What Graphviz is told, in place of the picture that it makes of it.
mkdir "$work/bin"
printf '#!/bin/sh\nexec cat\n' >"$work/bin/neato"
chmod +x "$work/bin/neato"

# OUT in a command: a folder for what it writes, and nothing else.  How long it took is no result.
digest() {
  local status=0 out="$work/out"
  rm -rf "$out" && mkdir "$out"
  # shellcheck disable=SC2086
  PATH=$work/bin:$PATH "$UTURN_BIN" ${1//OUT/$out} >"$out/stdout" 2>"$out/stderr" </dev/null || status=$?
  (cd "$out" && echo "$status" && cat -- * | sed "s|$out|OUT|g") | sed '/"wall_s"\|"switch_cycles_per_s"\|^  speed \| fault sets in .* s$/d' | sha256sum | cut -c1-16
}

case "${1-}" in
--write)
  while read -r _ command; do
    echo "$(digest "$command") $command"
  done <"$list" >"$work/new"
  cp "$work/new" "$list"
  exit
  ;;
--only) sed -n "$2p" "$list" >"$work/list" ;;
*) cp "$list" "$work/list" ;;
esac
failed=0
while read -r want command; do
  [ "$(digest "$command")" = "$want" ] || { echo "recorded.sh: other results than recorded: uturn $command"; failed=1; }
done <"$work/list"
exit $failed
