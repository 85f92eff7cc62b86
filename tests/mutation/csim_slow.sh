#!/bin/bash
# csim_slow.sh - a sample of all mutants of the C sources: each fails a unit test or a case of tests/cli/cases, or stands in
# csim_survivors.txt with its reason (docs/mutation.md).
# Usage: tests/mutation/csim_slow.sh [OPTIONS of csim.py]; --sample N: more of them; --seed N: another sample.
set -eu
exec python3 "$(dirname "$0")/csim.py" "$@"
