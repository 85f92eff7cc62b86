#!/bin/bash
# csim_same_slow.sh - mutants that no test can kill are found (csim_same.py): of a file that tests look at in many ways some are
# always the same, or never reached, because memory is there; and these are few.
set -eu
here=$(dirname "$0")
file=csim/util/statistics.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$here/csim_same.py" --files $file --folder "$work" >"$work/log" || { cat "$work/log"; exit 1; }
list=$work/util.txt
cat "$list"
for kind in same 'never reached'; do
  grep -q "^$file:[0-9]*: $kind: ." "$list" || { echo "no mutant of $file is listed as: $kind"; exit 1; }
done
listed=$(wc -l <"$list") all=$(sed -n 's/^\([0-9]*\) mutants$/\1/p' "$work/log")
[ "$((10 * listed))" -le "$all" ] || { echo "$listed of $all mutants of $file are listed, expected at most a tenth"; exit 1; }
