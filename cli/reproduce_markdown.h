/* SPDX-License-Identifier: Apache-2.0 */
/* reproduce_markdown.h - a reproduced experiment as a section of a page: a table of what differs, each reason once, and
 * lists of all other values. */
#ifndef UT_REPRODUCE_MARKDOWN_H
#define UT_REPRODUCE_MARKDOWN_H

#include "experiment.h"
#include "measured.h"

enum { UT_MEASURED_SIZE = 48 };

/* "0.4988 ± 0.0041"; "0.4988 ± ?" where one repetition gives no interval; "-": not measured.  Returns text. */
const char *ut_measured_text(const struct ut_measured *measured, char text[UT_MEASURED_SIZE]);

/* measured: a measured value for each printed one of the experiment, in their order. */
void ut_reproduce_print_markdown(const struct ut_experiment *experiment, const struct ut_measured *measured);

#endif
