/* SPDX-License-Identifier: Apache-2.0 */
/* places_torus.c - places of a torus or mesh: planes of dimensions x (to the right) and y (upwards), one for each
 * coordinate in z, and for those in t.
 *
 * Links within a plane are lines between neighbours.  Those that go round, and those to other planes, are stubs at both
 * ends, with the name of the node that they lead to: in x and y at the sides of the box, in z at its upper right and
 * lower left corner, in t at the other two.  Terminals hang below their node.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "places.h"

enum { FOLD = 16 }; /* nodes of a row, if there is only one dimension */
static const double name_width = 17, name_size = 5;

struct measures {
  unsigned columns, rows;             /* nodes of a plane as drawn */
  unsigned planes, across;            /* and how many of them side by side */
  double column, row;                 /* distances of nodes */
  double plane_column, plane_row;     /* of planes */
  double drop, stub;                  /* from a box to its first terminals, length of a stub */
  unsigned local, side, terminal_row; /* terminals of a node, on each side of its middle, in a row */
};

/* Planes side by side: those of z; too many of them are folded, those of t are rows of their own. */
static unsigned planes_across(const struct ut_topology *t) {
  const unsigned z = t->dimensions > 2 ? t->size[2] : 1;
  return t->dimensions == 4 || z <= 4 ? z : (unsigned)ceil(sqrt(1.6 * z));
}

static struct measures measure(struct ut_places *p, const struct ut_topology *t, bool hops) {
  static const double gap[UT_MAX_DIMENSIONS + 1] = {0, 34, 34, 50, 76};
  struct measures m = {.drop = hops ? 30 : 15, .stub = hops ? 27 : 17};
  m.columns = t->dimensions > 1 || t->size[0] < FOLD ? t->size[0] : FOLD;
  m.rows = t->dimensions > 1 ? t->size[1] : (t->size[0] + FOLD - 1) / FOLD;
  m.planes = (t->dimensions > 2 ? t->size[2] : 1) * (t->dimensions > 3 ? t->size[3] : 1);
  m.across = planes_across(t);
  m.local = (t->po - 2 * t->dimensions) / t->injections;
  m.terminal_row = m.local < 4 ? m.local : 4;
  m.side = (m.terminal_row + 1) / 2;
  const unsigned terminal_rows = (m.local + m.terminal_row - 1) / m.terminal_row;
  p->box = fmax(hops ? 60 : 46, 2 * (9 + m.side * UT_TERMINAL_PITCH)); /* numbers of hops in y beside terminals */
  m.column = p->box + gap[t->dimensions] + (hops ? 26 : 0);
  m.row = UT_BOX_HEIGHT + m.drop + terminal_rows * UT_TERMINAL_PITCH + (t->dimensions > 2 ? 34 : 20) + (hops ? 14 : 0);
  m.plane_column = m.columns * m.column + 2 * (m.stub + name_width) - 10;
  m.plane_row = m.rows * m.row + 2 * m.stub + 40;
  return m;
}

static struct ut_spot plane_at(const struct measures *m, unsigned plane, bool upwards) {
  const double row = plane / m->across;
  return (struct ut_spot){plane % m->across * m->plane_column, (upwards ? row : -row) * m->plane_row};
}

static struct ut_spot node_at(const struct measures *m, const struct ut_topology *t, uint32_t node) {
  const unsigned in_plane = t->dimensions > 1 ? t->size[0] * t->size[1] : t->size[0], rest = node % in_plane;
  struct ut_spot at = plane_at(m, node / in_plane, t->dimensions == 4);
  at.x += rest % m->columns * m->column;
  at.y += (t->dimensions > 1 ? rest / m->columns : m->rows - 1 - rest / m->columns) * m->row;
  return at;
}

/* Whether the drawing has the other node of the link right beside this one. */
static bool is_beside(const struct measures *m, const struct ut_topology *t, uint32_t node, unsigned port) {
  const unsigned d = port / 2, here = ut_topology_coordinate(t, node, d);
  if (d > 1)
    return false;
  if (t->dimensions == 1 && (port % 2 ? here % m->columns == 0 : (here + 1) % m->columns == 0))
    return false; /* the row is folded here */
  return port % 2 ? here > 0 : here + 1 < t->size[d];
}

/* Towards the outside of the box; corners for z and t. */
static struct ut_spot outward(unsigned port) {
  static const struct ut_spot way[2 * UT_MAX_DIMENSIONS] = {{1, 0},      {-1, 0},       {0, 1},       {0, -1},
                                                            {0.8, 0.75}, {-0.8, -0.75}, {-0.8, 0.75}, {0.8, -0.75}};
  return way[port % (2 * UT_MAX_DIMENSIONS)];
}

static struct ut_spot side_of(const struct ut_places *p, uint32_t node, unsigned port) {
  const struct ut_spot way = outward(port);
  const struct ut_spot part = {(way.x > 0) - (way.x < 0), (way.y > 0) - (way.y < 0)};
  const double corner = port / 2 > 1 ? 2 : 0; /* it is rounded */
  return (struct ut_spot){p->sw[node].x + part.x * (p->box / 2 - corner),
                          p->sw[node].y + part.y * (UT_BOX_HEIGHT / 2 - corner)};
}

static void place_stub(struct ut_places *p, const struct measures *m, const struct ut_topology *t, uint32_t node,
                       unsigned port) {
  const struct ut_spot way = outward(port);
  const struct ut_peer *peer = &t->peer[(size_t)node * t->po + port];
  struct ut_port_place *at = &p->port[(size_t)node * t->po + port];
  char name[UT_SWITCH_NAME_SIZE];
  at->stub = true;
  at->end = (struct ut_spot){at->at.x + way.x * m->stub, at->at.y + way.y * m->stub};
  ut_topology_switch_name(t, peer->index, name);
  /* left-aligned words: on the left and above they begin before the end of the stub */
  const double width = 2.8 * (double)strlen(name), back = way.x > 0 ? 0 : way.x < 0 ? width : width / 2;
  const struct ut_spot left = {at->end.x + way.x * 5 - back, at->end.y + way.y * 5};
  ut_places_say(p, left, width, name_size, name);
}

static void place_ports(struct ut_places *p, const struct measures *m, const struct ut_topology *t, uint32_t node) {
  for (unsigned port = 0; port < t->po; port++) {
    struct ut_port_place *at = &p->port[(size_t)node * t->po + port];
    const struct ut_peer *peer = &t->peer[(size_t)node * t->po + port];
    if (peer->kind == UT_PEER_TERMINAL) {
      const struct ut_spot *terminal = &p->terminal[peer->index];
      const double x = terminal->x + (peer->port + 0.5 - t->injections / 2.0) * UT_TERMINAL_SIZE / t->injections;
      at->at = (struct ut_spot){x, p->sw[node].y - UT_BOX_HEIGHT / 2};
      at->end = (struct ut_spot){x, terminal->y + UT_TERMINAL_SIZE / 2.0};
    } else if (peer->kind == UT_PEER_SWITCH) {
      at->at = side_of(p, node, port);
      if (is_beside(m, t, node, port))
        at->end = side_of(p, peer->index, peer->port);
      else
        place_stub(p, m, t, node, port);
    }
  }
}

/* From the sides of the box towards its middle, where the link in y is; a single one on the right. */
static struct ut_spot terminal_at(const struct ut_places *p, const struct measures *m, uint32_t terminal) {
  const struct ut_spot node = p->sw[terminal / m->local];
  const unsigned local = terminal % m->local, place = local % m->terminal_row, left = m->terminal_row - m->side;
  const double edge = p->box / 2 - UT_TERMINAL_PITCH / 2.0;
  const double from_middle =
      place < left ? place * UT_TERMINAL_PITCH - edge : edge - (m->terminal_row - 1 - place) * UT_TERMINAL_PITCH;
  return (struct ut_spot){node.x + from_middle,
                          node.y - UT_BOX_HEIGHT / 2 - m->drop - local / m->terminal_row * UT_TERMINAL_PITCH};
}

static void name_planes(struct ut_places *p, const struct measures *m, const struct ut_topology *t) {
  for (unsigned i = 0; t->dimensions > 2 && i < m->planes; i++) {
    char text[40];
    struct ut_spot at = plane_at(m, i, t->dimensions == 4);
    at.x -= p->box / 2;
    at.y += (m->rows - 1) * m->row + UT_BOX_HEIGHT / 2 + m->stub + 20;
    if (t->dimensions == 3)
      snprintf(text, sizeof text, "z = %u", i);
    else
      snprintf(text, sizeof text, "z = %u, t = %u", i % t->size[2], i / t->size[2]);
    ut_places_say(p, at, 70, 10, text);
  }
}

void ut_places_torus(struct ut_places *p, const struct ut_topology *t, bool hops) {
  const struct measures m = measure(p, t, hops);
  for (uint32_t i = 0; i < t->switches; i++)
    p->sw[i] = node_at(&m, t, i);
  for (uint32_t i = 0; i < t->terminals; i++)
    p->terminal[i] = terminal_at(p, &m, i);
  for (uint32_t i = 0; i < t->switches; i++)
    place_ports(p, &m, t, i);
  name_planes(p, &m, t);
  ut_places_inject_back(p, t);
  p->crowded = true;
  p->left = -p->box / 2 - m.stub - name_width;
  for (uint32_t i = 0; i < t->switches; i++) {
    p->top = fmax(p->top, p->sw[i].y);
    p->bottom = fmin(p->bottom, p->sw[i].y);
  }
  p->top += UT_BOX_HEIGHT / 2 + m.stub + (t->dimensions > 2 ? 26 : 4);
  p->bottom -= UT_BOX_HEIGHT / 2 + fmax(m.stub + 6, m.drop + (m.local - 1) / m.terminal_row * UT_TERMINAL_PITCH);
}
