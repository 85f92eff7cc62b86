/* SPDX-License-Identifier: Apache-2.0 */
/* node_availability.h - which nodes send and receive: those that have not failed and are not treated as failed (DETOUR,
 * assumption A5: no packet is sent to a faulty node).
 *
 * The network's manager knows it from the cycle of a fault on.  Only networks whose switches keep node states have it;
 * elsewhere a packet to a failed switch travels until it is found to be unreachable.
 */
#ifndef UT_NODE_AVAILABILITY_H
#define UT_NODE_AVAILABILITY_H

#include "faults.h"
#include "node_model.h"
#include "random.h"

struct ut_node_availability {
  const struct ut_topology *topology;
  struct ut_node_model model;
  uint32_t *failed;         /* [switches]: room for a list */
  bool *serves;             /* [terminals] */
  uint32_t *list;           /* available nodes, ascending */
  uint32_t count;           /* of them */
  struct ut_random *random; /* [terminals]: draws replacement destinations */
};

/* -1 and *e: out of memory. */
int ut_availability_init(struct ut_node_availability *availability, const struct ut_topology *topo, uint64_t seed,
                         struct ut_error *e);
void ut_availability_fini(struct ut_node_availability *availability);

/* Updates the states from the present faults. */
void ut_availability_survey(struct ut_node_availability *availability, const struct ut_faults *faults);

/* Counts the nodes in each state. */
void ut_availability_count(const struct ut_node_availability *availability, uint32_t nodes[UT_NODE_STATES]);

/* Returns any available terminal but src, each equally likely; src itself if there is no other. */
uint32_t ut_availability_other(struct ut_node_availability *availability, uint32_t src);

#endif
