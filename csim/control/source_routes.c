/* SPDX-License-Identifier: Apache-2.0 */
/* source_routes.c - see source_routes.h */
#include "source_routes.h"

#include <stdlib.h>
#include <string.h>

#include "family.h"

static size_t words_of(const struct ut_topology *topo) {
  return (topo->channels + 63) / 64;
}

bool ut_source_routes_init(struct ut_source_routes *routes, const struct ut_topology *topo, uint64_t delay,
                           uint64_t pace) {
  *routes = (struct ut_source_routes){.topology = topo, .delay = delay, .pace = pace, .next_cycle = UINT64_MAX};
  routes->memory = calloc(2 * words_of(topo), sizeof *routes->memory);
  return routes->memory != NULL;
}

void ut_source_routes_fini(struct ut_source_routes *routes) {
  free(routes->memory);
  memset(routes, 0, sizeof *routes);
}

/* Writes the working channels into the half of the memory that is not in use; NULL: all channels. */
static uint64_t *survey(const struct ut_source_routes *routes, const struct ut_faults *faults) {
  const struct ut_topology *topo = routes->topology;
  uint64_t *up = routes->older == routes->memory ? routes->memory + words_of(topo) : routes->memory;
  bool all = true;
  memset(up, 0, words_of(topo) * sizeof *up);
  for (uint32_t i = 0; i < topo->channels; i++) {
    const bool works = ut_faults_channel_up(faults, i);
    up[i / 64] |= (uint64_t)works << i % 64;
    all &= works || topo->peer[i].kind == UT_PEER_NONE;
  }
  return all ? NULL : up;
}

void ut_source_routes_begin(struct ut_source_routes *routes, const struct ut_faults *faults) {
  routes->older = routes->newer = survey(routes, faults);
}

void ut_source_routes_tell(struct ut_source_routes *routes, uint64_t cycle) {
  routes->told = true;
  if (!routes->round)
    routes->next_cycle = cycle;
}

void ut_source_routes_step(struct ut_source_routes *routes, const struct ut_faults *faults, uint64_t cycle) {
  if (routes->round &&
      cycle > routes->start + (routes->topology->terminals - 1) * routes->pace) { /* the last terminal has been
                                                                                     updated */
    routes->round = false;
    routes->older = routes->newer;
  }
  if (!routes->round && routes->told) {
    routes->told = false;
    routes->round = true;
    routes->newer = survey(routes, faults);
    routes->start = cycle + routes->delay + routes->pace;
  }
  routes->next_cycle =
      routes->round ? routes->start + (routes->topology->terminals - 1) * routes->pace + 1 : UINT64_MAX;
}

unsigned ut_source_routes_choices(const struct ut_source_routes *routes, uint32_t src, unsigned link, uint32_t dst,
                                  uint64_t cycle) {
  const bool heard = routes->round && cycle >= routes->start + src * routes->pace;
  return routes->topology->family->choices(routes->topology, heard ? routes->newer : routes->older, src, link, dst);
}
