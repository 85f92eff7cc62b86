/* SPDX-License-Identifier: Apache-2.0 */
/* example_walks.h - counter-examples from a walk (walk.h). */
#ifndef UT_EXAMPLE_WALKS_H
#define UT_EXAMPLE_WALKS_H

#include "counter_example.h"
#include "walk.h"

/* Takes the walk to the first state with that failure, of a loop also the way round, unless the counter-example is as
 * short already.  Returns false when out of memory. */
bool ut_example_shortest(struct ut_counter_example *example, const struct ut_walk *walk, enum ut_walk_fault fault);

/* Finds a packet of the walk in channel `from` that waits for channel `to`; indirect: it may reach `to` over adaptive
 * hops.  Returns false if there is none. */
bool ut_example_arc(const struct ut_walk *walk, uint32_t from, uint32_t to, bool indirect, struct ut_step *step);

#endif
