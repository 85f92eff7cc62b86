/* SPDX-License-Identifier: Apache-2.0 */
/* fault_text.h - a fault in the words in which commands print it (outages.h), read again. */
#ifndef UT_FAULT_TEXT_H
#define UT_FAULT_TEXT_H

#include "outages.h"

/* Reads "link 0.6-1.5", "switch 2.9 (1,2)", "link 0.1-terminal 3, from the terminal only", with " from cycle 50 on" or
 * " in cycles 100-199" behind it; without these from cycle 0 on.  What stands behind a comma may be left out where only
 * one link is called so.  -1 and *e (UT_BAD_INPUT): there is none, or several. */
int ut_fault_read(struct ut_fault *fault, const struct ut_topology *topo, const char *text, struct ut_error *e);

#endif
