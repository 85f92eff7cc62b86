/* SPDX-License-Identifier: Apache-2.0 */
/* directions.h - directions of a torus or mesh, and in which of them a packet's destination lies (grid_position.c).
 * Twins: rtl/ut_grid_position.v, rtl/ut_grid_links.v
 *
 * Directions are ports: 2d leads on in dimension d, 2d + 1 back; the ports behind them lead to terminals.  Straps tell
 * the coordinates of the switch, the number of a terminal those of its node. */
#ifndef UT_SPEC_DIRECTIONS_H
#define UT_SPEC_DIRECTIONS_H

#include "ports.h"
#include "steps.h"

/* Whether the network has wrap links: a torus. */
bool spec_is_torus(const struct ut_shape *shape);
/* Returns the coordinate of the switch in a dimension. */
unsigned spec_coordinate(uint64_t straps, unsigned dimension);
/* Returns the ports to other nodes that have a link: a mesh ends at its borders. */
uint64_t spec_grid_links(const struct ut_shape *shape, uint64_t straps);
/* Returns the opposite direction; SPEC_NO_PORT of SPEC_NO_PORT. */
unsigned spec_opposite(unsigned port);

/* Returns the hops in that direction to the destination's coordinate; 0: the switch has that coordinate, or in a mesh
 * it lies in the opposite direction. */
unsigned spec_hops(const struct spec_route_query *query, unsigned port);
/* Whether these hops cross the wrap link. */
bool spec_crosses_wrap_link(const struct spec_route_query *query, unsigned port);
/* Returns the directions of the shortest paths; both of a ring if they are equally long. */
uint64_t spec_minimal_directions(const struct spec_route_query *query);
/* Returns the ports to the destination, at its node, behind `network` ports to other nodes; any link of the terminal
 * will do. */
uint64_t spec_terminal_ports(const struct spec_route_query *query, unsigned network);

/* The misrouted hops of a packet (DETOUR section 3), counted in its header.  detour_misroutes.c,
 * rtl/ut_detour_misroutes.v */
struct spec_misroutes {
  uint32_t may; /* set of dimensions: the packet may take a misrouted hop in them */
  uint32_t rt;  /* the rt field behind this switch, unless it is routed to a detour here */
};

/* Counts the last hop of a packet, which led away from the destination in the dimensions `away`, one or none, and tells
 * where it may be misrouted.  With misroute_hops 0 nowhere. */
struct spec_misroutes spec_misroutes_of(const struct spec_route_query *query, unsigned dimensions, uint32_t away);
/* Returns the rt field of a packet that takes a detour around bad nodes: it is not misrouted any more. */
uint32_t spec_rt_of_detour(const struct ut_shape *shape, uint32_t rt);

#endif
