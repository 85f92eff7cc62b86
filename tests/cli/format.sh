#!/bin/sh
# C files look as .clang-format says.
set -eu
"$UTURN_ROOT/tools/check_format"
