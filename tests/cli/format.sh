#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# C files look as .clang-format says.
set -eu
"$UTURN_ROOT/tools/check_format"
