#!/bin/bash
# survivors.sh - the mutator can read all of the RTL, and every mutant of survivors.txt is one that it makes: whoever changes a
# statement of which a mutant was accepted looks at it again.  Nothing is simulated (rtl_slow.sh does that).
set -eu
python3 "$(dirname "$0")/rtl.py" --check
