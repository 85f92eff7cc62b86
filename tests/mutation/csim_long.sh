#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# csim_long.sh - of 20 mutants of each room of csim/ at least 80 %, and 60 % in each room, fail a unit test or change a case of
# tests/cli/cases.  Survivors are printed: most are equivalent, by one of the rules of docs/explanation/mutation.md.
# Usage: tests/mutation/csim_long.sh [OPTIONS of csim.py]; --sample N: more of them; --seed N: another sample.
set -eu
exec python3 "$(dirname "$0")/csim.py" --least 80 --least-room 60 --tests units,cases --seconds 10 "$@"
