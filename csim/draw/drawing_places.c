/* drawing_places.c - see drawing_places.h */
#include "drawing_places.h"

#include <stdio.h>
#include <stdlib.h>

/* Words: of planes and levels, and at the end of each stub. */
enum { MAX_TITLES = 4096 };

bool ut_places_init(struct ut_places *p, const struct ut_topology *t, bool hops) {
  const size_t ports = (size_t)t->switches * t->po;
  *p = (struct ut_places){.sw = calloc(t->switches, sizeof *p->sw),
                          .terminal = calloc(t->terminals, sizeof *p->terminal),
                          .port = calloc(ports, sizeof *p->port),
                          .words = calloc(ports + MAX_TITLES, sizeof *p->words)};
  if (!p->sw || !p->terminal || !p->port || !p->words) {
    ut_places_free(p);
    return false;
  }
  (t->dimensions ? ut_places_torus : ut_places_fat_tree)(p, t, hops);
  return true;
}

void ut_places_free(struct ut_places *p) {
  free(p->sw);
  free(p->terminal);
  free(p->port);
  free(p->words);
  *p = (struct ut_places){0};
}

void ut_places_say(struct ut_places *p, struct ut_spot left, double width, double size, const char *text) {
  struct ut_words *w = &p->words[p->word_count++];
  *w = (struct ut_words){.left = left, .width = width, .size = size};
  snprintf(w->text, sizeof w->text, "%s", text);
}
