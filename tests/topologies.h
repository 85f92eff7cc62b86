/* SPDX-License-Identifier: Apache-2.0 */
/* topologies.h - networks of the tests, without a scenario file. */
#ifndef UT_TEST_TOPOLOGIES_H
#define UT_TEST_TOPOLOGIES_H

#include "family.h"
#include "scenario.h"
#include "topology_build.h"

/* -1 and *e when impossible. */
static inline int test_fat_tree(struct ut_topology *t, unsigned k, unsigned n, unsigned timeout, bool repair,
                                struct ut_error *e) {
  const struct ut_scenario s = {
      .topology = {.family = &ut_family_fat_tree, .k = k, .n = n, .link_cycles = 1},
      .routing = {.reroute_timeout_cycles = timeout, .reroute_clear = repair ? UT_CLEAR_REPAIR : UT_CLEAR_TIMER}};
  return ut_topology_init(t, &s, e);
}

static inline int test_grid(struct ut_topology *t, const unsigned *size, unsigned dimensions, unsigned local_ports,
                            bool wrap, struct ut_error *e) {
  struct ut_scenario s = {.topology = {.family = wrap ? &ut_family_torus : &ut_family_mesh,
                                       .sizes = dimensions,
                                       .local_ports = local_ports,
                                       .terminal_links = 1,
                                       .link_cycles = 1}};
  for (unsigned i = 0; i < dimensions && i < UT_MAX_DIMENSIONS; i++)
    s.topology.size[i] = size[i];
  return ut_topology_init(t, &s, e);
}

static inline int test_cube(struct ut_topology *t, unsigned n, struct ut_error *e) {
  const struct ut_scenario s = {
      .topology = {.family = &ut_family_hypercube, .n = n, .local_ports = 1, .terminal_links = 1, .link_cycles = 1}};
  return ut_topology_init(t, &s, e);
}

#endif
