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
    {"fat_tree", ut_places_fat_tree}, {"torus", ut_places_torus},         {"mesh", ut_places_torus},
    {"ruft", ut_places_ruft},         {"ruft_pl", ut_places_ruft},        {"ft_ruft_212", ut_places_ruft},
    {"ft_ruft_222", ut_places_ruft},  {"hypercube", ut_places_hypercube},
};

static ut_places_function *function_of(const struct ut_topology *t) {
  for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
    if (!strcmp(families[i].kind, t->kind))
      return families[i].place;
  return NULL;
}

bool ut_places_known(const struct ut_topology *t) {
  return function_of(t) != NULL;
}

bool ut_places_init(struct ut_places *p, const struct ut_topology *t, bool hops) {
  const size_t ports = (size_t)t->switches * t->po;
  *p = (struct ut_places){.sw = calloc(t->switches, sizeof *p->sw),
                          .terminal = calloc(t->terminals, sizeof *p->terminal),
                          .port = calloc(ports, sizeof *p->port),
                          .injection = calloc((size_t)t->terminals * t->injections, sizeof *p->injection),
                          .words = calloc(ports + MAX_TITLES, sizeof *p->words)};
  if (!p->sw || !p->terminal || !p->port || !p->injection || !p->words) {
    ut_places_free(p);
    return false;
  }
  function_of(t)(p, t, hops);
  return true;
}

void ut_places_free(struct ut_places *p) {
  free(p->sw);
  free(p->terminal);
  free(p->port);
  free(p->injection);
  free(p->words);
  *p = (struct ut_places){0};
}
