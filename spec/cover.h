/* SPDX-License-Identifier: Apache-2.0 */
/* cover.h - which rules of the text a run has used: counters, a point each (cover_points.tsv;
 * docs/reference/coverage.md).
 *
 * A rule says so where it applies, with spec_cover().  What is no rule but a situation (a full buffer, three bids for
 * one output VC, a link that fails while a packet waits) is looked for once a cycle, in cover.c.  Nothing here has an
 * effect on the switch.
 */
#ifndef UT_SPEC_COVER_H
#define UT_SPEC_COVER_H

#include <stddef.h>
#include <stdint.h>

#include "cover_points.h"

/* Of one switch: only the thread that steps it writes them. */
struct spec_cover {
  uint64_t hits[SPEC_COVER_POINTS];
};

struct spec_switch;
struct spec_cycle;
struct spec_reroute_vector;
struct spec_node_states;

/* Counts a hit of the point; c NULL: nobody counts. */
static inline void spec_cover(struct spec_cover *cover, enum spec_cover_point point) {
  if (cover)
    cover->hits[point]++;
}

/* The situations of a cycle: registers of cycle t, and all that has been decided in it.  sw->cover is not NULL. */
void spec_cover_cycle(const struct spec_switch *sw, const struct spec_cycle *cycle);
/* The registers have been written that were *old; set: the bits of the vector that U-turns of this cycle set. */
void spec_cover_reroute_vector(const struct spec_switch *sw, const struct spec_reroute_vector *old, uint32_t set);
void spec_cover_node_states(const struct spec_switch *sw, const struct spec_node_states *old);

#endif
