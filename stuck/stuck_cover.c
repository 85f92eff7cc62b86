/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_cover.c - see stuck_cover.h */
#include "stuck_cover.h"

#include <stdlib.h>

bool ut_stuck_cover_add(struct ut_stuck_cover *cover, uint64_t scenarios) {
  size_t left = 0;
  for (size_t i = 0; i < cover->sets; i++)
    if ((cover->set[i] & scenarios) == cover->set[i])
      return true;
  for (size_t i = 0; i < cover->sets; i++)
    if ((cover->set[i] & scenarios) != scenarios)
      cover->set[left++] = cover->set[i];
  cover->sets = left;
  if (cover->sets == cover->room) {
    const size_t room = cover->room ? 2 * cover->room : 64;
    uint64_t *more = realloc(cover->set, room * sizeof *more);
    if (!more)
      return false;
    cover->set = more;
    cover->room = room;
  }
  cover->set[cover->sets++] = scenarios;
  return true;
}

bool ut_stuck_cover_add_faults(struct ut_stuck_cover *cover, const struct ut_stuck_faults *faults) {
  for (size_t i = 0; i < 2 * faults->circuit->gates.nets; i++)
    if (faults->chosen[i] && faults->by[faults->class[i]] && !ut_stuck_cover_add(cover, faults->by[faults->class[i]]))
      return false;
  return true;
}

void ut_stuck_cover_free(struct ut_stuck_cover *cover) {
  free(cover->set);
  *cover = (struct ut_stuck_cover){0};
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

/* Returns the smallest set that is not hit yet; 0: there is none.  at_least: how many more scenarios are needed,
 * because that many of these sets are disjoint. */
static uint64_t next_of(const struct ut_stuck_cover *cover, uint64_t chosen, uint64_t excluded, unsigned *at_least) {
  uint64_t next = 0, used = 0;
  *at_least = 0;
  for (unsigned length = 1; length <= UT_STUCK_SCENARIOS; length++)
    for (size_t i = 0; i < cover->sets; i++) {
      const uint64_t left = cover->set[i] & ~excluded;
      if (cover->set[i] & chosen || size(left) != length)
        continue;
      next = next ? next : left;
      *at_least += !(left & used);
      used |= left & used ? 0 : left;
    }
  return next;
}

/* Returns whether the excluded scenarios leave a set that nothing can hit. */
static bool is_lost(const struct ut_stuck_cover *cover, uint64_t chosen, uint64_t excluded) {
  for (size_t i = 0; i < cover->sets; i++)
    if (!(cover->set[i] & chosen) && !(cover->set[i] & ~excluded))
      return true;
  return false;
}

/* Tries each member of the next set in turn, and excludes the ones before it. */
static void look(struct search *search, uint64_t chosen, uint64_t excluded) {
  unsigned more;
  if (!search->steps || is_lost(search->c, chosen, excluded))
    return;
  search->steps--;
  const uint64_t next = next_of(search->c, chosen, excluded, &more);
  if (size(chosen) + more >= search->best.count)
    return;
  if (!next)
    search->best = (struct ut_stuck_choice){chosen, size(chosen), search->best.least};
  for (uint64_t left = next; left; left &= left - 1) {
    look(search, chosen | (left & -left), excluded);
    excluded |= left & -left;
  }
}

/* Greedy: takes the scenario that hits most, again and again. */
static uint64_t greedy(const struct ut_stuck_cover *cover) {
  uint64_t chosen = 0, best;
  do {
    size_t most = 0;
    best = 0;
    for (unsigned s = 0; s < UT_STUCK_SCENARIOS; s++) {
      size_t hit = 0;
      for (size_t i = 0; i < cover->sets; i++)
        hit += !(cover->set[i] & chosen) && cover->set[i] >> s & 1;
      if (hit > most) {
        most = hit;
        best = UINT64_C(1) << s;
      }
    }
    chosen |= best;
  } while (best);
  return chosen;
}

struct ut_stuck_choice ut_stuck_cover_solve(const struct ut_stuck_cover *cover, uint64_t steps) {
  struct search search = {.c = cover, .steps = steps};
  search.best.scenarios = greedy(cover);
  search.best.count = size(search.best.scenarios);
  next_of(cover, 0, 0, &search.best.least);
  look(&search, 0, 0);
  if (search.steps)
    search.best.least = search.best.count;
  return search.best;
}
