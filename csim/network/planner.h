/* planner.h - computes forwarding tables for the switches that work and the links that are up.
 *
 * Routing is destro's: up by the digits of the destination, one path down; where that up port leads to no fault-free
 * up*-down* path, the next one that does.  For table_reroute_det_link the tables are those of REROUTE algorithm 1, with
 * entries for U-turns and for packets in the re-routing layer.  Each entry is what the golden model's route function of
 * reroute_det_link answers when the up ports without such a path are taken for faulty: there is no second version of
 * its rules.
 */
#ifndef UT_PLANNER_H
#define UT_PLANNER_H

#include "switch.h"
#include "topology.h"

struct ut_planner {
  const struct ut_topology *topology;
  struct ut_group group; /* one switch with reroute_det_link, to be asked */
  unsigned k, v;
  bool local; /* entries of algorithm 1 too */
  uint32_t leaves;
  unsigned words; /* of a set of leaf switches */
  /* of the last survey, by switch: link states; leaf switches with a fault-free way down from it; those with a way up,
   * then down */
  ut_mask *up;
  uint64_t *below, *reach;
};

/* shape: of the network's switches, with an algorithm that has tables. false: out of memory. */
bool ut_planner_init(struct ut_planner *p, const struct ut_topology *t, const struct ut_shape *shape);
void ut_planner_fini(struct ut_planner *p);

/* Looks at the network: link states by switch.  Entries are those for this state until the next survey. */
void ut_planner_survey(struct ut_planner *p, const ut_mask *link_up);

/* The word that writes an entry (`config` of rtl/header.tsv). */
uint64_t ut_planner_entry(struct ut_planner *p, uint32_t sw, unsigned in_port, unsigned in_vc, uint16_t dst);

#endif
