#!/bin/bash
# rtl_slow.sh - of 150 mutants of the RTL at least 90 % are found in lockstep or by the bench of their block.  Survivors are
# printed: the rules of docs/mutation.md say which are equivalent.
# Usage: tests/mutation/rtl_slow.sh [OPTIONS of rtl.py]; --all: every mutant; --seed N: another sample.
set -eu
exec python3 "$(dirname "$0")/rtl.py" --least 90 "$@"
