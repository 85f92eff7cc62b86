#!/bin/bash
# csim_slow.sh - of 8 mutants of each room of csim/ at least 80 %, and half in each room, fail a unit test or change a case of
# tests/cli/cases.  Survivors are printed: most are equivalent, by one of the rules of docs/mutation.md.
# Usage: tests/mutation/csim_slow.sh [OPTIONS of csim.py]; --sample N: more of them; --seed N: another sample.
set -eu
exec python3 "$(dirname "$0")/csim.py" --least 80 --sample 8 --least-room 50 --tests units,cases --seconds 10 "$@"
