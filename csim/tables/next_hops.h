/* SPDX-License-Identifier: Apache-2.0 */
/* next_hops.h - next-hop groups and the tables that name them (algorithm forwarding), from what a planner says: for
 * each switch and destination, a set of output ports.
 *
 * A planner knows one kind of network; what makes tables of its answers knows none.  A group is a set of ports that
 * some destination has.  A set keeps its number from survey to survey as long as an entry names it, and a new set gets
 * the number of one that no entry of this survey or the last one names, so that each entry of a switch that is being
 * written leads where the old or the new plan says.  If there are more sets than groups, a destination gets the largest
 * group that is part of its set, or none: then it is unreachable from there.
 */
#ifndef UT_NEXT_HOPS_H
#define UT_NEXT_HOPS_H

#include "mask.h"
#include "topology.h"

struct ut_planning;

/* A planner of next hops. */
struct ut_next_hop_planner {
  /* Returns a planner for a network; NULL: out of memory. */
  void *(*open)(const struct ut_topology *topo, const struct ut_planning *planning);
  void (*close)(void *planner);
  /* Surveys the network, given the output links that are up, by switch; it determines the answers until the next one.
   */
  void (*survey)(void *planner, const ut_mask *link_up);
  /* Returns the output ports of a switch that lead packets from input ports of a bank to a terminal; 0: none does. */
  ut_mask (*next_hops)(const void *planner, uint32_t sw, unsigned bank, uint32_t dst);
  /* Returns the bank of an input port, 0 or 1. */
  unsigned (*bank)(const void *planner, uint32_t sw, unsigned in_port);
};

/* Up*-down* in a network of levels: all shortest ways up, then the way down; bank 1 has the ports above. */
extern const struct ut_next_hop_planner ut_next_hops_by_levels;
/* All shortest allowed ways in a network of any form, as the scenario's planner says. */
extern const struct ut_next_hop_planner ut_next_hops_by_search;
/* What the scenario's file says. */
extern const struct ut_next_hop_planner ut_next_hops_by_file;

struct ut_next_hops {
  const struct ut_topology *topology;
  const struct ut_next_hop_planner *by;
  void *planner;
  unsigned groups;
  uint32_t destinations;
  uint8_t *entry; /* [switches * 2 * destinations]: bank, destination: the group, as planned */
  ut_mask *group; /* [switches * groups] */
  bool *named;    /* [switches * groups]: by an entry of the last survey */
};

/* groups: 2 to 256 of each switch.  false: out of memory. */
bool ut_next_hops_init(struct ut_next_hops *hops, const struct ut_topology *topo,
                       const struct ut_next_hop_planner *planner, const struct ut_planning *planning, unsigned groups);
void ut_next_hops_fini(struct ut_next_hops *hops);
void ut_next_hops_survey(struct ut_next_hops *hops, const ut_mask *link_up);

/* Returns how many words of the configuration port a switch has: its groups, the banks of its input ports, its entries.
 */
uint32_t ut_next_hops_words(const struct ut_next_hops *hops);
/* Returns how many of them are those of its groups, the first ones. */
uint32_t ut_next_hops_group_words(const struct ut_next_hops *hops);
/* Returns one of them, in that order: groups are there before an entry names them. */
uint64_t ut_next_hops_word(const struct ut_next_hops *hops, uint32_t sw, uint32_t i);

#endif
