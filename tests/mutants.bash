# SPDX-License-Identifier: Apache-2.0
# mutants.bash - reads tests/mutants.txt and tests/semantic_bugs/, and plants a mutant or a bug of these; sourced by scripts that
# set UTURN_ROOT.

# mutants_with KEY: names of the mutants that say something of it
mutants_with() {
  awk -v key="$1" '/^[a-z]/ { name = $1 } $1 == key && /^ / { sub(/:$/, "", name); print name }' "$UTURN_ROOT/tests/mutants.txt"
}

# mutant_says NAME KEY: what the mutant says of it; nothing if there is no such mutant
mutant_says() {
  awk -v name="$1:" -v key="$2" '/^[a-z]/ { here = $1 == name } here && $1 == key && sub(/^ +[a-z]+ +/, "")' "$UTURN_ROOT/tests/mutants.txt"
}

# semantic_bugs: names of all of them
semantic_bugs() { (cd "$UTURN_ROOT/tests/semantic_bugs" && ls -- *.patch) | sed 's/\.patch$//'; }

# semantic_bug_says NAME KEY: what the head of its patch says of it, in one line
semantic_bug_says() {
  awk -v key="$2" '/^--- / { exit } /^[a-z]/ { here = $1 == key; sub(/^[a-z]+/, "") } here && NF { $1 = $1; printf "%s%s", space, $0; space = " " }
    END { if (space) print "" }' "$UTURN_ROOT/tests/semantic_bugs/$1.patch"
}

# plant_mutant NAME FOLDER: a copy of rtl/ with that mutant, or that semantic bug
plant_mutant() {
  local file patch="$UTURN_ROOT/tests/semantic_bugs/$1.patch"
  file=$(mutant_says "$1" file)
  [ "$file" ] || [ -f "$patch" ] || { echo "neither tests/mutants.txt nor tests/semantic_bugs/ has a mutant '$1'" >&2; return 1; }
  rm -rf "$2"
  cp -r "$UTURN_ROOT/rtl" "$2"
  if [ "$file" ]; then
    mutant_says "$1" change | sed -f /dev/stdin "$UTURN_ROOT/rtl/$file" >"$2/$file"
    ! cmp -s "$UTURN_ROOT/rtl/$file" "$2/$file" || { echo "tests/mutants.txt: $1 does not change rtl/$file" >&2; return 1; }
  else # without a repository around it, git would leave out what is not of it
    (cd "$2" && GIT_CEILING_DIRECTORIES=$(cd .. && pwd) git apply -p2 "$patch") ||
      { echo "tests/semantic_bugs/$1.patch does not apply to rtl/" >&2; return 1; }
  fi
}
