#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Words that uturn no longer uses stand nowhere, and the check for them finds one in code, in a comment and on a page.
set -eu
check=$UTURN_ROOT/tools/check_words
"$check"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "words: $*" >&2; exit 1; }
mkdir -p "$work/docs"
echo 'Each input VC has a round-robin pointer, and allowed promotions.' >"$work/docs/page.md"
"$check" "$work" >/dev/null || fail "finds a word where there is none"
old_word() { printf '%s%s' "$1" "$2"; } # in two parts, or the check would find it here
while read -r file line; do
  echo "$line" >"$work/$file"
  ! "$check" "$work" >/dev/null 2>"$work/err" || fail "does not find: $line"
  grep -qF "$file:1:$line" "$work/err" || fail "does not say where: $(cat "$work/err")"
  rm "$work/$file"
done <<END
file.c if ($(old_word ow ed) > 0)
file.v reg [3:0] $(old_word turn _q);
docs/other.md Packets have $(old_word room " for a packet") behind the link.
END
echo "the check finds old words"
