/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_headers.h - rules on headers: which packets can be at an input VC of which switch.
 *
 * The route function of the golden model is asked for all packets, from every terminal, with any links down at any
 * time.  If its answers depend on more than that - states of routing, tables, headers that are rewritten - there are no
 * such rules.
 */
#ifndef UT_STUCK_HEADERS_H
#define UT_STUCK_HEADERS_H

#include "stuck_rules.h"
#include "topology.h"

/* A network, and which of its elaborations are the switch: a bit each. */
struct ut_stuck_network {
  const struct ut_scenario *scenario;
  const struct ut_topology *topology;
  uint32_t elaborations;
};

/* Rules of the switch in all these networks.  false: out of memory. */
bool ut_stuck_headers_add(struct ut_stuck_rules *rules, const struct ut_circuit *circuit, const struct ut_shape *shape,
                          const struct ut_stuck_network *network, unsigned count);

#endif
