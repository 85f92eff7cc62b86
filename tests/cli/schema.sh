#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The JSON schema refuses what it can know, and nothing that the program accepts; the tables of the pages are those of now.
set -eu
. "$UTURN_ROOT/tests/cli/expect.bash"
python3 "$UTURN_ROOT/tests/cli/schema.py" "$UTURN_BIN" "$UTURN_ROOT"

for page in sweep scenario traffic; do
  cp "$UTURN_ROOT/docs/reference/$page.md" page.md
  "$UTURN_BIN" schema --write page.md
  cmp -s "$UTURN_ROOT/docs/reference/$page.md" page.md || fail "docs/reference/$page.md is stale: ./uturn schema --write docs/reference/$page.md"
done
sed -i 's/^| `traffic.process` .*/| gone |/' page.md
"$UTURN_BIN" schema --write page.md
grep -q '^| `traffic.process` ' page.md || fail "--write writes nothing"
reject "expected 'scenario' or 'sweep', not 'swep'" "$UTURN_BIN" schema swep
echo '<!-- schema: tpoology -->' >page.md
reject "unknown table; known ones: topology, switch" "$UTURN_BIN" schema --write page.md
