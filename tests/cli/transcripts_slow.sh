#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Pages whose commands take long: they show what their commands print now.
set -eu
cd "$UTURN_ROOT"
mapfile -t pages < <(grep -rl '^<!-- transcripts: slow -->$' README.md docs --include=*.md | sort)
[ ${#pages[@]} -gt 0 ] || { echo "transcripts_slow: no page" >&2; exit 1; }
tools/transcripts "${pages[@]}" ||
  { echo "transcripts_slow: if that is meant to be so: tools/transcripts --fix PAGE, and read the difference" >&2; exit 1; }
