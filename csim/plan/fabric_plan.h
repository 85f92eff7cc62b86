/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_plan.h - forwarding tables for a network in a file, as the switches of InfiniBand take them: one port for each
 * switch and destination, and one virtual layer for each pair, which is a service level there.
 *
 * updown   up*-down* paths of one table (hop_search.h).  Without roots it tries the usual ones, and each switch of a
 *          network of at most UT_FABRIC_ROOTS, and takes those with the least busy channel
 * minimal  shortest paths (balanced.h)
 * layers   shortest paths in virtual layers (layered.h), its own ones or those of minimal
 *
 * A plan is no proof: csim/fabric looks at what stands in the tables.
 */
#ifndef UT_FABRIC_PLAN_H
#define UT_FABRIC_PLAN_H

#include "error.h"
#include "graph.h"
#include "path_sls.h"
#include "planning.h"
#include "switch_tables.h"

enum { UT_FABRIC_ROOTS = 64 };

struct ut_fabric_plan {
  struct ut_switch_tables *tables;
  struct ut_path_sls *sls; /* the layer of each pair; NULL: all are in the same one */
  unsigned vls;            /* layers in use */
  unsigned vls_needed;     /* of planner layers: so many would be enough, be there as many or not; else 1 */
  uint32_t root;           /* of updown: the switch, a node, that was chosen as the only root; UT_NO_NODE: none was */
};

/* Whether that planner makes such tables. */
bool ut_fabric_plan_knows(enum ut_planner planner);

/* Plans tables for a graph that has been checked; planning: the planner, and the roots of updown.  vls: what the
 * switches have, at most 15.  The graph must outlive the plan.  0, or -1 and *e: out of memory, or what the planner, or
 * a switch, cannot have. */
int ut_fabric_plan_make(struct ut_fabric_plan *plan, struct ut_graph *graph, const struct ut_planning *planning,
                        unsigned vls, struct ut_error *e);
void ut_fabric_plan_free(struct ut_fabric_plan *plan);

#endif
