/* SPDX-License-Identifier: Apache-2.0 */
/* exclusions.h - plans the exclusion intervals of `fta` (Flexible Interval Routing with multiple exclusion intervals,
 * RUFT section 5.1) for the switches that work and the links that are up.
 *
 * An up port leads to a destination if the switch behind it has a fault-free path there: from an ancestor of the
 * destination the one path down, otherwise through one of its own up ports that does not exclude the destination.  If a
 * port does not lead to a destination, an interval of the port contains it, and packets for it take another up port.
 *
 * The number of intervals of a port is limited.  If there are too few, two intervals are joined, and no packet for the
 * destinations between them ("victims") takes this port either; destinations that have no other port never become
 * victims. If even that does not suffice, the smallest intervals are left out, and packets are lost on their way down
 * as without intervals.
 */
#ifndef UT_EXCLUSIONS_H
#define UT_EXCLUSIONS_H

#include "switch.h"
#include "topology.h"
#include "up_down.h"

/* Leaf switches first..last; the port does not lead to `bad` of them. */
struct ut_excluded_run {
  uint32_t first, last, bad;
};

struct ut_exclusions {
  const struct ut_topology *topology;
  unsigned ports, count;       /* up ports of a switch, and intervals of each */
  struct ut_up_down up_down;   /* results of the last survey */
  uint64_t *owned;             /* [switches * words]: leaf switches below in the network without faults */
  uint64_t *reach;             /* [switches * words]: leaf switches that a packet can reach from there */
  uint32_t *interval;          /* [switches * ports * count]: first destination, and above it the last one */
  uint16_t *ways;              /* [leaves]: up ports of a switch that lead there */
  struct ut_excluded_run *run; /* [leaves] */
};

/* shape: of the network's switches, with exclusion intervals.  Returns false when out of memory. */
bool ut_exclusions_init(struct ut_exclusions *exclusions, const struct ut_topology *topo, const struct ut_shape *shape);
void ut_exclusions_fini(struct ut_exclusions *exclusions);

/* Surveys the network, given the output links that are up, by switch.  Intervals are those for this state until the
 * next survey.
 */
void ut_exclusions_survey(struct ut_exclusions *exclusions, const ut_mask *link_up);

/* Returns the word that writes interval i of a switch (`exclusion` of rtl/header.tsv).  Order: up port, number. */
uint64_t ut_exclusions_word(const struct ut_exclusions *exclusions, uint32_t sw, uint32_t i);

#endif
