/* SPDX-License-Identifier: Apache-2.0 */
/* symmetry.c - see symmetry.h */
#include "symmetry.h"

#include <stdlib.h>

/* Dimension d goes to to[d], backwards where that bit of `mirrored` is set; then node 0 goes to `origin`. */
struct symmetry {
  unsigned to[UT_MAX_DIMENSIONS], mirrored;
  uint32_t origin;
};

static uint32_t node_of(const struct ut_grid *g, const struct symmetry *s, uint32_t node) {
  unsigned x[UT_MAX_DIMENSIONS], y[UT_MAX_DIMENSIONS], shift[UT_MAX_DIMENSIONS];
  ut_grid_coordinates(g, node, x);
  ut_grid_coordinates(g, s->origin, shift);
  for (unsigned d = 0; d < g->dimensions; d++) {
    unsigned k = g->size[d], there = x[d];
    if (s->mirrored >> d & 1)
      there = g->wrap ? (k - there) % k : k - 1 - there;
    y[s->to[d]] = (there + shift[s->to[d]]) % k; /* node 0 of a mesh stays */
  }
  return ut_grid_node(g, y);
}

static uint32_t link_of(const struct ut_grid *g, const struct symmetry *s, uint32_t link) {
  uint32_t node = g->end[link][0] / g->directions, direction = g->end[link][0] % g->directions, d = direction / 2;
  return g->link[node_of(g, s, node) * g->directions + 2 * s->to[d] + (direction % 2 ^ (s->mirrored >> d & 1))];
}

static bool permutation_allowed(const struct ut_grid *g, const struct ut_mechanisms *m, const struct symmetry *s) {
  bool same = true, reversed = true, even = false;
  unsigned seen = 0;
  for (unsigned d = 0; d < g->dimensions; d++) {
    if (g->size[d] != g->size[s->to[d]])
      return false;
    seen |= 1u << s->to[d];
    same &= s->to[d] == d;
    reversed &= s->to[d] == g->dimensions - 1 - d;
    even |= g->wrap && g->size[d] % 2 == 0;
  }
  if (seen != (1u << g->dimensions) - 1)
    return false;
  if (m->misroute || m->direction_order)
    return same;
  return !m->deterministic || same || (reversed && !even);
}

static bool mirror_allowed(const struct ut_grid *g, const struct ut_mechanisms *m, unsigned mirrored) {
  for (unsigned d = 0; d < g->dimensions; d++)
    if (mirrored >> d & 1 &&
        (m->misroute || m->direction_order || (m->deterministic && g->wrap && g->size[d] % 2 == 0)))
      return false;
  return true;
}

static bool append(struct ut_symmetries *x, const struct ut_grid *g, const struct symmetry *s) {
  uint32_t *grown = realloc(x->link, (size_t)(x->count + 1) * g->links * sizeof *grown);
  if (!grown)
    return false;
  x->link = grown;
  for (uint32_t l = 0; l < g->links; l++)
    x->link[(size_t)x->count * g->links + l] = link_of(g, s, l);
  x->count++;
  return true;
}

/* All with that permutation. */
static bool append_all(struct ut_symmetries *x, const struct ut_grid *g, const struct ut_mechanisms *m, bool fixed,
                       struct symmetry *s) {
  uint32_t origins = g->wrap && !fixed ? g->nodes : 1;
  for (s->mirrored = 0; s->mirrored < 1u << g->dimensions; s->mirrored++)
    for (s->origin = 0; s->origin < origins && mirror_allowed(g, m, s->mirrored); s->origin++)
      if (!append(x, g, s))
        return false;
  return true;
}

int ut_symmetries_find(struct ut_symmetries *x, const struct ut_grid *g, const struct ut_mechanisms *m, bool fixed,
                       struct ut_error *e) {
  unsigned candidates = 1;
  *x = (struct ut_symmetries){0};
  for (unsigned d = 0; d < g->dimensions; d++)
    candidates *= g->dimensions;
  for (unsigned number = 0; number < candidates; number++) {
    struct symmetry s = {0};
    unsigned rest = number; /* its digits, the first dimension's the highest: dimensions in place come first */
    for (unsigned d = g->dimensions; d-- > 0; rest /= g->dimensions)
      s.to[d] = rest % g->dimensions;
    if (permutation_allowed(g, m, &s) && !append_all(x, g, m, fixed, &s)) {
      ut_symmetries_free(x);
      return ut_fail(e, UT_BAD_INPUT, "out of memory for symmetries");
    }
  }
  return 0;
}

void ut_symmetries_free(struct ut_symmetries *x) {
  free(x->link);
  *x = (struct ut_symmetries){0};
}
