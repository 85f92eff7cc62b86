/* SPDX-License-Identifier: Apache-2.0 */
/* exclusions.c - see exclusions.h */
#include "exclusions.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 1 }; /* an empty interval: the last destination is 0, before the first one */

bool ut_exclusions_init(struct ut_exclusions *x, const struct ut_topology *t, const struct ut_shape *shape) {
  *x = (struct ut_exclusions){.topology = t, .ports = shape->po / 2, .count = shape->exclusions};
  ut_mask *all = calloc(t->switches, sizeof *all);
  if (all && ut_up_down_init(&x->up_down, t)) {
    const size_t words = (size_t)t->switches * x->up_down.words;
    x->owned = calloc(words, sizeof *x->owned);
    x->reach = calloc(words, sizeof *x->reach);
    x->interval = calloc((size_t)t->switches * x->ports * x->count, sizeof *x->interval);
    x->ways = calloc(x->up_down.leaves, sizeof *x->ways);
    x->run = calloc(x->up_down.leaves, sizeof *x->run);
  }
  if (!all || !x->owned || !x->reach || !x->interval || !x->ways || !x->run) {
    free(all);
    ut_exclusions_fini(x);
    return false;
  }
  for (uint32_t sw = 0; sw < t->switches; sw++)
    all[sw] = ut_mask_all(t->po);
  ut_up_down_survey(&x->up_down, all);
  memcpy(x->owned, x->up_down.below, (size_t)t->switches * x->up_down.words * sizeof *x->owned);
  free(all);
  return true;
}

void ut_exclusions_fini(struct ut_exclusions *x) {
  ut_up_down_fini(&x->up_down);
  free(x->owned), free(x->reach), free(x->interval), free(x->ways), free(x->run);
  *x = (struct ut_exclusions){0};
}

/* ---- one up port of a switch */

static bool has(const struct ut_exclusions *x, const uint64_t *sets, uint32_t sw, uint32_t leaf) {
  return sets[(size_t)sw * x->up_down.words + leaf / 64] >> leaf % 64 & 1;
}

/* The switch behind up port p, counted from 0, of which the link is up; UINT32_MAX: there is none. */
static uint32_t behind(const struct ut_exclusions *x, const ut_mask *link_up, uint32_t sw, unsigned p) {
  const struct ut_topology *t = x->topology;
  const struct ut_peer *peer = &t->peer[(size_t)sw * t->po + x->ports + p];
  return peer->kind == UT_PEER_SWITCH && link_up[sw] >> (x->ports + p) & 1 ? peer->index : UINT32_MAX;
}

/* The runs of leaf switches that `above` does not reach; those below the switch itself never go up, and part no run. */
static unsigned find_runs(struct ut_exclusions *x, uint32_t sw, uint32_t above) {
  unsigned runs = 0;
  bool parted = true;
  for (uint32_t leaf = 0; leaf < x->up_down.leaves; leaf++) {
    if (has(x, x->owned, sw, leaf))
      continue;
    if (has(x, x->reach, above, leaf)) {
      parted = true;
      continue;
    }
    if (parted)
      x->run[runs++] = (struct ut_excluded_run){.first = leaf};
    parted = false;
    x->run[runs - 1].last = leaf;
    x->run[runs - 1].bad++;
  }
  return runs;
}

/* Victims between run i and the next one; UINT32_MAX: one of them has no other port. */
static uint32_t victims(const struct ut_exclusions *x, uint32_t sw, unsigned i) {
  uint32_t sum = 0;
  for (uint32_t leaf = x->run[i].last + 1; leaf < x->run[i + 1].first; leaf++) {
    if (has(x, x->owned, sw, leaf))
      continue;
    if (x->ways[leaf] < 2)
      return UINT32_MAX;
    sum++;
  }
  return sum;
}

static void remove_run(struct ut_exclusions *x, unsigned *runs, unsigned i) {
  memmove(&x->run[i], &x->run[i + 1], (--*runs - i) * sizeof *x->run);
}

/* One run less: the two with the fewest victims between them become one, or else the smallest is left out. */
static void join(struct ut_exclusions *x, uint32_t sw, unsigned *runs) {
  unsigned best = 0, smallest = 0;
  uint32_t fewest = UINT32_MAX;
  for (unsigned i = 0; i < *runs; i++) {
    const uint32_t between = i + 1 < *runs ? victims(x, sw, i) : UINT32_MAX;
    if (between < fewest)
      best = i, fewest = between;
    if (x->run[i].bad < x->run[smallest].bad)
      smallest = i;
  }
  if (fewest == UINT32_MAX) {
    remove_run(x, runs, smallest);
    return;
  }
  for (uint32_t leaf = x->run[best].last + 1; leaf < x->run[best + 1].first; leaf++)
    x->ways[leaf] -= x->ways[leaf] > 0; /* of leaf switches below nobody asks */
  x->run[best].last = x->run[best + 1].last;
  x->run[best].bad += x->run[best + 1].bad;
  remove_run(x, runs, best + 1);
}

/* ---- a switch */

static void count_ways(struct ut_exclusions *x, const ut_mask *link_up, uint32_t sw) {
  memset(x->ways, 0, x->up_down.leaves * sizeof *x->ways);
  for (unsigned p = 0; p < x->ports; p++) {
    const uint32_t above = behind(x, link_up, sw, p);
    for (uint32_t leaf = 0; above != UINT32_MAX && leaf < x->up_down.leaves; leaf++)
      x->ways[leaf] += has(x, x->reach, above, leaf);
  }
}

/* The intervals of up port p; what it leads to and does not exclude can be reached. */
static void plan_port(struct ut_exclusions *x, uint32_t sw, unsigned p, uint32_t above) {
  uint32_t *interval = x->interval + ((size_t)sw * x->ports + p) * x->count;
  const uint32_t each = x->topology->terminals / x->up_down.leaves;
  unsigned runs = find_runs(x, sw, above), at = 0;
  while (runs > x->count)
    join(x, sw, &runs);
  for (unsigned i = 0; i < runs; i++)
    interval[i] = (x->run[i].last * each + each - 1) << 16 | x->run[i].first * each;
  for (uint32_t leaf = 0; leaf < x->up_down.leaves; leaf++) {
    while (at < runs && x->run[at].last < leaf)
      at++;
    const bool excluded = at < runs && leaf >= x->run[at].first;
    if (!excluded && !has(x, x->owned, sw, leaf) && has(x, x->reach, above, leaf))
      x->reach[(size_t)sw * x->up_down.words + leaf / 64] |= UINT64_C(1) << leaf % 64;
  }
}

void ut_exclusions_survey(struct ut_exclusions *x, const ut_mask *link_up) {
  const struct ut_topology *t = x->topology;
  ut_up_down_survey(&x->up_down, link_up);
  memcpy(x->reach, x->up_down.below, (size_t)t->switches * x->up_down.words * sizeof *x->reach);
  for (size_t i = 0; i < (size_t)t->switches * x->ports * x->count; i++)
    x->interval[i] = NONE;
  for (uint32_t sw = t->switches; sw-- > 0;) { /* level by level, from the top */
    count_ways(x, link_up, sw);
    for (unsigned p = 0; p < x->ports; p++) {
      const uint32_t above = behind(x, link_up, sw, p);
      if (above != UINT32_MAX)
        plan_port(x, sw, p, above);
    }
  }
}

uint64_t ut_exclusions_word(const struct ut_exclusions *x, uint32_t sw, uint32_t i) {
  const uint32_t interval = x->interval[(size_t)sw * x->ports * x->count + i];
  return ut_exclusion_make((uint16_t)interval, (uint16_t)(interval >> 16), (uint8_t)(i / x->count),
                           (uint8_t)(i % x->count), true);
}
