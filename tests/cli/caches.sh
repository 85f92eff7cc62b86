#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Caches that cannot be written, that belong to somebody else, or that are damaged: a command does without, or says why not in one message
# with status 2; what is damaged is never used.  The other user is `nobody`, whom only root can become.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
# shellcheck source=tests/cli/hostile.bash
. "$UTURN_ROOT/tests/cli/hostile.bash"
scenarios
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null || ! setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$UTURN_BIN"; then
  echo "caches: left out: needs root, setpriv, and a program that others may run"
  exit 0
fi
chmod 755 "$work"
other() { setpriv --reuid=65534 --regid=65534 --clear-groups "$UTURN_BIN" "$@"; }
results() { grep -v '"wall_s"\|per_s' out; }
compiled() { other run brief.yaml --json --elaborate always; }
without() { # WHAT: a run that needs no compiled switch
  expect 0 other run brief.yaml --json
  [ "$(results)" = "$wanted" ] || fail "$1: other results"
}
expect 0 "$UTURN_BIN" run brief.yaml --json --elaborate never
wanted=$(results)
export UTURN_CACHE=$work/cache

# ---- there is none, and none can be made
without "no cache"
reject "$UTURN_CACHE|Permission denied|UTURN_CACHE" compiled
reject "$UTURN_CACHE|Permission denied|UTURN_CACHE" other cosim brief.yaml
reject "$UTURN_CACHE|Permission denied|UTURN_CACHE" other cost brief.yaml
expect 0 "$UTURN_BIN" run brief.yaml --json --elaborate always # root's, with an entry
[ "$(results)" = "$wanted" ] || fail "compiled: other results"
artefact=$(find cache -name cycle.so)
entry=$(dirname "$artefact")
[ -s "$artefact" ] || fail "no entry: $(find cache)"

# ---- somebody else's: to be read, or not
for mode in 755 555; do
  chmod $mode cache
  expect 0 compiled
  [ "$(results)" = "$wanted" ] || fail "a cache of root's, mode $mode: other results"
done
reject "$UTURN_CACHE|Permission denied|UTURN_CACHE" other run good.yaml --elaborate always --cycles 100 # no such entry
chmod 700 cache
without "a cache of root's, mode 700"
reject "$UTURN_CACHE|Permission denied|UTURN_CACHE" compiled
chmod 755 cache
chmod 700 "$entry"
without "an entry of root's, mode 700"
reject "$UTURN_CACHE|Permission denied|UTURN_CACHE" compiled
chmod 755 "$entry"

# ---- damaged, and it cannot be mended
cp -a "$entry" whole
damaged() { # HOW COMMAND...
  local how=$1
  shift
  rm -rf "$entry"
  cp -a whole "$entry"
  "$@"
  without "$how"
  reject "$UTURN_CACHE|Permission denied|UTURN_CACHE" compiled
}
damaged "half of it" truncate -s 1000 "$artefact"
damaged "empty" truncate -s 0 "$artefact"
damaged "gone" rm "$artefact"
damaged "another byte" sh -c "printf x | dd of=$artefact bs=1 seek=5000 conv=notrunc status=none"
damaged "not complete" rm "$entry/complete"
damaged "complete, but empty" truncate -s 0 "$entry/complete"
damaged "a folder in its place" sh -c "rm $artefact; mkdir $artefact"

# ---- damaged, and mended
truncate -s 1000 "$artefact" 2>/dev/null || rmdir "$artefact"
expect 0 "$UTURN_BIN" run brief.yaml --json --elaborate always
[ "$(results)" = "$wanted" ] || fail "mended: other results"
cmp -s "$artefact" whole/cycle.so || [ -s "$artefact" ] || fail "not mended"
expect 0 compiled
[ -z "$(find cache -name '*.tmp')" ] || fail "left behind: $(find cache)"

# ---- read-only as a whole
if mkdir disk && mount -t tmpfs -o size=64m tmpfs disk 2>/dev/null; then
  trap 'umount "$work/disk" 2>/dev/null || :; rm -rf "$work"' EXIT
  cp -a cache disk/cache
  mount -o remount,ro disk
  export UTURN_CACHE=$work/disk/cache
  expect 0 "$UTURN_BIN" run brief.yaml --json --elaborate always
  [ "$(results)" = "$wanted" ] || fail "read-only: other results"
  reject "read-only file system|UTURN_CACHE" "$UTURN_BIN" run good.yaml --elaborate always --cycles 100
  expect 0 "$UTURN_BIN" run good.yaml --cycles 100
  umount disk
fi
echo "caches: all"
