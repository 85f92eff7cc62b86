/* SPDX-License-Identifier: Apache-2.0 */
/* path_routes.h - the paths of a scenario's network, from the route function of the golden model, for
 * path_network.h. */
#ifndef UT_PATH_ROUTES_H
#define UT_PATH_ROUTES_H

#include "path_network.h"
#include "switch.h"

struct ut_scenario;

struct ut_path_routes {
  struct ut_path_source source;
  const struct ut_topology *topology;
  struct ut_group group[UT_MAX_ELABORATIONS];
  uint32_t *fed_by; /* [switches * pi]: the terminal and link (terminal * injections + link) that inject there */
  ut_mask *ports;   /* [switches]: output ports that lead somewhere */
};

/* Returns -1 and fills *e: out of memory, or UT_BAD_INPUT if paths are not determined by working links: an algorithm
 * with detours, forwarding tables, or planned routes. */
int ut_path_routes_init(struct ut_path_routes *routes, const struct ut_scenario *scenario,
                        const struct ut_topology *topo, struct ut_error *e);
void ut_path_routes_free(struct ut_path_routes *routes);

#endif
