/* SPDX-License-Identifier: Apache-2.0 */
/* cover.h - counts which rules of the spec a run has used: one counter for each cover point (cover_points.tsv;
 * docs/reference/coverage.md).
 *
 * A rule calls spec_cover() where it applies.  A situation that is not a rule (a full buffer, three bids for one output
 * VC, a link that fails while a packet waits) is looked for once in each cycle, in cover.c.  Counting has no effect on
 * the switch.
 */
#ifndef UT_SPEC_COVER_H
#define UT_SPEC_COVER_H

#include <stddef.h>
#include <stdint.h>

#include "cover_points.h"

/* The counters of one switch; only the thread that steps the switch writes them. */
struct spec_cover {
  uint64_t hits[SPEC_COVER_POINTS];
};

struct spec_switch;
struct spec_cycle;
struct spec_reroute_vector;
struct spec_node_states;

/* Counts a hit of the point; cover NULL: hits are not counted. */
static inline void spec_cover(struct spec_cover *cover, enum spec_cover_point point) {
  if (cover)
    cover->hits[point]++;
}

/* Counts the situations of a cycle, given the registers of cycle t and all decisions of the cycle.  sw->cover is not
 * NULL. */
void spec_cover_cycle(const struct spec_switch *sw, const struct spec_cycle *cycle);
/* Count changes of the family's registers.  *old: the registers before the cycle; set: bits of the vector that U-turns
 * of this cycle set. */
void spec_cover_reroute_vector(const struct spec_switch *sw, const struct spec_reroute_vector *old, uint64_t set);
void spec_cover_node_states(const struct spec_switch *sw, const struct spec_node_states *old);

#endif
