/* SPDX-License-Identifier: Apache-2.0 */
/* places_fat_tree.c - places of a fat tree in the manner of the papers: levels as rows, roots on top. */
#include <math.h>
#include <stdio.h>

#include "places.h"

static const double terminal_drop = 30, margin = -52;

enum { LEVELS = 64 }; /* more than any tree has */

struct measures {
  unsigned width, up, down;  /* the most switches of a level; the most ports of each kind */
  unsigned of_level[LEVELS]; /* switches */
  unsigned leaf;             /* terminals of a leaf switch */
  double column, row;        /* distances of switches and levels */
};

static unsigned ports_of(const struct ut_topology *topo, uint32_t sw) {
  return topo->elaboration[ut_topology_elaboration(topo, sw)].po;
}

static struct measures measure(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  struct measures measures = {0};
  for (uint32_t i = 0; i < topo->switches; i++)
    if (topo->position[i] + 1 > measures.width)
      measures.width = topo->position[i] + 1;
  for (uint32_t i = 0; i < topo->switches; i++) {
    const unsigned up = (unsigned)__builtin_popcountll(ut_topology_up_ports(topo, i)), ports = ports_of(topo, i);
    measures.up = up > measures.up ? up : measures.up;
    measures.down = ports - up > measures.down ? ports - up : measures.down;
    measures.of_level[topo->level[i]]++;
  }
  measures.leaf = (topo->terminals + measures.width - 1) / measures.width;
  /* a packet in a small network has many hops on few links: room for their numbers */
  const bool roomy = hops && measures.width <= 9;
  places->box = fmax(hops ? 50 : 42, 9 * fmax(measures.up, measures.down));
  measures.column = fmax(places->box + (roomy ? 34 : 16), measures.leaf * UT_TERMINAL_PITCH + 8);
  const double all = measures.column * measures.width;
  measures.row = fmin(fmax(all / 7, roomy ? 130 : 92), fmax(190, all / 14));
  return measures;
}

/* Of the terminal at a port of a leaf switch. */
static struct ut_spot terminal_at(const struct ut_places *places, const struct measures *measures, uint32_t sw,
                                  unsigned port) {
  struct ut_spot at = places->sw[sw];
  at.x += (port - (measures->leaf - 1) / 2.0) * fmax(UT_TERMINAL_PITCH, 0.85 * measures->column / measures->leaf);
  at.y -= terminal_drop + UT_BOX_HEIGHT / 2;
  return at;
}

/* Where a link leaves the box of its switch: up ports along the upper side, down ports along the lower one. */
static struct ut_spot port_at(const struct ut_places *places, const struct ut_topology *topo, uint32_t sw,
                              unsigned port) {
  struct ut_spot at = places->sw[sw];
  const uint64_t above = ut_topology_up_ports(topo, sw);
  bool up = above >> port & 1;
  const unsigned count = (unsigned)__builtin_popcountll(above), ports = up ? count : ports_of(topo, sw) - count;
  uint64_t alike = up ? above : ~above;
  unsigned index = (unsigned)__builtin_popcountll(alike & ((UINT64_C(1) << port) - 1));
  at.x += (index - (ports - 1) / 2.0) * (places->box - 8) / ports;
  at.y += up ? UT_BOX_HEIGHT / 2 : -UT_BOX_HEIGHT / 2;
  return at;
}

/* Where a level has half as many switches as another one, as the roots of an m-port n-tree, each has the space of
 * two. */
static double spread(const struct measures *measures, const struct ut_topology *topo, uint32_t sw) {
  return (double)measures->width / measures->of_level[topo->level[sw]];
}

bool ut_places_fat_tree(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  const struct measures measures = measure(places, topo, hops);
  for (uint32_t i = 0; i < topo->switches; i++)
    places->sw[i] = (struct ut_spot){(topo->position[i] + 0.5) * measures.column * spread(&measures, topo, i),
                                     topo->level[i] * measures.row};
  for (size_t i = 0; i < (size_t)topo->switches * topo->po; i++) {
    const struct ut_peer *peer = &topo->peer[i];
    const uint32_t sw = (uint32_t)(i / topo->po);
    const unsigned port = (unsigned)(i % topo->po);
    places->port[i].at = port_at(places, topo, sw, port);
    if (peer->kind == UT_PEER_SWITCH)
      places->port[i].end = port_at(places, topo, peer->index, peer->port);
    if (peer->kind == UT_PEER_TERMINAL) {
      const struct ut_spot at = places->terminal[peer->index] = terminal_at(places, &measures, sw, port);
      places->port[i].end = (struct ut_spot){at.x, at.y + UT_TERMINAL_SIZE / 2.0};
    }
  }
  ut_places_inject_back(places, topo);
  places->left = margin;
  places->top = (topo->levels - 1) * measures.row + UT_BOX_HEIGHT / 2;
  places->bottom = -terminal_drop - UT_BOX_HEIGHT / 2;
  for (unsigned level = 0; level < topo->levels; level++) {
    char text[40];
    const bool top = level + 1 == topo->levels && level;
    snprintf(text, sizeof text, "level %u%s", level, top ? "\n(roots)" : level ? "" : "\n(leaves)");
    ut_places_say(places, (struct ut_spot){margin, level * measures.row}, 48, 8, text);
  }
  return true;
}
