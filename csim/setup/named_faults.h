/* SPDX-License-Identifier: Apache-2.0 */
/* named_faults.h - faults that options add to a scenario, in the words in which commands print them. */
#ifndef UT_NAMED_FAULTS_H
#define UT_NAMED_FAULTS_H

#include <stddef.h>

#include "error.h"

struct ut_scenario;

/* Adds the faults of these names (fault_text.h) to those of a scenario that has been checked, and checks them all
 * together; a name may be several, with "; " between.  Returns 0, or -1 and fills *e (UT_BAD_INPUT). */
int ut_scenario_add_faults(struct ut_scenario *scenario, const char *const *name, size_t count, struct ut_error *e);

#endif
