#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The tutorial: every command of its pages, and what it prints.  What gates cost, and the fabric with its two switch models, are in tutorial_slow.sh.
set -eu
cd "$UTURN_ROOT/docs/tutorial"
status=0
"$UTURN_ROOT/tools/transcripts" first_network.md first_fault.md first_mismatch.md first_curve.md || status=$?
[ $status = 0 ] || { echo "tutorial: if that is meant to be so: tools/transcripts --fix PAGE, and read the difference" >&2; exit 1; }
