/* SPDX-License-Identifier: Apache-2.0 */
/* up_down.h - which leaf switches can be reached by a fault-free path that goes down, or up and then down: the paths
 * that forwarding tables computed for the surviving network (DDRC) can use.  For networks of levels.
 */
#ifndef UT_UP_DOWN_H
#define UT_UP_DOWN_H

#include "switch.h"
#include "topology.h"

struct ut_up_down {
  const struct ut_topology *topology;
  uint32_t leaves;
  unsigned words; /* of a set of leaf switches */
  /* from the last survey, [switches * words]: leaf switches below; leaf switches that a path up, then down leads to */
  uint64_t *below, *reach;
};

/* false: out of memory. */
bool ut_up_down_init(struct ut_up_down *down, const struct ut_topology *topo);
void ut_up_down_fini(struct ut_up_down *down);

/* Surveys the network, given the output links that are up, by switch. */
void ut_up_down_survey(struct ut_up_down *down, const ut_mask *up);

/* By the last survey: whether every leaf switch reaches every other one; whether a leaf switch is below, or reached by,
 * a switch. */
bool ut_up_down_connected(const struct ut_up_down *down);
static inline bool ut_up_down_below(const struct ut_up_down *down, uint32_t sw, uint32_t leaf) {
  return down->below[(size_t)sw * down->words + leaf / 64] >> leaf % 64 & 1;
}
static inline bool ut_up_down_reaches(const struct ut_up_down *down, uint32_t sw, uint32_t leaf) {
  return down->reach[(size_t)sw * down->words + leaf / 64] >> leaf % 64 & 1;
}

#endif
