#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Families of networks are known by name to their own files and to one table a room; and the check for it finds a name
# that is planted in code, in a comment or in a string.
set -eu
check=$UTURN_ROOT/tools/check_families
"$check"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "families: $*" >&2; exit 1; }
mkdir -p "$work/csim/room"
plain=$work/csim/room/plain.c
good='int count(const struct ut_topology *t); /* a table of rows; RUFT section 3 */'
echo "$good" >"$plain"
"$check" "$work" >/dev/null || fail "finds a name where there is none"
for line in 'return s->topology.kind == UT_FAT_TREE;' '/* of tori only */' 'puts("2-ary fat tree");' 'if (t->dimensions)' \
  'x = &ut_family_torus;' 'shape.route == UT_ROUTE_TABLE' 'case UT_MESH:' 'if (!strcmp(kind, "ft_ruft_212"))'; do
  printf '%s\n%s\n' "$good" "$line" >"$plain"
  ! "$check" "$work" >/dev/null 2>"$work/err" || fail "does not find: $line"
  grep -qF "csim/room/plain.c:2:$line" "$work/err" || fail "does not say where: $(cat "$work/err")"
done
# its own file may
cp "$plain" "$work/csim/room/family_ruft.c"
echo "$good" >"$plain"
"$check" "$work" >/dev/null || fail "an own file may not name its family"
echo "the check finds planted names"
