/* SPDX-License-Identifier: Apache-2.0 */
/* topology_build.h - builds the network of a scenario. */
#ifndef UT_TOPOLOGY_BUILD_H
#define UT_TOPOLOGY_BUILD_H

#include "error.h"
#include "scenario.h"
#include "scenario_document.h"
#include "shape.h"
#include "topology.h"

/* Refuses impossible combinations of the keys of `topology:`.  document: as in ut_scenario_check_shape().  Returns 0,
 * or -1 and fills *e.
 */
int ut_scenario_check_topology(const struct ut_scenario *scenario, struct ut_document *document, struct ut_error *e);
/* Builds the scenario's network.  Returns -1 and fills *e if it is impossible, or when out of memory; *topo is then
 * empty. */
int ut_topology_init(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e);
/* Computes the elaborations of a scenario's switches.  Returns how many there are, or -1 and fills *e. */
int ut_scenario_elaborations(const struct ut_scenario *scenario, struct ut_elaboration elaboration[UT_MAX_ELABORATIONS],
                             struct ut_shape shape[UT_MAX_ELABORATIONS], struct ut_error *e);

#endif
