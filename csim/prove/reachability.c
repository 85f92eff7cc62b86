/* SPDX-License-Identifier: Apache-2.0 */
/* reachability.c - see reachability.h */
#include "reachability.h"

#include <stdlib.h>

#include "family.h"

bool ut_terminals_know_ways(const struct ut_topology *topo) {
  return topo->family->choices != NULL;
}

bool ut_reachability_init(struct ut_reachability *reachability, const struct ut_topology *topo) {
  *reachability = (struct ut_reachability){.topology = topo};
  reachability->choices =
      calloc((size_t)topo->terminals * topo->injections * topo->terminals, sizeof *reachability->choices);
  return reachability->choices != NULL;
}

void ut_reachability_free(struct ut_reachability *reachability) {
  free(reachability->choices), free(reachability->value);
  *reachability = (struct ut_reachability){0};
}

static bool note(struct ut_reachability *reachability, uint32_t value) {
  for (uint32_t i = 0; i < reachability->values; i++)
    if (reachability->value[i] == value)
      return true;
  if (reachability->values == reachability->value_room) {
    const uint32_t room = 2 * reachability->value_room + 8;
    uint32_t *larger = realloc(reachability->value, room * sizeof *larger);
    if (!larger)
      return false;
    reachability->value = larger;
    reachability->value_room = room;
  }
  reachability->value[reachability->values++] = value;
  return true;
}

bool ut_reachability_survey(struct ut_reachability *reachability, const uint64_t *up) {
  const struct ut_topology *topo = reachability->topology;
  uint32_t *at = reachability->choices;
  reachability->values = 0;
  for (uint32_t src = 0; src < topo->terminals; src++)
    for (unsigned link = 0; link < topo->injections; link++)
      for (uint32_t dst = 0; dst < topo->terminals; dst++) {
        *at = src == dst ? 0 : topo->family->choices(topo, up, src, link, dst);
        if (*at && !note(reachability, *at))
          return false;
        at++;
      }
  return true;
}
