/* SPDX-License-Identifier: Apache-2.0 */
/* places_parts.c - parts of drawings that all families have: see places.h */
#include "places.h"

#include <stdio.h>

void ut_places_say(struct ut_places *p, struct ut_spot left, double width, double size, const char *text) {
  struct ut_words *w = &p->words[p->word_count++];
  *w = (struct ut_words){.left = left, .width = width, .size = size};
  snprintf(w->text, sizeof w->text, "%s", text);
}

void ut_places_inject_back(struct ut_places *p, const struct ut_topology *t) {
  for (size_t i = 0; i < (size_t)t->switches * t->po; i++)
    if (t->peer[i].kind == UT_PEER_TERMINAL)
      p->injection[(size_t)t->peer[i].index * t->injections + t->peer[i].port] =
          (struct ut_port_place){.at = p->port[i].end, .end = p->port[i].at};
}
