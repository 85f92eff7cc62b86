#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The whole demo, 120,000 cycles and the drain: the checks of tests/cosim/fast.sh.
set -eu
export DEMO_OPTIONS='' DEMO_CYCLES=120000
exec "$(dirname "$0")/fast.sh"
