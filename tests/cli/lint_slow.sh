#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The RTL is clean for Verilator, Icarus and Yosys, and all three name the rule that an illegal parameter set breaks.
set -eu
"$UTURN_ROOT/tools/check_lint"
