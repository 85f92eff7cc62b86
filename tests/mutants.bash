# mutants.bash - reads tests/mutants.txt, and plants a mutant of it; sourced by scripts that set UTURN_ROOT.

# mutants_with KEY: names of the mutants that say something of it
mutants_with() {
  awk -v key="$1" '/^[a-z]/ { name = $1 } $1 == key && /^ / { sub(/:$/, "", name); print name }' "$UTURN_ROOT/tests/mutants.txt"
}

# mutant_says NAME KEY: what the mutant says of it; nothing if there is no such mutant
mutant_says() {
  awk -v name="$1:" -v key="$2" '/^[a-z]/ { here = $1 == name } here && $1 == key && sub(/^ +[a-z]+ +/, "")' "$UTURN_ROOT/tests/mutants.txt"
}

# plant_mutant NAME FOLDER: a copy of rtl/ with it
plant_mutant() {
  local file
  file=$(mutant_says "$1" file)
  [ "$file" ] || { echo "tests/mutants.txt: there is no mutant '$1'" >&2; return 1; }
  rm -rf "$2"
  cp -r "$UTURN_ROOT/rtl" "$2"
  mutant_says "$1" change | sed -f /dev/stdin "$UTURN_ROOT/rtl/$file" >"$2/$file"
  ! cmp -s "$UTURN_ROOT/rtl/$file" "$2/$file" || { echo "tests/mutants.txt: $1 does not change rtl/$file" >&2; return 1; }
}
