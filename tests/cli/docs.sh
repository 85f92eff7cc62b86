#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The pages name only what is there (tools/check_docs), and the check finds each kind of fault that is planted.
set -eu
check=$UTURN_ROOT/tools/check_docs
"$check"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "docs: $*" >&2; exit 1; }
mkdir -p "$work/docs/part" "$work/rtl"
touch "$work/rtl/ut_fifo.v"
long=$(printf 'word %.0s' $(seq 40))
good='A [page](docs/page.md), a [part](docs/page.md#the-part), `rtl/ut_fifo.v`, `rtl/*.v`, `ut_fifo.v`.'
printf '# Page\n\n## The part\n\n```\n%s\n```\n' "$long" >"$work/docs/page.md"
echo 'A page of a [part](deep.md), [below](../page.md#the-part).' >"$work/docs/part/index.md"
printf '# Deep\n\n| the address of a [link](../page.md#%s) counts no columns, but %s |\n' the-part "$(printf 'word %.0s' $(seq 21))" >"$work/docs/part/deep.md"
good+=' [Part](docs/part/index.md).'
echo "$good" >"$work/README.md"
"$check" "$work" >/dev/null || fail "finds a fault where there is none"
while read -r line; do
  printf '%s\n%s\n' "$good" "$line" >"$work/README.md"
  ! "$check" "$work" >/dev/null 2>"$work/err" || fail "does not find: $line"
  grep -q '^check_docs: README.md:2: ' "$work/err" || fail "does not say where: $(cat "$work/err")"
done <<EOF
a [page](docs/other.md)
a [part](docs/page.md#another-part)
a [page](docs/part/other.md)
the file \`rtl/fifo.v\`
files \`rtl/fifo_*.v\`
the file \`fifo.v\`
$long
| $long |
EOF
echo "$good" >"$work/README.md"
printf '// Twin: rtl/ut_fifo.v\n// rtl/ut_fifo_tb.v\n' >"$work/rtl/ut_fifo.v"
! "$check" "$work" >/dev/null 2>"$work/err" && grep -q '^check_docs: rtl/ut_fifo.v:2: rtl/ut_fifo_tb.v' "$work/err" ||
  fail "does not find a file that a source names and that is not there"
: >"$work/rtl/ut_fifo.v"
for page in docs/alone.md docs/part/alone.md; do
  echo '# Alone' >"$work/$page"
  ! "$check" "$work" >/dev/null 2>"$work/err" && grep -q "$page: no link" "$work/err" || fail "does not find a page without a link: $page"
  rm "$work/$page"
done
echo "the check of the pages finds what is planted"
