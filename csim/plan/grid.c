/* SPDX-License-Identifier: Apache-2.0 */
/* grid.c - see grid.h */
#include "grid.h"

#include <stdlib.h>
#include <string.h>

int ut_grid_init(struct ut_grid *grid, const struct ut_topology *topo, struct ut_error *e) {
  *grid = (struct ut_grid){.dimensions = topo->dimensions, .directions = 2 * topo->dimensions, .wrap = topo->wrap};
  grid->nodes = topo->switches;
  grid->links = (uint32_t)topo->links;
  for (unsigned d = 0; d < grid->dimensions; d++) {
    grid->size[d] = topo->size[d];
    grid->diameter += grid->wrap ? grid->size[d] / 2 : grid->size[d] - 1;
  }
  size_t places = (size_t)grid->nodes * grid->directions;
  grid->next = malloc(places * sizeof *grid->next);
  grid->link = malloc(places * sizeof *grid->link);
  grid->end = malloc(grid->links * sizeof *grid->end);
  if (!grid->next || !grid->link || !grid->end) {
    ut_grid_free(grid);
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u nodes", (unsigned)grid->nodes);
  }
  for (uint32_t n = 0; n < grid->nodes; n++)
    for (unsigned p = 0; p < grid->directions; p++) {
      const struct ut_peer *peer = &topo->peer[(size_t)n * topo->po + p];
      grid->next[n * grid->directions + p] = peer->kind == UT_PEER_SWITCH ? peer->index : UT_GRID_NONE;
      grid->link[n * grid->directions + p] = UT_GRID_NONE;
    }
  for (uint32_t l = 0; l < grid->links; l++) {
    grid->end[l][0] = topo->link[l].lower * grid->directions + topo->link[l].lower_port;
    grid->end[l][1] = topo->link[l].upper * grid->directions + topo->link[l].upper_port;
    grid->link[grid->end[l][0]] = grid->link[grid->end[l][1]] = l;
  }
  return 0;
}

void ut_grid_free(struct ut_grid *grid) {
  free(grid->next);
  free(grid->link);
  free(grid->end);
  *grid = (struct ut_grid){0};
}

/* Profitable directions in one dimension as bits 0 (plus) and 1 (minus), and the hops. */
static unsigned one_dimension(const struct ut_grid *grid, unsigned d, unsigned from, unsigned to, unsigned *hops) {
  unsigned k = grid->size[d];
  if (!grid->wrap) {
    *hops = to > from ? to - from : from - to;
    return to > from ? 1 : to < from ? 2 : 0;
  }
  unsigned on = (to + k - from) % k;
  *hops = 2 * on <= k ? on : k - on;
  return on == 0 ? 0 : (2 * on <= k ? 1 : 0) | (2 * on >= k ? 2 : 0);
}

unsigned ut_grid_distance(const struct ut_grid *grid, uint32_t from, uint32_t to) {
  unsigned sum = 0, hops;
  for (unsigned d = 0; d < grid->dimensions; from /= grid->size[d], to /= grid->size[d], d++) {
    one_dimension(grid, d, from % grid->size[d], to % grid->size[d], &hops);
    sum += hops;
  }
  return sum;
}

unsigned ut_grid_profitable(const struct ut_grid *grid, uint32_t from, uint32_t to) {
  unsigned mask = 0, hops;
  for (unsigned d = 0; d < grid->dimensions; from /= grid->size[d], to /= grid->size[d], d++)
    mask |= one_dimension(grid, d, from % grid->size[d], to % grid->size[d], &hops) << 2 * d;
  return mask;
}

unsigned ut_grid_first(const struct ut_grid *grid, uint32_t from, uint32_t to, bool direction_order) {
  unsigned mask = ut_grid_profitable(grid, from, to);
  for (unsigned i = 0; i < grid->directions; i++) {
    unsigned direction = direction_order ? ut_grid_direction(grid, i) : i;
    if (mask >> direction & 1)
      return direction;
  }
  return grid->directions;
}

void ut_grid_coordinates(const struct ut_grid *grid, uint32_t node, unsigned x[UT_MAX_DIMENSIONS]) {
  for (unsigned d = 0; d < grid->dimensions; node /= grid->size[d], d++)
    x[d] = node % grid->size[d];
}

uint32_t ut_grid_node(const struct ut_grid *grid, const unsigned x[UT_MAX_DIMENSIONS]) {
  uint32_t node = 0;
  for (unsigned d = grid->dimensions; d-- > 0;)
    node = node * grid->size[d] + x[d];
  return node;
}
