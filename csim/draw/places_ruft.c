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

static struct measures measure(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  struct measures measures = {.width = topo->switches / topo->levels};
  const double each = (double)topo->terminals / measures.width;
  places->box = fmax(hops ? 50 : 42, 7 * fmax(topo->pi, topo->po));
  measures.column = fmax(places->box + (hops && measures.width <= 9 ? 34 : 16), each * UT_TERMINAL_PITCH + 8);
  measures.pitch = measures.column / each;
  const double all = measures.column * measures.width;
  measures.row = fmin(fmax(all / 6, 96), fmax(190, all / 14));
  return measures;
}

/* Port `port` of `ports` on the upper or lower side of a switch. */
static struct ut_spot port_at(const struct ut_places *places, uint32_t sw, unsigned port, unsigned ports, double side) {
  struct ut_spot at = places->sw[sw];
  at.x += (port - (ports - 1) / 2.0) * (places->box - 8) / ports;
  at.y += side * UT_BOX_HEIGHT / 2;
  return at;
}

bool ut_places_ruft(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  const struct measures measures = measure(places, topo, hops);
  for (uint32_t i = 0; i < topo->switches; i++)
    places->sw[i] = (struct ut_spot){(topo->position[i] + 0.5) * measures.column, topo->level[i] * measures.row};
  for (uint32_t i = 0; i < topo->terminals; i++)
    places->terminal[i] = (struct ut_spot){(i + 0.5) * measures.pitch, -terminal_drop - UT_BOX_HEIGHT / 2};
  for (uint32_t channel = 0; channel < topo->channels; channel++) {
    const struct ut_peer from = ut_topology_sender(topo, channel), *to = &topo->peer[channel];
    const bool injects = from.kind == UT_PEER_TERMINAL;
    if (to->kind == UT_PEER_NONE)
      continue;
    struct ut_port_place *place =
        injects ? &places->injection[channel - topo->switches * topo->po] : &places->port[channel];
    if (injects) {
      place->at = places->terminal[from.index];
      place->at.y += UT_TERMINAL_SIZE / 2.0;
    } else {
      place->at =
          port_at(places, from.index, from.port, topo->elaboration[ut_topology_elaboration(topo, from.index)].po, 1);
    }
    if (to->kind == UT_PEER_SWITCH) {
      place->end =
          port_at(places, to->index, to->port, topo->elaboration[ut_topology_elaboration(topo, to->index)].pi, -1);
    } else { /* in the open, with the terminal's number */
      char text[16];
      place->end = (struct ut_spot){place->at.x, place->at.y + exit_rise - (from.port % 2 ? 0 : 7)};
      snprintf(text, sizeof text, "%u", (unsigned)to->index);
      ut_places_say(places, (struct ut_spot){place->end.x - 5, place->end.y + 5}, 14, 5.5, text);
    }
  }
  places->left = margin;
  places->top = (topo->levels - 1) * measures.row + UT_BOX_HEIGHT / 2 + exit_rise + 8;
  places->bottom = -terminal_drop - UT_BOX_HEIGHT / 2;
  for (unsigned level = 0; level < topo->levels; level++) {
    char text[40];
    snprintf(text, sizeof text, "level %u%s", level, level + 1 == topo->levels ? "\n(last)" : level ? "" : "\n(first)");
    ut_places_say(places, (struct ut_spot){margin, level * measures.row}, 48, 8, text);
  }
  return true;
}
