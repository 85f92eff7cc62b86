#!/bin/sh
# Committed files that tools/generate makes are what it makes now.
set -eu
"$UTURN_ROOT/tools/generate" --check
