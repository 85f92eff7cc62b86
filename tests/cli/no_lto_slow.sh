#!/bin/bash
# What is otherwise optimised across files must compile without that, too: the compiler sees less then, and warns of more.
set -eu
cd "$UTURN_BUILD"
compiled=0
while IFS= read -r command; do
  # shellcheck disable=SC2001
  eval "$(sed 's/ -flto[^ ]*\| -fno-fat-lto-objects//g; s/ -o [^ ]*/ -o \/dev\/null/; s/ -MD -MT [^ ]* -MF [^ ]*//' <<<"$command")" ||
    { echo "no_lto: $command" >&2; exit 1; }
  compiled=$((compiled + 1))
done < <(ninja -t compdb | sed -n 's/^ *"command": "\(.*-flto.* -c .*\)",$/\1/p' | sed 's/\\"/"/g; s/\\\\/\\/g')
[ $compiled -gt 50 ] || { echo "no_lto: only $compiled files" >&2; exit 1; }
echo "$compiled files"
