#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# missing.sh - rtl_missing.txt and c_missing.txt can be read, each line has a kind and a reason, and names a file, and a function of
# C, that is there.  Signals and conditions may be renamed: whoever counts is told (rtl.py and c.py, by hand: docs/explanation/test_coverage.md).
set -eu
python3 "$(dirname "$0")/rtl.py" --check
python3 "$(dirname "$0")/c.py" --check
