#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sources.sh - the mutators read all of the RTL and of csim/, and find mutants for a sample in each room.  Nothing is run
# (rtl_slow.sh and csim_long.sh do that).
set -eu
python3 "$(dirname "$0")/rtl.py" --check
python3 "$(dirname "$0")/csim.py" --check
