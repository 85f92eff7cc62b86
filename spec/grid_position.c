/* SPDX-License-Identifier: Apache-2.0 */
/* grid_position.c - where a packet's destination lies from a switch of a torus or mesh.
 * Twins: rtl/ut_grid_position.v, rtl/ut_grid_links.v */
#include "directions.h"

bool spec_is_torus(const struct ut_shape *shape) {
  return shape->route == UT_ROUTE_TORUS || shape->route == UT_ROUTE_DETOUR_TORUS;
}

unsigned spec_coordinate(uint64_t straps, unsigned dimension) {
  const unsigned coordinate[] = {ut_grid_strap_x(straps), ut_grid_strap_y(straps), ut_grid_strap_z(straps),
                                 ut_grid_strap_t(straps)};
  return coordinate[dimension];
}

uint64_t spec_grid_links(const struct ut_shape *shape, uint64_t straps) {
  uint64_t ports = 0;
  for (unsigned port = 0; port < 2 * spec_dimensions(shape); port++) {
    const unsigned last = shape->size[port / 2] - 1, border = port % 2 ? 0 : last;
    if (spec_is_torus(shape) || spec_coordinate(straps, port / 2) != border)
      ports |= spec_port(port);
  }
  return ports;
}

unsigned spec_opposite(unsigned port) {
  return port == SPEC_NO_PORT ? SPEC_NO_PORT : port % 2 ? port - 1 : port + 1;
}

static unsigned count_terminals(const struct ut_shape *shape, unsigned network) {
  return (shape->po - network) / shape->links;
}

/* Returns the destination's coordinate. */
static unsigned destination_coordinate(const struct spec_route_query *query, unsigned dimension) {
  unsigned node = ut_header_dst(query->header) / count_terminals(query->shape, 2 * spec_dimensions(query->shape));
  for (unsigned d = 0; d < dimension; d++)
    node /= query->shape->size[d];
  return node % query->shape->size[dimension];
}

unsigned spec_hops(const struct spec_route_query *query, unsigned port) {
  const unsigned here = spec_coordinate(query->straps, port / 2), there = destination_coordinate(query, port / 2);
  const unsigned from = port % 2 ? there : here, to = port % 2 ? here : there; /* in the plus direction */
  if (to >= from)
    return to - from;
  return spec_is_torus(query->shape) ? to + query->shape->size[port / 2] - from : 0;
}

bool spec_crosses_wrap_link(const struct spec_route_query *query, unsigned port) {
  const unsigned here = spec_coordinate(query->straps, port / 2), there = destination_coordinate(query, port / 2);
  return port % 2 ? there > here : there < here;
}

uint64_t spec_minimal_directions(const struct spec_route_query *query) {
  uint64_t ports = 0;
  for (unsigned port = 0; port < 2 * spec_dimensions(query->shape); port++) {
    const unsigned hops = spec_hops(query, port);
    if (hops > 0 && (!spec_is_torus(query->shape) || hops <= query->shape->size[port / 2] - hops))
      ports |= spec_port(port);
  }
  return ports;
}

uint64_t spec_terminal_ports(const struct spec_route_query *query, unsigned network) {
  const unsigned terminal = ut_header_dst(query->header) % count_terminals(query->shape, network);
  uint64_t ports = 0;
  for (unsigned link = 0; link < query->shape->links; link++)
    ports |= spec_port(network + terminal * query->shape->links + link);
  return ports;
}
