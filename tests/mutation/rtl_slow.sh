#!/bin/bash
# rtl_slow.sh - a sample of all mutants of the RTL: each is found in lockstep or by the bench of its block, or stands in
# rtl_survivors.txt with its reason (docs/mutation.md).
# Usage: tests/mutation/rtl_slow.sh [OPTIONS of rtl.py]; --all: every mutant; --seed N: another sample.
set -eu
exec python3 "$(dirname "$0")/rtl.py" "$@"
