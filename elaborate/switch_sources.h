/* SPDX-License-Identifier: Apache-2.0 */
/* switch_sources.h - csim/switch, and what the terminals' cycle needs, as this program was built from it, in the
 * program.
 *
 * What is compiled for one shape must lay out memory as the program does: so it is compiled from these, wherever the
 * folder is and whatever has been written there since. */
#ifndef UT_SWITCH_SOURCES_H
#define UT_SWITCH_SOURCES_H

#include "cache_sources.h"

/* Copies them into the snapshot, below `folder`.  Returns 0, or -1 after filling *e. */
int ut_switch_sources_put(struct ut_sources *sources, const char *folder, struct ut_error *e);

#endif
