#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Commands that the pages show name commands, options, files and keys that are there (page_commands.py), and each kind of fault that
# is planted is found.
set -eu
cd "$UTURN_ROOT"
fail() { echo "page_commands: $*" >&2; exit 1; }
check() { /usr/bin/python3 tests/cli/page_commands.py "$UTURN_BIN" "$@"; }
mapfile -t pages < <(ls README.md CONTRIBUTING.md CHANGELOG.md; find docs -name '*.md' | LC_ALL=C sort)
check "${pages[@]}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# planted MESSAGE LINE...: a page of these lines is wrong, and the message says why
planted() {
  local message=$1
  shift
  printf '%s\n' "$@" >"$work/page.md"
  ! check "$work/page.md" >/dev/null 2>"$work/said" || fail "not found: $*"
  grep -qF -- "$message" "$work/said" || fail "expected '$message': $(cat "$work/said")"
}
planted "no command 'simulate'" '```' './uturn simulate scenarios/demo.yaml' '```'
planted 'uturn run has no option --speed' 'Use `uturn run --speed 3`.'
planted 'uturn cosim has no option --rtl-dir' 'As `cosim --rtl-dir X` does.'
planted 'scenarios/none.yaml: no such file' '```console' '$ ./uturn run \' '> scenarios/none.yaml | head -2' '```'
planted 'no key switch.buffers' 'With `switch.buffers: 3`.'
printf 'Fine: `uturn run scenarios/demo.yaml --load 0.2`, `switch.vcs`.\n' >"$work/page.md"
check "$work/page.md" >/dev/null || fail "finds a fault where there is none"
