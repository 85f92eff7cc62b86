/* SPDX-License-Identifier: Apache-2.0 */
/* fault_text.h - reads a fault in the form in which commands print it (outages.h). */
#ifndef UT_FAULT_TEXT_H
#define UT_FAULT_TEXT_H

#include "outages.h"

/* Reads "link 0.6-1.5", "switch 2.9 (1,2)", "link 0.1-terminal 3, from the terminal only", optionally followed by "
 * from cycle 50 on" or " in cycles 100-199"; without these from cycle 0 on.  The part behind a comma may be left out if
 * only one link has that name.  Returns -1 and fills *e (UT_BAD_INPUT): there is no such component, or several. */
int ut_fault_read(struct ut_fault *fault, const struct ut_topology *topo, const char *text, struct ut_error *e);

#endif
