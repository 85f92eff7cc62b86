/* SPDX-License-Identifier: Apache-2.0 */
/* places_hypercube.c - places of a hypercube: cubes of dimensions 0 (to the right), 1 (upwards) and 2 (to the back),
 * side by side for dimensions 3, 5, 7, ... and one above the other for 4, 6, 8, ...
 *
 * The links of a dimension lie parallel, and leave the box of a node at the same place in all cubes; those between
 * cubes are stubs at both ends, with the number of the dimension and the node that they lead to.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "places.h"

enum { INSIDE = 3 }; /* dimensions of one drawn cube */
static const double name_size = 5;

struct measures {
  double column, row, back_x, back_y; /* from a node to its neighbour inside of a cube */
  double cube_column, cube_row;       /* from cube to cube */
  double drop, stub;
  unsigned local;
};

static struct measures measure(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  struct measures measures = {.drop = hops ? 30 : 15, .stub = hops ? 24 : 16};
  measures.local = topo->terminals / topo->switches;
  places->box = fmax(hops ? 64 : 48, 2 * 9 + measures.local * UT_TERMINAL_PITCH);
  const double beside = topo->cube > INSIDE ? 2 * measures.stub + 44 : 20;
  measures.row = UT_BOX_HEIGHT + measures.drop + UT_TERMINAL_PITCH + (topo->cube > INSIDE ? 44 : 24);
  measures.column = places->box + beside + (hops ? 24 : 0);
  measures.back_x = topo->cube > 2 ? measures.column * 0.5 : 0;
  measures.back_y = topo->cube > 2 ? measures.row * 0.5 : 0;
  measures.column *= topo->cube > 2 ? 1.6 : 1;
  measures.row *= topo->cube > 2 ? 1.45 : 1;
  measures.cube_column = measures.column + measures.back_x + places->box + 2 * measures.stub + 50;
  measures.cube_row = (topo->cube > 1 ? measures.row : 0) + measures.back_y + UT_BOX_HEIGHT + measures.drop +
                      UT_TERMINAL_PITCH + 2 * measures.stub + 20;
  return measures;
}

/* The bits of every other dimension from `first` on, as a number. */
static unsigned every_other(uint32_t node, unsigned first, unsigned dimensions) {
  unsigned number = 0;
  for (unsigned d = first, i = 0; d < dimensions; d += 2)
    number |= (node >> d & 1) << i++;
  return number;
}

static struct ut_spot node_at(const struct measures *measures, const struct ut_topology *topo, uint32_t node) {
  const double x = node & 1, y = node >> 1 & 1, z = topo->cube > 2 ? node >> 2 & 1 : 0;
  return (struct ut_spot){
      x * measures->column + z * measures->back_x + every_other(node, INSIDE, topo->cube) * measures->cube_column,
      y * measures->row + z * measures->back_y + every_other(node, INSIDE + 1, topo->cube) * measures->cube_row};
}

/* Where the link of a dimension leaves the box, in halves of its sides, and where it goes from there. */
static struct ut_spot way_of(uint32_t node, unsigned d) {
  static const struct ut_spot stub[UT_MAX_CUBE - INSIDE] = {{1, -0.6}, {-0.55, 1}, {-1, -0.6}, {0.45, 1}, {-1, 0.6},
                                                            {0.8, -1}, {-0.8, -1}, {0.1, 1},   {1, 0.15}};
  const double sign = node >> d & 1 ? -1 : 1;
  switch (d) {
  case 0: return (struct ut_spot){sign, 0};
  case 1: return (struct ut_spot){0.15, sign};
  case 2: return (struct ut_spot){sign * 0.9, sign};
  default: return stub[d - INSIDE];
  }
}

static struct ut_spot side_of(const struct ut_places *places, uint32_t node, unsigned d) {
  const struct ut_spot way = way_of(node, d);
  return (struct ut_spot){places->sw[node].x + way.x * places->box / 2, places->sw[node].y + way.y * UT_BOX_HEIGHT / 2};
}

static void place_stub(struct ut_places *places, const struct measures *measures, const struct ut_topology *topo,
                       uint32_t node, unsigned d) {
  const struct ut_spot way = way_of(node, d);
  struct ut_port_place *at = &places->port[(size_t)node * topo->po + d];
  char text[40];
  at->stub = true;
  at->end = (struct ut_spot){at->at.x + way.x * measures->stub * 0.7, at->at.y + way.y * measures->stub * 0.7};
  snprintf(text, sizeof text, "%u: %u", d, (unsigned)topo->peer[(size_t)node * topo->po + d].index);
  const double width = 2.6 * (double)strlen(text), back = way.x > 0.9 ? -3 : way.x < -0.9 ? width + 3 : width / 2;
  const double above = fabs(way.y) == 1 ? way.y * 4 : 0;
  ut_places_say(places, (struct ut_spot){at->end.x - back, at->end.y + above}, width, name_size, text);
}

static void place_ports(struct ut_places *places, const struct measures *measures, const struct ut_topology *topo,
                        uint32_t node) {
  for (unsigned port = 0; port < topo->po; port++) {
    struct ut_port_place *at = &places->port[(size_t)node * topo->po + port];
    const struct ut_peer *peer = &topo->peer[(size_t)node * topo->po + port];
    if (peer->kind == UT_PEER_TERMINAL) {
      /* several links of a terminal lie side by side */
      const double aside = topo->ejections > 1 ? 6.0 * (peer->port - (topo->ejections - 1) / 2.0) / topo->ejections : 0;
      const struct ut_spot *terminal = &places->terminal[peer->index];
      at->at = (struct ut_spot){terminal->x + aside, places->sw[node].y - UT_BOX_HEIGHT / 2};
      at->end = (struct ut_spot){terminal->x + aside, terminal->y + UT_TERMINAL_SIZE / 2.0};
      continue;
    }
    at->at = side_of(places, node, port);
    if (port < INSIDE)
      at->end = side_of(places, peer->index, port);
    else
      place_stub(places, measures, topo, node, port);
  }
}

bool ut_places_hypercube(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  const struct measures measures = measure(places, topo, hops);
  for (uint32_t i = 0; i < topo->switches; i++)
    places->sw[i] = node_at(&measures, topo, i);
  for (uint32_t i = 0; i < topo->terminals; i++) {
    const struct ut_spot node = places->sw[i / measures.local];
    const double left = places->box / 2 - UT_TERMINAL_PITCH / 2.0 - 2;
    places->terminal[i] = (struct ut_spot){node.x - left + i % measures.local * UT_TERMINAL_PITCH,
                                           node.y - UT_BOX_HEIGHT / 2 - measures.drop};
  }
  for (uint32_t i = 0; i < topo->switches; i++)
    place_ports(places, &measures, topo, i);
  ut_places_inject_back(places, topo);
  places->crowded = true;
  places->left = -places->box / 2 - measures.stub - 24;
  for (uint32_t i = 0; i < topo->switches; i++) {
    places->top = fmax(places->top, places->sw[i].y);
    places->bottom = fmin(places->bottom, places->sw[i].y);
  }
  places->top += UT_BOX_HEIGHT / 2 + measures.stub + 14;
  places->bottom -= UT_BOX_HEIGHT / 2 + measures.drop + measures.stub;
  return true;
}
