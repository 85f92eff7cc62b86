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

static struct measures measure(struct ut_places *p, const struct ut_topology *t, bool hops) {
  struct measures m = {.drop = hops ? 30 : 15, .stub = hops ? 24 : 16};
  m.local = t->terminals / t->switches;
  p->box = fmax(hops ? 64 : 48, 2 * 9 + m.local * UT_TERMINAL_PITCH);
  const double beside = t->cube > INSIDE ? 2 * m.stub + 44 : 20;
  m.row = UT_BOX_HEIGHT + m.drop + UT_TERMINAL_PITCH + (t->cube > INSIDE ? 44 : 24);
  m.column = p->box + beside + (hops ? 24 : 0);
  m.back_x = t->cube > 2 ? m.column * 0.5 : 0;
  m.back_y = t->cube > 2 ? m.row * 0.5 : 0;
  m.column *= t->cube > 2 ? 1.6 : 1;
  m.row *= t->cube > 2 ? 1.45 : 1;
  m.cube_column = m.column + m.back_x + p->box + 2 * m.stub + 50;
  m.cube_row = (t->cube > 1 ? m.row : 0) + m.back_y + UT_BOX_HEIGHT + m.drop + UT_TERMINAL_PITCH + 2 * m.stub + 20;
  return m;
}

/* The bits of every other dimension from `first` on, as a number. */
static unsigned every_other(uint32_t node, unsigned first, unsigned dimensions) {
  unsigned number = 0;
  for (unsigned d = first, i = 0; d < dimensions; d += 2)
    number |= (node >> d & 1) << i++;
  return number;
}

static struct ut_spot node_at(const struct measures *m, const struct ut_topology *t, uint32_t node) {
  const double x = node & 1, y = node >> 1 & 1, z = t->cube > 2 ? node >> 2 & 1 : 0;
  return (struct ut_spot){x * m->column + z * m->back_x + every_other(node, INSIDE, t->cube) * m->cube_column,
                          y * m->row + z * m->back_y + every_other(node, INSIDE + 1, t->cube) * m->cube_row};
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

static struct ut_spot side_of(const struct ut_places *p, uint32_t node, unsigned d) {
  const struct ut_spot way = way_of(node, d);
  return (struct ut_spot){p->sw[node].x + way.x * p->box / 2, p->sw[node].y + way.y * UT_BOX_HEIGHT / 2};
}

static void place_stub(struct ut_places *p, const struct measures *m, const struct ut_topology *t, uint32_t node,
                       unsigned d) {
  const struct ut_spot way = way_of(node, d);
  struct ut_port_place *at = &p->port[(size_t)node * t->po + d];
  char text[40];
  at->stub = true;
  at->end = (struct ut_spot){at->at.x + way.x * m->stub * 0.7, at->at.y + way.y * m->stub * 0.7};
  snprintf(text, sizeof text, "%u: %u", d, (unsigned)t->peer[(size_t)node * t->po + d].index);
  const double width = 2.6 * (double)strlen(text), back = way.x > 0.9 ? -3 : way.x < -0.9 ? width + 3 : width / 2;
  const double above = fabs(way.y) == 1 ? way.y * 4 : 0;
  ut_places_say(p, (struct ut_spot){at->end.x - back, at->end.y + above}, width, name_size, text);
}

static void place_ports(struct ut_places *p, const struct measures *m, const struct ut_topology *t, uint32_t node) {
  for (unsigned port = 0; port < t->po; port++) {
    struct ut_port_place *at = &p->port[(size_t)node * t->po + port];
    const struct ut_peer *peer = &t->peer[(size_t)node * t->po + port];
    if (peer->kind == UT_PEER_TERMINAL) {
      /* several links of a terminal lie side by side */
      const double aside = t->ejections > 1 ? 6.0 * (peer->port - (t->ejections - 1) / 2.0) / t->ejections : 0;
      const struct ut_spot *terminal = &p->terminal[peer->index];
      at->at = (struct ut_spot){terminal->x + aside, p->sw[node].y - UT_BOX_HEIGHT / 2};
      at->end = (struct ut_spot){terminal->x + aside, terminal->y + UT_TERMINAL_SIZE / 2.0};
      continue;
    }
    at->at = side_of(p, node, port);
    if (port < INSIDE)
      at->end = side_of(p, peer->index, port);
    else
      place_stub(p, m, t, node, port);
  }
}

void ut_places_hypercube(struct ut_places *p, const struct ut_topology *t, bool hops) {
  const struct measures m = measure(p, t, hops);
  for (uint32_t i = 0; i < t->switches; i++)
    p->sw[i] = node_at(&m, t, i);
  for (uint32_t i = 0; i < t->terminals; i++) {
    const struct ut_spot node = p->sw[i / m.local];
    const double left = p->box / 2 - UT_TERMINAL_PITCH / 2.0 - 2;
    p->terminal[i] =
        (struct ut_spot){node.x - left + i % m.local * UT_TERMINAL_PITCH, node.y - UT_BOX_HEIGHT / 2 - m.drop};
  }
  for (uint32_t i = 0; i < t->switches; i++)
    place_ports(p, &m, t, i);
  ut_places_inject_back(p, t);
  p->crowded = true;
  p->left = -p->box / 2 - m.stub - 24;
  for (uint32_t i = 0; i < t->switches; i++) {
    p->top = fmax(p->top, p->sw[i].y);
    p->bottom = fmin(p->bottom, p->sw[i].y);
  }
  p->top += UT_BOX_HEIGHT / 2 + m.stub + 14;
  p->bottom -= UT_BOX_HEIGHT / 2 + m.drop + m.stub;
}
