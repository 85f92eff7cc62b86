/* SPDX-License-Identifier: Apache-2.0 */
/* places_ruft.c - places of a unidirectional multistage network: levels as rows, packets go upwards.
 *
 * A terminal stands below level 0, where it injects; its links from the last level end above that, with its number.
 */
#include <math.h>
#include <stdio.h>

#include "places.h"

static const double terminal_drop = 34, exit_rise = 22, margin = -52;

struct measures {
  unsigned width;     /* switches of a level */
  double column, row; /* distances of switches and levels */
  double pitch;       /* of terminals */
};

static struct measures measure(struct ut_places *p, const struct ut_topology *t, bool hops) {
  struct measures m = {.width = t->switches / t->levels};
  const double each = (double)t->terminals / m.width;
  p->box = fmax(hops ? 50 : 42, 7 * fmax(t->pi, t->po));
  m.column = fmax(p->box + (hops && m.width <= 9 ? 34 : 16), each * UT_TERMINAL_PITCH + 8);
  m.pitch = m.column / each;
  const double all = m.column * m.width;
  m.row = fmin(fmax(all / 6, 96), fmax(190, all / 14));
  return m;
}

/* Port `port` of `ports` on the upper or lower side of a switch. */
static struct ut_spot port_at(const struct ut_places *p, uint32_t sw, unsigned port, unsigned ports, double side) {
  struct ut_spot at = p->sw[sw];
  at.x += (port - (ports - 1) / 2.0) * (p->box - 8) / ports;
  at.y += side * UT_BOX_HEIGHT / 2;
  return at;
}

void ut_places_ruft(struct ut_places *p, const struct ut_topology *t, bool hops) {
  const struct measures m = measure(p, t, hops);
  for (uint32_t i = 0; i < t->switches; i++)
    p->sw[i] = (struct ut_spot){(t->position[i] + 0.5) * m.column, t->level[i] * m.row};
  for (uint32_t i = 0; i < t->terminals; i++)
    p->terminal[i] = (struct ut_spot){(i + 0.5) * m.pitch, -terminal_drop - UT_BOX_HEIGHT / 2};
  for (uint32_t channel = 0; channel < t->channels; channel++) {
    const struct ut_peer from = ut_topology_sender(t, channel), *to = &t->peer[channel];
    const bool injects = from.kind == UT_PEER_TERMINAL;
    if (to->kind == UT_PEER_NONE)
      continue;
    struct ut_port_place *place = injects ? &p->injection[channel - t->switches * t->po] : &p->port[channel];
    if (injects) {
      place->at = p->terminal[from.index];
      place->at.y += UT_TERMINAL_SIZE / 2.0;
    } else {
      place->at = port_at(p, from.index, from.port, t->elaboration[ut_topology_elaboration(t, from.index)].po, 1);
    }
    if (to->kind == UT_PEER_SWITCH) {
      place->end = port_at(p, to->index, to->port, t->elaboration[ut_topology_elaboration(t, to->index)].pi, -1);
    } else { /* in the open, with the terminal's number */
      char text[16];
      place->end = (struct ut_spot){place->at.x, place->at.y + exit_rise - (from.port % 2 ? 0 : 7)};
      snprintf(text, sizeof text, "%u", (unsigned)to->index);
      ut_places_say(p, (struct ut_spot){place->end.x - 5, place->end.y + 5}, 14, 5.5, text);
    }
  }
  p->left = margin;
  p->top = (t->levels - 1) * m.row + UT_BOX_HEIGHT / 2 + exit_rise + 8;
  p->bottom = -terminal_drop - UT_BOX_HEIGHT / 2;
  for (unsigned level = 0; level < t->levels; level++) {
    char text[40];
    snprintf(text, sizeof text, "level %u%s", level, level + 1 == t->levels ? "\n(last)" : level ? "" : "\n(first)");
    ut_places_say(p, (struct ut_spot){margin, level * m.row}, 48, 8, text);
  }
}
