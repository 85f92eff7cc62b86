#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The pages of the tutorial that synthesize three switches, and compile two in lockstep: their commands, and what they print.
set -eu
cd "$UTURN_ROOT/docs/tutorial"
"$UTURN_ROOT/tools/transcripts" first_gate_cost.md first_fabric.md ||
  { echo "tutorial_slow: if that is meant to be so: tools/transcripts --fix PAGE, and read the difference" >&2; exit 1; }
