/* SPDX-License-Identifier: Apache-2.0 */
/* source_routes.c - see source_routes.h */
#include "source_routes.h"

#include <stdlib.h>
#include <string.h>

#include "family.h"

static size_t words_of(const struct ut_topology *t) {
  return (t->channels + 63) / 64;
}

bool ut_source_routes_init(struct ut_source_routes *g, const struct ut_topology *t, uint64_t delay, uint64_t pace) {
  *g = (struct ut_source_routes){.topology = t, .delay = delay, .pace = pace, .next_cycle = UINT64_MAX};
  g->memory = calloc(2 * words_of(t), sizeof *g->memory);
  return g->memory != NULL;
}

void ut_source_routes_fini(struct ut_source_routes *g) {
  free(g->memory);
  memset(g, 0, sizeof *g);
}

/* Writes what works into the half of the memory that is not in use; NULL: everything. */
static uint64_t *survey(const struct ut_source_routes *g, const struct ut_faults *f) {
  const struct ut_topology *t = g->topology;
  uint64_t *up = g->older == g->memory ? g->memory + words_of(t) : g->memory;
  bool all = true;
  memset(up, 0, words_of(t) * sizeof *up);
  for (uint32_t i = 0; i < t->channels; i++) {
    const bool works = ut_faults_channel_up(f, i);
    up[i / 64] |= (uint64_t)works << i % 64;
    all &= works || t->peer[i].kind == UT_PEER_NONE;
  }
  return all ? NULL : up;
}

void ut_source_routes_begin(struct ut_source_routes *g, const struct ut_faults *f) {
  g->older = g->newer = survey(g, f);
}

void ut_source_routes_tell(struct ut_source_routes *g, uint64_t cycle) {
  g->told = true;
  if (!g->round)
    g->next_cycle = cycle;
}

void ut_source_routes_step(struct ut_source_routes *g, const struct ut_faults *f, uint64_t cycle) {
  if (g->round && cycle > g->start + (g->topology->terminals - 1) * g->pace) { /* the last one has heard */
    g->round = false;
    g->older = g->newer;
  }
  if (!g->round && g->told) {
    g->told = false;
    g->round = true;
    g->newer = survey(g, f);
    g->start = cycle + g->delay + g->pace;
  }
  g->next_cycle = g->round ? g->start + (g->topology->terminals - 1) * g->pace + 1 : UINT64_MAX;
}

unsigned ut_source_routes_choices(const struct ut_source_routes *g, uint32_t src, unsigned link, uint32_t dst,
                                  uint64_t cycle) {
  const bool heard = g->round && cycle >= g->start + src * g->pace;
  return g->topology->family->choices(g->topology, heard ? g->newer : g->older, src, link, dst);
}
