#!/bin/bash
# The JSON schema refuses what it can know, and nothing that the program accepts; the tables of the pages are those of now.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "schema: $*" >&2; exit 1; }
python3 "$UTURN_ROOT/tests/cli/schema.py" "$UTURN_BIN" "$UTURN_ROOT"

for page in scenario traffic; do
  cp "$UTURN_ROOT/docs/$page.md" "$work/page.md"
  "$UTURN_BIN" schema --write "$work/page.md"
  cmp -s "$UTURN_ROOT/docs/$page.md" "$work/page.md" || fail "docs/$page.md is stale: ./uturn schema --write docs/$page.md"
done
sed -i 's/^| `traffic.process` .*/| gone |/' "$work/page.md"
"$UTURN_BIN" schema --write "$work/page.md"
grep -q '^| `traffic.process` ' "$work/page.md" || fail "--write writes nothing"
echo '<!-- schema: tpoology -->' >"$work/page.md"
status=0; "$UTURN_BIN" schema --write "$work/page.md" 2>"$work/err" || status=$?
[ $status = 2 ] && grep -q 'unknown table; known ones: topology, switch' "$work/err" || fail "unknown table: $(cat "$work/err")"
