/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_clauses.c - the set of clauses that are candidates: see stuck_reach_parts.h */
#include <stdlib.h>
#include <string.h>

#include "stuck_reach_parts.h"

static int compare_literals(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static uint32_t *place_of(struct ut_stuck_reach *r, const struct ut_reach_clause *c) {
  uint64_t hash = c->count;
  for (unsigned i = 0; i < c->count; i++)
    hash = (hash ^ c->literal[i]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
  for (;; hash++) {
    uint32_t *at = &r->place[hash & (r->places - 1)];
    if (*at == UINT32_MAX ||
        (r->clause[*at].count == c->count && !memcmp(r->clause[*at].literal, c->literal, sizeof c->literal)))
      return at;
  }
}

/* A new candidate; false: it is there already, or there are too many. */
bool ut_reach_propose(struct ut_stuck_reach *r, const uint32_t *literal, unsigned count, bool wanted) {
  struct ut_reach_clause c = {.count = (uint8_t)count, .live = true, .wanted = wanted};
  memcpy(c.literal, literal, count * sizeof *literal);
  qsort(c.literal, count, sizeof *c.literal, compare_literals);
  uint32_t *at = place_of(r, &c);
  if (*at != UINT32_MAX || r->clauses == UT_REACH_CLAUSES)
    return false;
  *at = (uint32_t)r->clauses;
  r->clause[r->clauses++] = c;
  return true;
}

bool ut_reach_is_proposed(struct ut_stuck_reach *r, const uint32_t *literal, unsigned count) {
  struct ut_reach_clause c = {.count = (uint8_t)count};
  memcpy(c.literal, literal, count * sizeof *literal);
  qsort(c.literal, count, sizeof *c.literal, compare_literals);
  return *place_of(r, &c) != UINT32_MAX;
}
