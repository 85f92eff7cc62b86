#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rtl_slow.sh - of 40 mutants of the RTL at least 90 % are found by a short look in lockstep or by the bench of their block.
# Survivors are printed: the rules of docs/explanation/mutation.md say which are equivalent.  Lockstep with the spec must find what lockstep with
# the model finds, at the same place.
# Usage: tests/mutation/rtl_slow.sh [OPTIONS of rtl.py]; --all: every mutant; --seed N: another sample; --look both: through all
# shapes, which are built for what is left.
set -eu
exec python3 "$(dirname "$0")/rtl.py" --sample 40 --least 90 --look first --golden both "$@"
