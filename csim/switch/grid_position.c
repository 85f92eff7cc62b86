/* SPDX-License-Identifier: Apache-2.0 */
/* grid_position.c - see grid_position.h */
#include "grid_position.h"

#include <stdlib.h>
#include <string.h>

/* The minimal directions of dimension d as ports, to where the coordinate is larger by `ahead`. */
static ut_mask toward(const struct ut_group *group, unsigned d, int ahead, bool wrap) {
  const int size = (int)group->shape.size[d];
  if (ahead == 0)
    return 0;
  if (!wrap)
    return ut_bit(2 * d + (ahead < 0));
  if (ahead < 0)
    ahead += size; /* hops in the plus direction */
  return (ut_mask)((2 * ahead <= size) | (2 * ahead >= size) << 1) << 2 * d;
}

/* Coordinates of all terminals: the RTL divides by constants.  false: out of memory. */
static bool locate_terminals(struct ut_group *group) {
  const struct ut_shape *shape = &group->shape;
  uint32_t nodes = 1;
  while (group->dimensions < UT_MAX_DIMENSIONS && shape->size[group->dimensions])
    nodes *= shape->size[group->dimensions++];
  unsigned local = (shape->po - 2 * group->dimensions) / shape->links;
  group->place = calloc((size_t)nodes * local, sizeof *group->place);
  for (uint32_t i = 0; group->place && i < nodes * local; i++) {
    uint32_t rest = i / local;
    group->place[i].terminal = (uint8_t)(i % local);
    for (unsigned d = 0; d < group->dimensions; rest /= shape->size[d++])
      group->place[i].at[d] = (uint8_t)(rest % shape->size[d]);
  }
  return group->place != NULL;
}

bool ut_grid_prepare(struct ut_group *group, bool wrap) {
  if (!locate_terminals(group))
    return false;
  for (unsigned d = 0; d < group->dimensions; d++)
    for (int ahead = 1 - (int)group->shape.size[d]; ahead < (int)group->shape.size[d]; ahead++)
      group->lookup.toward[d][256 + ahead] = (uint8_t)toward(group, d, ahead, wrap);
  return true;
}

void ut_grid_strap(const struct ut_group *group, struct ut_switch *sw, uint64_t straps) {
  const uint8_t place[UT_MAX_DIMENSIONS] = {ut_grid_strap_x(straps), ut_grid_strap_y(straps), ut_grid_strap_z(straps),
                                            ut_grid_strap_t(straps)};
  (void)group;
  memcpy(sw->place, place, sizeof place);
}

const char *ut_grid_rule(const struct ut_shape *shape) {
  unsigned dimensions = 0, sizes = 0;
  for (unsigned i = 0; i < UT_MAX_DIMENSIONS; i++) {
    dimensions += shape->size[i] > 0 && dimensions == i;
    sizes += shape->size[i] > 0;
    if (shape->size[i] == 1 || shape->size[i] > UT_MAX_RADIX)
      return "sizes_must_be_2_to_256";
  }
  if (dimensions < 1 || sizes != dimensions)
    return "grid_needs_sizes_of_its_dimensions";
  if (shape->pi != shape->po || shape->po > UT_MAX_PORTS || shape->po <= 2 * dimensions)
    return "torus_needs_two_ports_a_dimension_and_local_ones";
  if ((shape->po - 2 * dimensions) % shape->links)
    return "local_ports_must_be_all_links_of_terminals";
  return NULL;
}

ut_mask ut_grid_links(const struct ut_shape *shape, const uint8_t *place, bool wrap) {
  ut_mask ports = 0;
  for (unsigned d = 0; d < UT_MAX_DIMENSIONS && shape->size[d]; d++)
    ports |= (ut_mask)((wrap || place[d] + 1u < shape->size[d]) | (wrap || place[d] > 0) << 1) << 2 * d;
  return ports;
}
