/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_cover.c - see stuck_cover.h */
#include "stuck_cover.h"

#include <stdlib.h>

bool ut_stuck_cover_add(struct ut_stuck_cover *c, uint64_t scenarios) {
  size_t left = 0;
  for (size_t i = 0; i < c->sets; i++)
    if ((c->set[i] & scenarios) == c->set[i])
      return true;
  for (size_t i = 0; i < c->sets; i++)
    if ((c->set[i] & scenarios) != scenarios)
      c->set[left++] = c->set[i];
  c->sets = left;
  if (c->sets == c->room) {
    const size_t room = c->room ? 2 * c->room : 64;
    uint64_t *more = realloc(c->set, room * sizeof *more);
    if (!more)
      return false;
    c->set = more;
    c->room = room;
  }
  c->set[c->sets++] = scenarios;
  return true;
}

bool ut_stuck_cover_add_faults(struct ut_stuck_cover *c, const struct ut_stuck_faults *f) {
  for (size_t i = 0; i < 2 * f->circuit->gates.nets; i++)
    if (f->chosen[i] && f->by[f->class[i]] && !ut_stuck_cover_add(c, f->by[f->class[i]]))
      return false;
  return true;
}

void ut_stuck_cover_free(struct ut_stuck_cover *c) {
  free(c->set);
  *c = (struct ut_stuck_cover){0};
}

/* ---- the search */

struct search {
  const struct ut_stuck_cover *c;
  struct ut_stuck_choice best;
  uint64_t steps;
};

static unsigned size(uint64_t set) {
  return (unsigned)__builtin_popcountll(set);
}

/* The smallest set that is not hit yet; 0: there is none.  at_least: so many more are needed, because so many of these
 * sets have nothing in common. */
static uint64_t next_of(const struct ut_stuck_cover *c, uint64_t chosen, uint64_t excluded, unsigned *at_least) {
  uint64_t next = 0, used = 0;
  *at_least = 0;
  for (unsigned length = 1; length <= UT_STUCK_SCENARIOS; length++)
    for (size_t i = 0; i < c->sets; i++) {
      const uint64_t left = c->set[i] & ~excluded;
      if (c->set[i] & chosen || size(left) != length)
        continue;
      next = next ? next : left;
      *at_least += !(left & used);
      used |= left & used ? 0 : left;
    }
  return next;
}

/* Whether what has been excluded leaves a set that nothing can hit. */
static bool is_lost(const struct ut_stuck_cover *c, uint64_t chosen, uint64_t excluded) {
  for (size_t i = 0; i < c->sets; i++)
    if (!(c->set[i] & chosen) && !(c->set[i] & ~excluded))
      return true;
  return false;
}

/* One of the next set's members is chosen, each in turn, and those before it are not. */
static void look(struct search *s, uint64_t chosen, uint64_t excluded) {
  unsigned more;
  if (!s->steps || is_lost(s->c, chosen, excluded))
    return;
  s->steps--;
  const uint64_t next = next_of(s->c, chosen, excluded, &more);
  if (size(chosen) + more >= s->best.count)
    return;
  if (!next)
    s->best = (struct ut_stuck_choice){chosen, size(chosen), s->best.least};
  for (uint64_t left = next; left; left &= left - 1) {
    look(s, chosen | (left & -left), excluded);
    excluded |= left & -left;
  }
}

/* Takes what hits most, again and again. */
static uint64_t greedy(const struct ut_stuck_cover *c) {
  uint64_t chosen = 0, best;
  do {
    size_t most = 0;
    best = 0;
    for (unsigned s = 0; s < UT_STUCK_SCENARIOS; s++) {
      size_t hit = 0;
      for (size_t i = 0; i < c->sets; i++)
        hit += !(c->set[i] & chosen) && c->set[i] >> s & 1;
      if (hit > most) {
        most = hit;
        best = UINT64_C(1) << s;
      }
    }
    chosen |= best;
  } while (best);
  return chosen;
}

struct ut_stuck_choice ut_stuck_cover_solve(const struct ut_stuck_cover *c, uint64_t steps) {
  struct search s = {.c = c, .steps = steps};
  s.best.scenarios = greedy(c);
  s.best.count = size(s.best.scenarios);
  next_of(c, 0, 0, &s.best.least);
  look(&s, 0, 0);
  if (s.steps)
    s.best.least = s.best.count;
  return s.best;
}
