/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_uniform.c - uniform traffic: a packet goes to any other terminal.  traffic.c draws it in its inner loop, and
 * patterns that draw fall back on it (traffic_draw.h). */
#include "pattern.h"

const struct ut_pattern ut_pattern_uniform = {
    .name = "uniform",
    .summary = "every other terminal, equally likely",
    .booksim = "uniform", /* which goes to the source itself, too */
};
