#!/bin/bash
# missing.sh - what rtl_missing.txt and c_missing.txt give reasons for is still there: whoever changes such a line looks at its reason
# again.  Nothing is run; rtl.py and c.py count, by hand (docs/coverage.md).
set -eu
python3 "$(dirname "$0")/rtl.py" --check
python3 "$(dirname "$0")/c.py" --check
