/* SPDX-License-Identifier: Apache-2.0 */
/* stuck_clauses.c - the set of clauses that are candidates: see stuck_reach_parts.h */
#include <stdlib.h>
#include <string.h>

#include "stuck_reach_parts.h"

static int compare_literals(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static uint32_t *place_of(struct ut_stuck_reach *reach, const struct ut_reach_clause *clause) {
  uint64_t hash = clause->count;
  for (unsigned i = 0; i < clause->count; i++)
    hash = (hash ^ clause->literal[i]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
  for (;; hash++) {
    uint32_t *at = &reach->place[hash & (reach->places - 1)];
    if (*at == UINT32_MAX || (reach->clause[*at].count == clause->count &&
                              !memcmp(reach->clause[*at].literal, clause->literal, sizeof clause->literal)))
      return at;
  }
}

/* A new candidate; false: it is there already, or there are too many. */
bool ut_reach_propose(struct ut_stuck_reach *reach, const uint32_t *literal, unsigned count, bool wanted) {
  struct ut_reach_clause clause = {.count = (uint8_t)count, .live = true, .wanted = wanted};
  memcpy(clause.literal, literal, count * sizeof *literal);
  qsort(clause.literal, count, sizeof *clause.literal, compare_literals);
  uint32_t *at = place_of(reach, &clause);
  if (*at != UINT32_MAX || reach->clauses == UT_REACH_CLAUSES)
    return false;
  *at = (uint32_t)reach->clauses;
  reach->clause[reach->clauses++] = clause;
  return true;
}

bool ut_reach_is_proposed(struct ut_stuck_reach *reach, const uint32_t *literal, unsigned count) {
  struct ut_reach_clause clause = {.count = (uint8_t)count};
  memcpy(clause.literal, literal, count * sizeof *literal);
  qsort(clause.literal, count, sizeof *clause.literal, compare_literals);
  return *place_of(reach, &clause) != UINT32_MAX;
}
