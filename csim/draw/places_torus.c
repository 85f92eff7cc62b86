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
static unsigned planes_across(const struct ut_topology *topo) {
  const unsigned z = topo->dimensions > 2 ? topo->size[2] : 1;
  return topo->dimensions == 4 || z <= 4 ? z : (unsigned)ceil(sqrt(1.6 * z));
}

static struct measures measure(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  static const double gap[UT_MAX_DIMENSIONS + 1] = {0, 34, 34, 50, 76};
  struct measures measures = {.drop = hops ? 30 : 15, .stub = hops ? 27 : 17};
  measures.columns = topo->dimensions > 1 || topo->size[0] < FOLD ? topo->size[0] : FOLD;
  measures.rows = topo->dimensions > 1 ? topo->size[1] : (topo->size[0] + FOLD - 1) / FOLD;
  measures.planes = (topo->dimensions > 2 ? topo->size[2] : 1) * (topo->dimensions > 3 ? topo->size[3] : 1);
  measures.across = planes_across(topo);
  measures.local = (topo->po - 2 * topo->dimensions) / topo->injections;
  measures.terminal_row = measures.local < 4 ? measures.local : 4;
  measures.side = (measures.terminal_row + 1) / 2;
  const unsigned terminal_rows = (measures.local + measures.terminal_row - 1) / measures.terminal_row;
  places->box =
      fmax(hops ? 60 : 46, 2 * (9 + measures.side * UT_TERMINAL_PITCH)); /* numbers of hops in y beside terminals */
  measures.column = places->box + gap[topo->dimensions] + (hops ? 26 : 0);
  measures.row = UT_BOX_HEIGHT + measures.drop + terminal_rows * UT_TERMINAL_PITCH + (topo->dimensions > 2 ? 34 : 20) +
                 (hops ? 14 : 0);
  measures.plane_column = measures.columns * measures.column + 2 * (measures.stub + name_width) - 10;
  measures.plane_row = measures.rows * measures.row + 2 * measures.stub + 40;
  return measures;
}

static struct ut_spot plane_at(const struct measures *measures, unsigned plane, bool upwards) {
  const double row = plane / measures->across;
  return (struct ut_spot){plane % measures->across * measures->plane_column,
                          (upwards ? row : -row) * measures->plane_row};
}

static struct ut_spot node_at(const struct measures *measures, const struct ut_topology *topo, uint32_t node) {
  const unsigned in_plane = topo->dimensions > 1 ? topo->size[0] * topo->size[1] : topo->size[0],
                 rest = node % in_plane;
  struct ut_spot at = plane_at(measures, node / in_plane, topo->dimensions == 4);
  at.x += rest % measures->columns * measures->column;
  at.y +=
      (topo->dimensions > 1 ? rest / measures->columns : measures->rows - 1 - rest / measures->columns) * measures->row;
  return at;
}

/* Whether the drawing has the other node of the link right beside this one. */
static bool is_beside(const struct measures *measures, const struct ut_topology *topo, uint32_t node, unsigned port) {
  const unsigned d = port / 2, here = ut_topology_coordinate(topo, node, d);
  if (d > 1)
    return false;
  if (topo->dimensions == 1 && (port % 2 ? here % measures->columns == 0 : (here + 1) % measures->columns == 0))
    return false; /* the row is folded here */
  return port % 2 ? here > 0 : here + 1 < topo->size[d];
}

/* Towards the outside of the box; corners for z and t. */
static struct ut_spot outward(unsigned port) {
  static const struct ut_spot way[2 * UT_MAX_DIMENSIONS] = {{1, 0},      {-1, 0},       {0, 1},       {0, -1},
                                                            {0.8, 0.75}, {-0.8, -0.75}, {-0.8, 0.75}, {0.8, -0.75}};
  return way[port % (2 * UT_MAX_DIMENSIONS)];
}

static struct ut_spot side_of(const struct ut_places *places, uint32_t node, unsigned port) {
  const struct ut_spot way = outward(port);
  const struct ut_spot part = {(way.x > 0) - (way.x < 0), (way.y > 0) - (way.y < 0)};
  const double corner = port / 2 > 1 ? 2 : 0; /* it is rounded */
  return (struct ut_spot){places->sw[node].x + part.x * (places->box / 2 - corner),
                          places->sw[node].y + part.y * (UT_BOX_HEIGHT / 2 - corner)};
}

static void place_stub(struct ut_places *places, const struct measures *measures, const struct ut_topology *topo,
                       uint32_t node, unsigned port) {
  const struct ut_spot way = outward(port);
  const struct ut_peer *peer = &topo->peer[(size_t)node * topo->po + port];
  struct ut_port_place *at = &places->port[(size_t)node * topo->po + port];
  char name[UT_SWITCH_NAME_SIZE];
  at->stub = true;
  at->end = (struct ut_spot){at->at.x + way.x * measures->stub, at->at.y + way.y * measures->stub};
  ut_topology_switch_name(topo, peer->index, name);
  /* left-aligned words: on the left and above they begin before the end of the stub */
  const double width = 2.8 * (double)strlen(name), back = way.x > 0 ? 0 : way.x < 0 ? width : width / 2;
  const struct ut_spot left = {at->end.x + way.x * 5 - back, at->end.y + way.y * 5};
  ut_places_say(places, left, width, name_size, name);
}

static void place_ports(struct ut_places *places, const struct measures *measures, const struct ut_topology *topo,
                        uint32_t node) {
  for (unsigned port = 0; port < topo->po; port++) {
    struct ut_port_place *at = &places->port[(size_t)node * topo->po + port];
    const struct ut_peer *peer = &topo->peer[(size_t)node * topo->po + port];
    if (peer->kind == UT_PEER_TERMINAL) {
      const struct ut_spot *terminal = &places->terminal[peer->index];
      const double x = terminal->x + (peer->port + 0.5 - topo->injections / 2.0) * UT_TERMINAL_SIZE / topo->injections;
      at->at = (struct ut_spot){x, places->sw[node].y - UT_BOX_HEIGHT / 2};
      at->end = (struct ut_spot){x, terminal->y + UT_TERMINAL_SIZE / 2.0};
    } else if (peer->kind == UT_PEER_SWITCH) {
      at->at = side_of(places, node, port);
      if (is_beside(measures, topo, node, port))
        at->end = side_of(places, peer->index, peer->port);
      else
        place_stub(places, measures, topo, node, port);
    }
  }
}

/* From the sides of the box towards its middle, where the link in y is; a single one on the right. */
static struct ut_spot terminal_at(const struct ut_places *places, const struct measures *measures, uint32_t terminal) {
  const struct ut_spot node = places->sw[terminal / measures->local];
  const unsigned local = terminal % measures->local, place = local % measures->terminal_row,
                 left = measures->terminal_row - measures->side;
  const double edge = places->box / 2 - UT_TERMINAL_PITCH / 2.0;
  const double from_middle =
      place < left ? place * UT_TERMINAL_PITCH - edge : edge - (measures->terminal_row - 1 - place) * UT_TERMINAL_PITCH;
  return (struct ut_spot){node.x + from_middle, node.y - UT_BOX_HEIGHT / 2 - measures->drop -
                                                    local / measures->terminal_row * UT_TERMINAL_PITCH};
}

static void name_planes(struct ut_places *places, const struct measures *measures, const struct ut_topology *topo) {
  for (unsigned i = 0; topo->dimensions > 2 && i < measures->planes; i++) {
    char text[40];
    struct ut_spot at = plane_at(measures, i, topo->dimensions == 4);
    at.x -= places->box / 2;
    at.y += (measures->rows - 1) * measures->row + UT_BOX_HEIGHT / 2 + measures->stub + 20;
    if (topo->dimensions == 3)
      snprintf(text, sizeof text, "z = %u", i);
    else
      snprintf(text, sizeof text, "z = %u, t = %u", i % topo->size[2], i / topo->size[2]);
    ut_places_say(places, at, 70, 10, text);
  }
}

bool ut_places_torus(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  const struct measures measures = measure(places, topo, hops);
  for (uint32_t i = 0; i < topo->switches; i++)
    places->sw[i] = node_at(&measures, topo, i);
  for (uint32_t i = 0; i < topo->terminals; i++)
    places->terminal[i] = terminal_at(places, &measures, i);
  for (uint32_t i = 0; i < topo->switches; i++)
    place_ports(places, &measures, topo, i);
  name_planes(places, &measures, topo);
  ut_places_inject_back(places, topo);
  places->crowded = true;
  places->left = -places->box / 2 - measures.stub - name_width;
  for (uint32_t i = 0; i < topo->switches; i++) {
    places->top = fmax(places->top, places->sw[i].y);
    places->bottom = fmin(places->bottom, places->sw[i].y);
  }
  places->top += UT_BOX_HEIGHT / 2 + measures.stub + (topo->dimensions > 2 ? 26 : 4);
  places->bottom -=
      UT_BOX_HEIGHT / 2 +
      fmax(measures.stub + 6, measures.drop + (measures.local - 1) / measures.terminal_row * UT_TERMINAL_PITCH);
  return true;
}
