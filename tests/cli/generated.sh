#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Committed files that tools/generate makes are what it makes now, and C code uses every function of layout.h.
set -eu
"$UTURN_ROOT/tools/generate" --check

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$UTURN_ROOT"
sed -n 's/^static inline [a-z0-9_]* \(ut_[a-z0-9_]*\)(.*/\1/p' spec/layout.h | sort >"$work/functions"
grep -rhowF -f "$work/functions" --include='*.[ch]' --include='*.cpp' --exclude=layout.h --exclude-dir='build*' . | sort -u >"$work/used"
if ! comm -23 "$work/functions" "$work/used" >"$work/unused" || [ -s "$work/unused" ] || [ ! -s "$work/functions" ]; then
  echo "functions of spec/layout.h that no C code uses; remove their fields, or set, from rtl/header.tsv:"
  cat "$work/unused"
  exit 1
fi
