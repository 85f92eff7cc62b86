/* SPDX-License-Identifier: Apache-2.0 */
/* via_search.h - paths of Valiant's routing and of UGAL: which ports lead towards an intermediate terminal, and from
 * there to the destination (planners valiant, ugal).
 *
 * A network of groups (Kim, Dally, Scott and Abts, 2008, section 4): the first way ends in the group of the
 * intermediate terminal.  Each way has at most one link between groups.  A switch that has such a link to where it must
 * go takes it, another one takes a link within its group to one that has: l-g, then l-g-l.  Any other network: the
 * first way ends at the switch of the intermediate terminal, and both are shortest paths (hop_search.h).
 *
 * VCs: with groups there are three classes of VCs: class 0 for the first way, class 1 for the second one up to its link
 * between groups, class 2 behind that.  Otherwise the first half of the VCs are those of the first way, and each link
 * takes the VC behind that of the last one.
 */
#ifndef UT_VIA_SEARCH_H
#define UT_VIA_SEARCH_H

#include "hop_search.h"

struct ut_via_search {
  const struct ut_topology *topology;
  const struct ut_planning *planning;
  unsigned vcs;
  struct ut_hop_search hops;
  ut_mask *up;    /* [switches]: output links of the last survey */
  ut_mask *ports; /* [homes][switches]: towards a switch with terminals, the second way */
  ut_mask *first; /* [groups][switches]: towards a group; NULL: there are no groups */
  uint32_t *home; /* [switches]: which of those with terminals it is */
  bool *near;     /* [switches]: those from which one link more, or none, leads where the search goes to */
  uint32_t homes, groups;
  unsigned classes, each, via; /* classes of VCs, VCs of each, classes of the first way */
};

#endif
