/* SPDX-License-Identifier: Apache-2.0 */
/* reachability.c - see reachability.h */
#include "reachability.h"

#include <stdlib.h>

#include "family.h"

bool ut_terminals_know_ways(const struct ut_topology *t) {
  return t->family->choices != NULL;
}

bool ut_reachability_init(struct ut_reachability *w, const struct ut_topology *t) {
  *w = (struct ut_reachability){.topology = t};
  w->choices = calloc((size_t)t->terminals * t->injections * t->terminals, sizeof *w->choices);
  return w->choices != NULL;
}

void ut_reachability_free(struct ut_reachability *w) {
  free(w->choices), free(w->value);
  *w = (struct ut_reachability){0};
}

static bool note(struct ut_reachability *w, uint32_t value) {
  for (uint32_t i = 0; i < w->values; i++)
    if (w->value[i] == value)
      return true;
  if (w->values == w->value_room) {
    const uint32_t room = 2 * w->value_room + 8;
    uint32_t *larger = realloc(w->value, room * sizeof *larger);
    if (!larger)
      return false;
    w->value = larger;
    w->value_room = room;
  }
  w->value[w->values++] = value;
  return true;
}

bool ut_reachability_survey(struct ut_reachability *w, const uint64_t *up) {
  const struct ut_topology *t = w->topology;
  uint32_t *at = w->choices;
  w->values = 0;
  for (uint32_t src = 0; src < t->terminals; src++)
    for (unsigned link = 0; link < t->injections; link++)
      for (uint32_t dst = 0; dst < t->terminals; dst++) {
        *at = src == dst ? 0 : t->family->choices(t, up, src, link, dst);
        if (*at && !note(w, *at))
          return false;
        at++;
      }
  return true;
}
