#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test --changed: which tests a change touches, in a copy in which one file is changed.  Nothing is run.
set -eu
# shellcheck source=tests/cli/expect.bash
. "$UTURN_ROOT/tests/cli/expect.bash"
git -c safe.directory='*' clone -q "$UTURN_ROOT" copy
cp "$UTURN_ROOT/tools/changed_tests" copy/tools/
git -C copy -c user.name=x -c user.email=x@example.com commit -qam 'as it is here' || : # nothing was changed here

# touches FILE "TEST..." "TEST...": a change of it touches the first ones, and not the others
touches() {
  local test
  echo '/* changed */' >>"copy/$1"
  expect 0 env UTURN_ROOT="$work/copy" "$UTURN_BIN" test --changed --list
  git -C copy checkout -q -- "$1"
  for test in $2; do grep -qE "^$test  *$1$" out || fail "$1 should touch $test: $(cut -d ' ' -f 1 out | tr '\n' ' ')"; done
  for test in $3; do ! grep -q "^$test " out || fail "$1 should not touch $test"; done
}
touches csim/prove/certificate.c "prove.test_certificate cli.certificate cli.prove cli.format" "network.test_torus cosim.torus"
touches rtl/ut_fifo.v "cosim.torus cosim.blocks_slow icarus.axis cli.lint_slow tb.test_model_cache" "prove.test_graph util.test_nearest"
touches tests/cli/certificate_table.py "cli.certificate" "cli.prove cosim.torus"
expect 0 env UTURN_ROOT="$work/copy" "$UTURN_BIN" test --changed --list
[ "$(cat out)" = "no test is touched" ] || fail "without a change: $(cat out)"
# of what is committed since, too
echo '/* changed */' >>copy/csim/util/nearest.c
git -C copy -c user.name=x -c user.email=x@example.com commit -qam 'a change'
expect 0 env UTURN_ROOT="$work/copy" "$UTURN_BIN" test --changed HEAD~1 --list
grep -q '^util.test_nearest  *csim/util/nearest.c$' out || fail "since the commit before: $(cat out)"
reject "no commit 'nowhere'|git log" env UTURN_ROOT="$work/copy" "$UTURN_BIN" test --changed nowhere
reject "a commit is for --changed" "$UTURN_BIN" test HEAD
