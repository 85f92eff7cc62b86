/* SPDX-License-Identifier: Apache-2.0 */
/* departures.h - lists the packets that have left a golden network in its last cycle, by source and number; the list
 * does not depend on the number of threads. */
#ifndef UT_DEPARTURES_H
#define UT_DEPARTURES_H

#include "network.h"

/* From now on they are listed. */
void ut_departures_watch(struct ut_network *net);
/* To be called after each step; an empty list before the first one.  false: out of memory. */
bool ut_departures_take(struct ut_departures *departures, struct ut_network *net);

#endif
