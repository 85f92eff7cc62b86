/* SPDX-License-Identifier: Apache-2.0 */
/* grid_position.c - see grid_position.h */
#include "grid_position.h"

#include <stdlib.h>
#include <string.h>

/* The minimal directions of dimension d as ports, to where the coordinate is larger by `ahead`. */
static ut_mask toward(const struct ut_group *g, unsigned d, int ahead, bool wrap) {
  const int size = (int)g->shape.size[d];
  if (ahead == 0)
    return 0;
  if (!wrap)
    return ut_bit(2 * d + (ahead < 0));
  if (ahead < 0)
    ahead += size; /* hops in the plus direction */
  return (ut_mask)((2 * ahead <= size) | (2 * ahead >= size) << 1) << 2 * d;
}

/* Coordinates of all terminals: the RTL divides by constants.  false: out of memory. */
static bool locate_terminals(struct ut_group *g) {
  const struct ut_shape *p = &g->shape;
  uint32_t nodes = 1;
  while (g->dimensions < UT_MAX_DIMENSIONS && p->size[g->dimensions])
    nodes *= p->size[g->dimensions++];
  unsigned local = (p->po - 2 * g->dimensions) / p->links;
  g->place = calloc((size_t)nodes * local, sizeof *g->place);
  for (uint32_t i = 0; g->place && i < nodes * local; i++) {
    uint32_t rest = i / local;
    g->place[i].terminal = (uint8_t)(i % local);
    for (unsigned d = 0; d < g->dimensions; rest /= p->size[d++])
      g->place[i].at[d] = (uint8_t)(rest % p->size[d]);
  }
  return g->place != NULL;
}

bool ut_grid_prepare(struct ut_group *g, bool wrap) {
  if (!locate_terminals(g))
    return false;
  for (unsigned d = 0; d < g->dimensions; d++)
    for (int ahead = 1 - (int)g->shape.size[d]; ahead < (int)g->shape.size[d]; ahead++)
      g->lookup.toward[d][256 + ahead] = (uint8_t)toward(g, d, ahead, wrap);
  return true;
}

void ut_grid_strap(const struct ut_group *g, struct ut_switch *s, uint64_t straps) {
  const uint8_t place[UT_MAX_DIMENSIONS] = {ut_grid_strap_x(straps), ut_grid_strap_y(straps), ut_grid_strap_z(straps),
                                            ut_grid_strap_t(straps)};
  (void)g;
  memcpy(s->place, place, sizeof place);
}

const char *ut_grid_rule(const struct ut_shape *p) {
  unsigned dimensions = 0, sizes = 0;
  for (unsigned i = 0; i < UT_MAX_DIMENSIONS; i++) {
    dimensions += p->size[i] > 0 && dimensions == i;
    sizes += p->size[i] > 0;
    if (p->size[i] == 1 || p->size[i] > UT_MAX_RADIX)
      return "sizes_must_be_2_to_256";
  }
  if (dimensions < 1 || sizes != dimensions)
    return "grid_needs_sizes_of_its_dimensions";
  if (p->pi != p->po || p->po > UT_MAX_PORTS || p->po <= 2 * dimensions)
    return "torus_needs_two_ports_a_dimension_and_local_ones";
  if ((p->po - 2 * dimensions) % p->links)
    return "local_ports_must_be_all_links_of_terminals";
  return NULL;
}

ut_mask ut_grid_links(const struct ut_shape *p, const uint8_t *place, bool wrap) {
  ut_mask ports = 0;
  for (unsigned d = 0; d < UT_MAX_DIMENSIONS && p->size[d]; d++)
    ports |= (ut_mask)((wrap || place[d] + 1u < p->size[d]) | (wrap || place[d] > 0) << 1) << 2 * d;
  return ports;
}
