/* SPDX-License-Identifier: Apache-2.0 */
/* places.c - see places.h */
#include "places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words: of planes and levels, and at the end of each stub. */
enum { MAX_TITLES = 4096 };

static const struct {
  const char *kind; /* of a topology */
  ut_places_function *place;
} families[] = {
    {"fat_tree", ut_places_fat_tree},   {"m_port_tree", ut_places_fat_tree},
    {"torus", ut_places_torus},         {"mesh", ut_places_torus},
    {"ruft", ut_places_ruft},           {"ruft_pl", ut_places_ruft},
    {"ft_ruft_212", ut_places_ruft},    {"ft_ruft_222", ut_places_ruft},
    {"hypercube", ut_places_hypercube}, {"graph", ut_places_graph},
    {"xgft", ut_places_tree},           {"dragonfly", ut_places_dragonfly},
    {"hyperx", ut_places_hyperx},       {"slim_fly", ut_places_slim_fly},
};

static ut_places_function *function_of(const struct ut_topology *topo) {
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
    if (!strcmp(families[i].kind, topo->kind))
      return families[i].place;
  return NULL;
}

bool ut_places_known(const struct ut_topology *topo) {
  return function_of(topo) != NULL;
}

bool ut_places_init(struct ut_places *places, const struct ut_topology *topo, bool hops) {
  const size_t ports = (size_t)topo->switches * topo->po;
  *places =
      (struct ut_places){.sw = calloc(topo->switches, sizeof *places->sw),
                         .terminal = calloc(topo->terminals, sizeof *places->terminal),
                         .port = calloc(ports, sizeof *places->port),
                         .injection = calloc((size_t)topo->terminals * topo->injections, sizeof *places->injection),
                         .words = calloc(ports + MAX_TITLES, sizeof *places->words)};
  if (places->sw && places->terminal && places->port && places->injection && places->words &&
      function_of(topo)(places, topo, hops))
    return true;
  ut_places_free(places);
  return false;
}

void ut_places_free(struct ut_places *places) {
  free(places->sw);
  free(places->terminal);
  free(places->port);
  free(places->injection);
  free(places->words);
  *places = (struct ut_places){0};
}
