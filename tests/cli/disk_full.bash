# SPDX-License-Identifier: Apache-2.0
# disk_full.bash - for disk_full*.sh: commands on a disk that becomes full at a write.  $work/disk is that disk, and the folder to be in;
# $places: how many writes of each command are tried.
hostile full_disk
uturn=$UTURN_BIN
mkdir disk
cd disk
tried=0
export TMPDIR=$work/disk

# on_disk N COMMAND...: N calls that change a file below this folder succeed; sets status, calls, failed
on_disk() {
  local n=$1
  shift
  : >../state
  status=0
  (ulimit -c 0; exec timeout 120 env UT_DISK_STATE="$work/state" UT_DISK_CALLS="$n" UT_DISK_UNDER="$work/disk" LD_PRELOAD="$work/full_disk.so" \
    "$@") >../out 2>../err </dev/null || status=$?
  read -r calls failed <<<"$(od -An -t d8 ../state)"
}
restore() { # FILES: as they stood there before
  local file
  for file in $1; do
    if [ -e "../old.$file" ]; then cp "../old.$file" "$file"; else rm -f "$file"; fi
  done
}
# Status 2, one message that says why, and under each name what stood there or all that is new.
told() { # WHAT FILES
  local file left
  [ "$failed" -gt 0 ] || { [ $status = 0 ] || [ $status = 4 ] || fail "$1: status $status without a failure: $(cat ../err)"; return 0; }
  [ $status = 2 ] || fail "$1: status $status: $(head -c 600 ../err)"
  [ "$(grep '^uturn[^:]*: ' ../err | grep -vc ' s so far')" = 1 ] || fail "$1: not one message: $(head -c 600 ../err)"
  grep -q 'No space left\|the disk is full\|is there room on its disk\|their disk must have room' ../err || fail "$1: does not say why: $(cat ../err)"
  for file in $2; do
    if [ -e "../old.$file" ] && cmp -s "../old.$file" "$file"; then continue; fi
    [ -e "$file" ] || { [ ! -e "../old.$file" ] && continue; fail "$1: $file is gone"; }
    plain "$file" >../found
    cmp -s ../found "../whole.$file" || fail "$1: $file is neither the old file nor the new one: $(wc -c <"$file") bytes"
  done
  left=$(find . -name '*.part' -o -name '*.hier' -o -name 'uturn-*')
  [ -z "$left" ] || fail "$1: left behind: $left"
}
# full "FILES" COMMAND...: FILES are written; for those with an ../old.FILE, that stood there before.
full() {
  local files=$1 file n all names
  shift
  names=$(sed 's/\.[^ ]*//g; s/ /|/g' <<<"$files sweep") # sweep.sqlite, which `plot` writes, too
  restore "$files"
  on_disk 1000000000 "$@"
  all=$calls
  [ $status = 0 ] || [ $status = 4 ] || fail "$*: status $status: $(cat ../err)"
  for file in $files; do
    [ -s "$file" ] || fail "$*: writes no $file"
    plain "$file" >"../whole.$file"
  done
  [ "$all" -gt 0 ] || fail "$*: writes nothing"
  for n in $(some "$all" "$places"); do
    restore "$files"
    on_disk "$n" "$@"
    tried=$((tried + 1))
    told "write $n of $all, $*" "$files"
    [ $status != 2 ] || grep -qE "^uturn: (\./)?($names)" ../err || fail "write $n of $all, $*: names no file: $(cat ../err)"
  done
  restore "$files"
}
# full_results RESULTS COMMAND...: a database that keeps what it has.  With room again the same command makes the rest.
full_results() {
  local results=$1 n all
  shift
  rm -rf "$results"*
  on_disk 1000000000 "$@"
  all=$calls
  cp ../out ../whole.results
  for n in $(some "$all" "$places"); do
    rm -rf "$results"*
    on_disk "$n" "$@"
    tried=$((tried + 1))
    told "write $n of $all, $*" ""
    "$@" >../found 2>../err || fail "write $n of $all, then with room: $*: $(cat ../err)"
    cmp -s ../found ../whole.results || fail "write $n of $all, then with room: $*: other results: $(diff ../found ../whole.results | head -3)"
  done
}
# full_cache N COMMAND...: an empty cache on the disk, of which N writes succeed.  With room again it is used.
full_cache() {
  local n=$1
  shift
  rm -rf cache
  export UTURN_CACHE=$work/disk/cache
  on_disk "$n" "$@"
  tried=$((tried + 1))
  told "write $n with an empty cache, $*" ""
  [ -z "$(find . -path './cache/*/complete' -size 0)" ] || fail "write $n, $*: an entry is half complete"
}
scenarios
for file in p.csv net.svg page.html dump.fst good.cert; do echo old >"../old.$file"; done
cp "$UTURN_ROOT/docs/reference/scenario.md" ../old.page.md
sed -i '/^| `/d' ../old.page.md
