/* SPDX-License-Identifier: Apache-2.0 */
/* grid.h - a torus or mesh as the planner sees it: nodes, directions, links, minimal paths.
 *
 * Direction 2d leads on in dimension d, direction 2d + 1 back: the port numbers of torus.h.  Direction order is X+ Y+
 * ... X- Y- ..., so every direction also has a place in that order.  Links are those of ut_topology.link, by their
 * numbers.
 */
#ifndef UT_GRID_H
#define UT_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "topology.h"

enum { UT_GRID_NONE = UINT32_MAX, UT_GRID_DIRECTIONS = 2 * UT_MAX_DIMENSIONS };

struct ut_grid {
  unsigned dimensions, directions; /* directions == 2 * dimensions */
  unsigned size[UT_MAX_DIMENSIONS];
  bool wrap; /* torus */
  uint32_t nodes, links;
  unsigned diameter;
  uint32_t *next;     /* [nodes * directions]: neighbour, UT_GRID_NONE beyond a border */
  uint32_t *link;     /* [nodes * directions]: number of the link there */
  uint32_t (*end)[2]; /* [links]: node * directions + direction, at both ends */
};

/* topo: a torus or mesh.  Returns -1 and fills *e when out of memory. */
int ut_grid_init(struct ut_grid *grid, const struct ut_topology *topo, struct ut_error *e);
void ut_grid_free(struct ut_grid *grid);

/* Returns the hops of a minimal path. */
unsigned ut_grid_distance(const struct ut_grid *grid, uint32_t from, uint32_t to);

/* Returns the directions in which a minimal path may start, as a mask; both of a ring if they are equally long. */
unsigned ut_grid_profitable(const struct ut_grid *grid, uint32_t from, uint32_t to);

/* Returns the first direction of the deterministic path (from != to), in dimension order or in direction order.  If
 * both directions of a ring are equally long it is plus, which comes first in either order. */
unsigned ut_grid_first(const struct ut_grid *grid, uint32_t from, uint32_t to, bool direction_order);

/* Returns the direction at that place of the direction order X+ Y+ ... X- Y- .... */
static inline unsigned ut_grid_direction(const struct ut_grid *grid, unsigned place) {
  return place < grid->dimensions ? 2 * place : 2 * (place - grid->dimensions) + 1;
}

/* Coordinates of a node, and back. */
void ut_grid_coordinates(const struct ut_grid *grid, uint32_t node, unsigned x[UT_MAX_DIMENSIONS]);
uint32_t ut_grid_node(const struct ut_grid *grid, const unsigned x[UT_MAX_DIMENSIONS]);

#endif
