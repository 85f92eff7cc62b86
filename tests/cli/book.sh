#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools/book: the book builds without a warning, from each page to each other; its search knows words of the pages; a browser
# fetches nothing from elsewhere.  A page that links to what is not there, or that no part of the book holds, is an error.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "book: $*" >&2; exit 1; }
"$UTURN_ROOT/tools/book" "$work/book" >"$work/out" || fail "the book does not build"
[ "$(cat "$work/out")" = "$work/book/index.html" ] || fail "does not say where the book is: $(cat "$work/out")"
while read -r page; do
  [ -s "$work/book/${page%.md}.html" ] || fail "docs/$page is not in the book"
done < <(cd "$UTURN_ROOT/docs" && find . -name '*.md' -not -path './examples/*' | sed 's|^\./||')
for word in wormhol deadlock lockstep; do # as the search stems them
  grep -q "\b$word\b" "$work/book/searchindex.js" || fail "the search does not know '$word'"
done
elsewhere=$(grep -rhoE '<(link|script|img)[^>]* (href|src)="(https?:)?//[^"]*"|url\((https?:)?//[^)]*\)' "$work/book" --include='*.html' --include='*.css' || true)
[ -z "$elsewhere" ] || fail "a browser would fetch: $elsewhere"

# ---- what is planted is found
small=$work/small
mkdir -p "$small/tools" "$small/docs/pictures"
cp "$UTURN_ROOT/tools/book" "$small/tools/"
cp "$UTURN_ROOT/docs/conf.py" "$small/docs/"
cp "$UTURN_ROOT/docs/pictures/book.css" "$small/docs/pictures/"
index='# Book\n\n## Part\n\n```{toctree}\npage\n```\n\n'
echo '# Page' >"$small/docs/page.md"
reject() { # reject WORDS: the book is not made, and the reason has these words
  local status=0
  "$small/tools/book" "$work/html" >/dev/null 2>"$work/err" || status=$?
  [ $status = 1 ] && grep -q -- "$1" "$work/err" || fail "status $status, expected 1 and '$1': $(cat "$work/err")"
}
printf '%b' "${index}[part](index.md#part)\n" >"$small/docs/index.md"
"$small/tools/book" "$work/html" >/dev/null || fail "refuses a book without a fault"
printf '%b' "${index}[part](index.md#another)\n" >"$small/docs/index.md"
reject 'index.md#another'
printf '%b' "${index}![picture](pictures/none.svg)\n" >"$small/docs/index.md"
reject 'pictures/none.svg'
printf '%b' "$index" >"$small/docs/index.md"
echo '# Alone' >"$small/docs/alone.md"
reject "alone.md"
echo "the book is made without a warning; what is planted is found"
