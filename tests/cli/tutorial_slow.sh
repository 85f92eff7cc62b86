#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The page of the tutorial that synthesizes three switches: its commands, and what they print.
set -eu
"$UTURN_ROOT/tools/transcripts" "$UTURN_ROOT/docs/tutorial/first_gate_cost.md" ||
  { echo "tutorial_slow: if that is meant to be so: tools/transcripts --fix PAGE, and read the difference" >&2; exit 1; }
