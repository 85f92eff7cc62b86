/* SPDX-License-Identifier: Apache-2.0 */
/* node_availability.h - which nodes send and receive: those that have not failed and are not treated as if they had
 * (DETOUR, assumption A5: nobody sends to a faulty node).
 *
 * The manager of the network knows it from the cycle of a fault on.  Only networks whose switches keep states of nodes
 * have one; elsewhere a packet to a failed switch is on its way until it is found to be unreachable.
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
  uint32_t *list;           /* those that serve, ascending */
  uint32_t count;           /* of them */
  struct ut_random *random; /* [terminals]: draws other destinations */
};

/* -1 and *e: out of memory. */
int ut_availability_init(struct ut_node_availability *availability, const struct ut_topology *topo, uint64_t seed,
                         struct ut_error *e);
void ut_availability_fini(struct ut_node_availability *availability);

/* Looks at the faults as they are now. */
void ut_availability_survey(struct ut_node_availability *availability, const struct ut_faults *faults);

/* Nodes in each state. */
void ut_availability_count(const struct ut_node_availability *availability, uint32_t nodes[UT_NODE_STATES]);

/* Any terminal that serves but src, each as likely; src itself if there is no other. */
uint32_t ut_availability_other(struct ut_node_availability *availability, uint32_t src);

#endif
