/* SPDX-License-Identifier: Apache-2.0 */
/* grid.c - see grid.h */
#include "grid.h"

#include <stdlib.h>
#include <string.h>

int ut_grid_init(struct ut_grid *g, const struct ut_topology *t, struct ut_error *e) {
  *g = (struct ut_grid){.dimensions = t->dimensions, .directions = 2 * t->dimensions, .wrap = t->wrap};
  g->nodes = t->switches;
  g->links = (uint32_t)t->links;
  for (unsigned d = 0; d < g->dimensions; d++) {
    g->size[d] = t->size[d];
    g->diameter += g->wrap ? g->size[d] / 2 : g->size[d] - 1;
  }
  size_t places = (size_t)g->nodes * g->directions;
  g->next = malloc(places * sizeof *g->next);
  g->link = malloc(places * sizeof *g->link);
  g->end = malloc(g->links * sizeof *g->end);
  if (!g->next || !g->link || !g->end) {
    ut_grid_free(g);
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u nodes", (unsigned)g->nodes);
  }
  for (uint32_t n = 0; n < g->nodes; n++)
    for (unsigned p = 0; p < g->directions; p++) {
      const struct ut_peer *peer = &t->peer[(size_t)n * t->po + p];
      g->next[n * g->directions + p] = peer->kind == UT_PEER_SWITCH ? peer->index : UT_GRID_NONE;
      g->link[n * g->directions + p] = UT_GRID_NONE;
    }
  for (uint32_t l = 0; l < g->links; l++) {
    g->end[l][0] = t->link[l].lower * g->directions + t->link[l].lower_port;
    g->end[l][1] = t->link[l].upper * g->directions + t->link[l].upper_port;
    g->link[g->end[l][0]] = g->link[g->end[l][1]] = l;
  }
  return 0;
}

void ut_grid_free(struct ut_grid *g) {
  free(g->next);
  free(g->link);
  free(g->end);
  *g = (struct ut_grid){0};
}

/* Profitable directions in one dimension as bits 0 (plus) and 1 (minus), and the hops. */
static unsigned one_dimension(const struct ut_grid *g, unsigned d, unsigned from, unsigned to, unsigned *hops) {
  unsigned k = g->size[d];
  if (!g->wrap) {
    *hops = to > from ? to - from : from - to;
    return to > from ? 1 : to < from ? 2 : 0;
  }
  unsigned on = (to + k - from) % k;
  *hops = 2 * on <= k ? on : k - on;
  return on == 0 ? 0 : (2 * on <= k ? 1 : 0) | (2 * on >= k ? 2 : 0);
}

unsigned ut_grid_distance(const struct ut_grid *g, uint32_t from, uint32_t to) {
  unsigned sum = 0, hops;
  for (unsigned d = 0; d < g->dimensions; from /= g->size[d], to /= g->size[d], d++) {
    one_dimension(g, d, from % g->size[d], to % g->size[d], &hops);
    sum += hops;
  }
  return sum;
}

unsigned ut_grid_profitable(const struct ut_grid *g, uint32_t from, uint32_t to) {
  unsigned mask = 0, hops;
  for (unsigned d = 0; d < g->dimensions; from /= g->size[d], to /= g->size[d], d++)
    mask |= one_dimension(g, d, from % g->size[d], to % g->size[d], &hops) << 2 * d;
  return mask;
}

unsigned ut_grid_first(const struct ut_grid *g, uint32_t from, uint32_t to, bool direction_order) {
  unsigned mask = ut_grid_profitable(g, from, to);
  for (unsigned i = 0; i < g->directions; i++) {
    unsigned direction = direction_order ? ut_grid_direction(g, i) : i;
    if (mask >> direction & 1)
      return direction;
  }
  return g->directions;
}

void ut_grid_coordinates(const struct ut_grid *g, uint32_t node, unsigned x[UT_MAX_DIMENSIONS]) {
  for (unsigned d = 0; d < g->dimensions; node /= g->size[d], d++)
    x[d] = node % g->size[d];
}

uint32_t ut_grid_node(const struct ut_grid *g, const unsigned x[UT_MAX_DIMENSIONS]) {
  uint32_t node = 0;
  for (unsigned d = g->dimensions; d-- > 0;)
    node = node * g->size[d] + x[d];
  return node;
}
