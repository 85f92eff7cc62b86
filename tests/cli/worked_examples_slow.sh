#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Pages with a worked example, docs/howto/add_a_*.md: a page's blocks of code are the files of its folder in docs/examples; put where
# the page says they touch what it lists, and nothing else.  All examples are then built together in one copy of the tree
# (a build takes most of the time), and each is tried by tests/cli/NAME.bash.
#
# A page says "`docs/examples/NAME/FILE` becomes `PATH`:" in front of the block of a new file, and "`docs/examples/NAME/tables.patch`"
# in front of the changes of others, for git apply, or has a link to that file.  Its first block ```text lists every file that is touched.
set -eu
work=$(mktemp -d)
copy=$work/copy
trap 'rm -rf "$work"' EXIT
fail() { echo "$name: $*" >&2; exit 1; }
example() {
  name=$1
  page=$UTURN_ROOT/docs/howto/$name.md
  example=$UTURN_ROOT/docs/examples/$name
}

# Block behind the line that begins with "`docs/examples/NAME/FILE`".
block() {
  awk -v start="\`docs/examples/$name/$1\`" '
    inside && /^```$/ { exit }
    inside { print }
    index($0, start) == 1 { found = 1 }
    found && !inside && /^```/ { inside = 1 }' "$page"
}
# Does what the page says.
apply() {
  local from to
  git apply --3way "$example/tables.patch" 2>"$work/log" || { cat "$work/log" >&2; fail "the lines of tables.patch have no place any more"; }
  while read -r from to; do
    [ ! -e "$to" ] || fail "$to is there already"
    cp "$example/$from" "$to"
  done < <(becomes)
  tools/generate 2>/dev/null
}
becomes() { sed -n "s/^\`docs\/examples\/$name\/\(.*\)\` becomes \`\(.*\)\`:\$/\1 \2/p" "$page"; }
listed() { awk '/^```text$/ { inside = 1; next } inside && /^```$/ { exit } inside' "$page"; }
touched() { git add -A && git diff --cached --name-only; }
# Pages that the program writes, when it is built.
written="docs/reference/scenario.md docs/reference/traffic.md"
unwritten() { grep -vxF "${written// /$'\n'}" | LC_ALL=C sort; }

mkdir "$copy"
(cd "$UTURN_ROOT" && tar --exclude=./.git --exclude='./build*' -cf - .) | tar -xf - -C "$copy"
cd "$copy"
git init -q . && git add -A && git -c user.name=test -c user.email=test commit -qm "as it was"
examples=(add_a_pattern add_a_family add_a_scenario_key add_a_policy)
diff <(printf '%s\n' "${examples[@]}" | sort) <(cd "$UTURN_ROOT/docs/examples" && ls -d add_a_*) >&2 || { echo "not all examples are tried (< tried, > there)" >&2; exit 1; }

# Each alone: its text, and the list of touched files.
for name in "${examples[@]}"; do
  example "$name"
  for file in "$example"/*; do
    ! grep -qF "(../examples/$name/$(basename "$file"))" "$page" || continue
    block "$(basename "$file")" | diff "$file" - >&2 || fail "the page and $(basename "$file") differ (< file, > page)"
  done
  [ "$(becomes | wc -l)" = $(($(ls "$example" | wc -l) - 1)) ] ||
    fail "the page says where $(becomes | wc -l) files go, expected $(($(ls "$example" | wc -l) - 1))"
  apply
  diff <(touched | unwritten) <(listed | unwritten) >&2 || fail "the page's list of touched files is wrong (< touched, > listed)"
  tools/check_families >/dev/null || fail "somebody else learned a family's name"
  git reset -q --hard
done

# All together, without optimisation, which takes half of the time.
for name in "${examples[@]}"; do
  example "$name"
  apply
done
name=worked_examples
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DUTURN_LTO=OFF >"$work/log" 2>&1 &&
  ninja -C build uturn test_traffic_defined test_scenario_keys test_spec test_scenario_write >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "not built"; }
export UTURN_ROOT=$copy UTURN_BUILD=$copy/build UTURN_BIN=$copy/build/uturn
for file in $written; do
  "$UTURN_BIN" schema --write "$file"
done
for name in "${examples[@]}"; do
  example "$name"
  listed
done | LC_ALL=C sort -u >"$work/listed"
diff <(touched | LC_ALL=C sort) "$work/listed" >&2 || fail "the files written by the program are not those of the pages (< touched, > listed)"

# refused SCENARIO MESSAGE SED: with that change the scenario ends with status 2 and the message
refused() {
  local status=0
  sed "$3" "$1" >wrong.yaml
  "$UTURN_BIN" run wrong.yaml >/dev/null 2>"$work/log" || status=$?
  [ $status = 2 ] && grep -qF "$2" "$work/log" || fail "expected '$2', exit status $status: $(cat "$work/log")"
}
# Each on its own: what one breaks to be found out is mended for the next.
for name in "${examples[@]}"; do
  example "$name"
  # shellcheck source=/dev/null
  . "tests/cli/$name.bash"
  git checkout -q .
done
