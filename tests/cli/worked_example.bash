# worked_example.bash - for tests of pages with a worked example, NAME.md in docs/ and the folder NAME in docs/examples/: the page's
# blocks of code are the files of the folder; put where the page says, they are built and run in a copy of the tree.
# Usage, behind set -eu: . "$UTURN_ROOT/tests/cli/worked_example.bash" NAME
#
# A page says "`docs/examples/NAME/FILE` becomes `PATH`:" in front of the block of a new file, and "`docs/examples/NAME/tables.patch`"
# in front of the changes of others, for git apply.  Its first block ```text lists every file that is touched.
name=$1
page=$UTURN_ROOT/docs/$name.md
example=$UTURN_ROOT/docs/examples/$name
work=$(mktemp -d)
copy=$work/copy
trap 'rm -rf "$work"' EXIT
fail() { echo "$name: $*" >&2; exit 1; }

# Block behind the line that begins with "`docs/examples/NAME/FILE`".
example_block() {
  awk -v start="\`docs/examples/$name/$1\`" '
    inside && /^```$/ { exit }
    inside { print }
    index($0, start) == 1 { found = 1 }
    found && !inside && /^```/ { inside = 1 }' "$page"
}

# The copy, as the page says; the work goes on there.
example_apply() {
  local file from to
  for file in "$example"/*; do
    example_block "$(basename "$file")" >"$work/block"
    diff "$file" "$work/block" >&2 || fail "the page and $(basename "$file") differ (< file, > page)"
  done
  mkdir "$copy"
  (cd "$UTURN_ROOT" && tar --exclude=./.git --exclude='./build*' -cf - .) | tar -xf - -C "$copy"
  cd "$copy"
  git init -q . && git add -A
  git apply "$example/tables.patch" || fail "the lines of tables.patch have no place any more"
  sed -n "s/^\`docs\/examples\/$name\/\(.*\)\` becomes \`\(.*\)\`:\$/\1 \2/p" "$page" >"$work/becomes"
  [ "$(wc -l <"$work/becomes")" = $(($(ls "$example" | wc -l) - 1)) ] ||
    fail "the page says where $(wc -l <"$work/becomes") files go, expected $(($(ls "$example" | wc -l) - 1))"
  while read -r from to; do
    [ ! -e "$to" ] || fail "$to is there already"
    cp "$example/$from" "$to"
  done <"$work/becomes"
  tools/generate 2>/dev/null
}

# The list of touched files is complete.
example_touched() {
  git add -N .
  git diff --name-only | LC_ALL=C sort >"$work/touched"
  awk '/^```text$/ { inside = 1; next } inside && /^```$/ { exit } inside' "$page" >"$work/listed"
  diff "$work/touched" "$work/listed" >&2 || fail "the page's list of touched files is wrong (< touched, > listed)"
  [ ! -x tools/check_families ] || tools/check_families >/dev/null || fail "somebody else learned a family's name"
}

# example_build TARGET...: without optimisation, which takes half of the time
example_build() {
  cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DUTURN_LTO=OFF >"$work/log" 2>&1 && ninja -C build "$@" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "not built: $*"; }
  export UTURN_ROOT=$copy UTURN_BUILD=$copy/build
}
