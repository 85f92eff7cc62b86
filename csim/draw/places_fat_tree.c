/* SPDX-License-Identifier: Apache-2.0 */
/* places_fat_tree.c - places of a fat tree in the manner of the papers: levels as rows, roots on top. */
#include <math.h>
#include <stdio.h>

#include "places.h"

static const double terminal_drop = 30, margin = -52;

struct measures {
  unsigned width, up, down; /* switches of a level; ports of each kind */
  unsigned leaf;            /* terminals of a leaf switch */
  double column, row;       /* distances of switches and levels */
};

static struct measures measure(struct ut_places *p, const struct ut_topology *t, bool hops) {
  struct measures m = {0};
  for (uint32_t i = 0; i < t->switches; i++)
    if (t->position[i] + 1 > m.width)
      m.width = t->position[i] + 1;
  m.up = (unsigned)__builtin_popcountll(t->up_ports);
  m.down = t->po - m.up;
  m.leaf = (t->terminals + m.width - 1) / m.width;
  /* a packet in a small network has many hops on few links: room for their numbers */
  const bool roomy = hops && m.width <= 9;
  p->box = fmax(hops ? 50 : 42, 9 * fmax(m.up, m.down));
  m.column = fmax(p->box + (roomy ? 34 : 16), m.leaf * UT_TERMINAL_PITCH + 8);
  const double all = m.column * m.width;
  m.row = fmin(fmax(all / 7, roomy ? 130 : 92), fmax(190, all / 14));
  return m;
}

/* Of the terminal at a port of a leaf switch. */
static struct ut_spot terminal_at(const struct ut_places *p, const struct measures *m, uint32_t sw, unsigned port) {
  struct ut_spot at = p->sw[sw];
  at.x += (port - (m->leaf - 1) / 2.0) * fmax(UT_TERMINAL_PITCH, 0.85 * m->column / m->leaf);
  at.y -= terminal_drop + UT_BOX_HEIGHT / 2;
  return at;
}

/* Where a link leaves the box of its switch: up ports along the upper side, down ports along the lower one. */
static struct ut_spot port_at(const struct ut_places *p, const struct ut_topology *t, const struct measures *m,
                              uint32_t sw, unsigned port) {
  struct ut_spot at = p->sw[sw];
  bool up = t->up_ports >> port & 1;
  unsigned ports = up ? m->up : m->down;
  uint64_t alike = up ? t->up_ports : ~t->up_ports;
  unsigned index = (unsigned)__builtin_popcountll(alike & ((UINT64_C(1) << port) - 1));
  at.x += (index - (ports - 1) / 2.0) * (p->box - 8) / ports;
  at.y += up ? UT_BOX_HEIGHT / 2 : -UT_BOX_HEIGHT / 2;
  return at;
}

void ut_places_fat_tree(struct ut_places *p, const struct ut_topology *t, bool hops) {
  const struct measures m = measure(p, t, hops);
  for (uint32_t i = 0; i < t->switches; i++)
    p->sw[i] = (struct ut_spot){(t->position[i] + 0.5) * m.column, t->level[i] * m.row};
  for (size_t i = 0; i < (size_t)t->switches * t->po; i++) {
    const struct ut_peer *peer = &t->peer[i];
    const uint32_t sw = (uint32_t)(i / t->po);
    const unsigned port = (unsigned)(i % t->po);
    p->port[i].at = port_at(p, t, &m, sw, port);
    if (peer->kind == UT_PEER_SWITCH)
      p->port[i].end = port_at(p, t, &m, peer->index, peer->port);
    if (peer->kind == UT_PEER_TERMINAL) {
      const struct ut_spot at = p->terminal[peer->index] = terminal_at(p, &m, sw, port);
      p->port[i].end = (struct ut_spot){at.x, at.y + UT_TERMINAL_SIZE / 2.0};
    }
  }
  ut_places_inject_back(p, t);
  p->left = margin;
  p->top = (t->levels - 1) * m.row + UT_BOX_HEIGHT / 2;
  p->bottom = -terminal_drop - UT_BOX_HEIGHT / 2;
  for (unsigned level = 0; level < t->levels; level++) {
    char text[40];
    const bool top = level + 1 == t->levels && level;
    snprintf(text, sizeof text, "level %u%s", level, top ? "\n(roots)" : level ? "" : "\n(leaves)");
    ut_places_say(p, (struct ut_spot){margin, level * m.row}, 48, 8, text);
  }
}
