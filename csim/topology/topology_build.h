/* SPDX-License-Identifier: Apache-2.0 */
/* topology_build.h - builds the network of a scenario. */
#ifndef UT_TOPOLOGY_BUILD_H
#define UT_TOPOLOGY_BUILD_H

#include "error.h"
#include "shape.h"
#include "topology.h"

struct ut_document;
struct ut_scenario;

/* Refuses what the keys of `topology:` make impossible.  document: as in ut_scenario_check_shape().  0, or -1 and *e.
 */
int ut_scenario_check_topology(const struct ut_scenario *scenario, struct ut_document *document, struct ut_error *e);
/* Builds the scenario's network.  Returns -1 and fills *e if it is impossible, or when out of memory; *topo is then
 * empty. */
int ut_topology_init(struct ut_topology *topo, const struct ut_scenario *scenario, struct ut_error *e);
/* Builds the scenario's network as scenario->built, in place of the one that is there: again after every change of
 * `topology:` or `routing:`.  -1 and *e; scenario->built is then NULL. */
int ut_scenario_build(struct ut_scenario *scenario, struct ut_error *e);
void ut_scenario_unbuild(struct ut_scenario *scenario);
/* The network of a scenario that has been checked (scenario_check.h), or built here. */
const struct ut_topology *ut_scenario_topology(const struct ut_scenario *scenario);
/* The elaborations of a built scenario's switches and what each needs.  Returns how many there are, or -1 and *e. */
int ut_scenario_elaborations(const struct ut_scenario *scenario, struct ut_elaboration elaboration[UT_MAX_ELABORATIONS],
                             struct ut_shape shape[UT_MAX_ELABORATIONS], struct ut_error *e);

#endif
