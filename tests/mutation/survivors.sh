#!/bin/bash
# survivors.sh - the mutators can read all of the RTL, and the C sources of which a mutant was accepted; every mutant of
# rtl_survivors.txt and csim_survivors.txt is one that they make: whoever changes a statement of which a mutant was accepted looks
# at it again.  Nothing is run (rtl_slow.sh and csim_slow.sh do that).
set -eu
python3 "$(dirname "$0")/rtl.py" --check
python3 "$(dirname "$0")/csim.py" --check
