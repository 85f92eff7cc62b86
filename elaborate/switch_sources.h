/* SPDX-License-Identifier: Apache-2.0 */
/* switch_sources.h - the sources of csim/switch, and of the terminals' cycle, as this program was built from them,
 * inside the program.
 *
 * Code that is compiled for one shape must lay out memory as the program does.  So it is compiled from these copies,
 * wherever the source folder is and whatever has been changed there since. */
#ifndef UT_SWITCH_SOURCES_H
#define UT_SWITCH_SOURCES_H

#include "cache_sources.h"

/* Copies them into the snapshot, below `folder`.  Returns 0, or -1 after filling *e. */
int ut_switch_sources_put(struct ut_sources *sources, const char *folder, struct ut_error *e);

#endif
