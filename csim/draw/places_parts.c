/* SPDX-License-Identifier: Apache-2.0 */
/* places_parts.c - parts of drawings that all families have: see places.h */
#include "places.h"

#include <stdio.h>

void ut_places_say(struct ut_places *places, struct ut_spot left, double width, double size, const char *text) {
  struct ut_words *words = &places->words[places->word_count++];
  *words = (struct ut_words){.left = left, .width = width, .size = size};
  snprintf(words->text, sizeof words->text, "%s", text);
}

void ut_places_inject_back(struct ut_places *places, const struct ut_topology *topo) {
  for (size_t i = 0; i < (size_t)topo->switches * topo->po; i++)
    if (topo->peer[i].kind == UT_PEER_TERMINAL)
      places->injection[(size_t)topo->peer[i].index * topo->injections + topo->peer[i].port] =
          (struct ut_port_place){.at = places->port[i].end, .end = places->port[i].at};
}
