#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Transcripts of pages: every page with a block ```console shows what its commands print now (those of the tutorial: tutorial.sh);
# and tools/transcripts finds each kind of difference that is planted.  Pages with "transcripts: slow" are in transcripts_slow.sh.
set -eu
transcripts=$UTURN_ROOT/tools/transcripts
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "transcripts: $*" >&2; exit 1; }

cd "$UTURN_ROOT"
mapfile -t pages < <(grep -rl '^```console$' README.md docs --include=*.md | grep -v /tutorial/ | xargs grep -L '^<!-- transcripts: slow -->$' | sort)
[ ${#pages[@]} = 0 ] || "$transcripts" "${pages[@]}" || fail "if that is meant to be so: tools/transcripts --fix PAGE, and read the difference"

# write LINE...: a page whose commands print "one", "two", "three" and a time, make a picture, and fail
write() { printf '%s\n' "${@:-...}" '```' '' '![A picture](new.svg)' >"$work/end" && cat "$work/begin" "$work/end" >"$work/page.md"; }
cat >"$work/begin" <<'END'
Write this to `input`:

```
one
two
three
```

<!-- status 5 -->
```console
$ cd ~ && cp uturn/input . && (exit 5)
$ echo $?
5
$ echo "0.25 s"
0.50 s
$ echo '<svg>' >new.svg
$ cat input \
>   input
END
echo '<svg>' >"$work/new.svg"
check() { # STATUS WHAT: of the page that was written
  local status=0
  "$transcripts" "$work/page.md" >"$work/out" 2>&1 || status=$?
  [ $status = "$1" ] || { cat "$work/page.md" "$work/out" >&2; fail "$2: exit status $status, expected $1"; }
}
write one two three one two three && check 0 "all lines"
write ... && check 0 "any lines"
write one ... three && check 0 "the first line, the last one"
write ... three one ... && check 0 "lines in the middle"
write one two three one two && check 1 "a line is missing"
grep -qx '+three' "$work/out" || fail "the line that is missing is not shown: $(cat "$work/out")"
write one ... four && check 1 "another last line"
grep -qx -- '-four' "$work/out" && grep -qx '+three' "$work/out" || fail "not both are shown: $(cat "$work/out")"
"$transcripts" --fix "$work/page.md"
check 0 "after --fix"
sed -n '/^>   input$/,/^```$/p' "$work/page.md" | tr '\n' ' ' | grep -qxF '>   input one ... three ``` ' || fail "--fix writes $(cat "$work/page.md")"
write ... && sed -i 's/status 5/status 6/' "$work/page.md" && check 1 "another exit status"
grep -q 'exit status 5, expected 0$' "$work/out" || fail "the exit status is not shown: $(cat "$work/out")"
write ... && sed -i 's/ && (exit 5)//; s/^5$/0/' "$work/page.md" && check 1 "an exit status that does not come"
grep -q 'no exit status 5 in this block$' "$work/out" || fail "that is not said: $(cat "$work/out")"
echo '<SVG>' >"$work/new.svg"
write ... && check 1 "another picture"
"$transcripts" --fix "$work/page.md" && check 0 "the picture after --fix"
echo "${#pages[@]} pages show what their commands print; what is planted is found"
