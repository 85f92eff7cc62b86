/* SPDX-License-Identifier: Apache-2.0 */
/* exclusions.c - see exclusions.h */
#include "exclusions.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 1 }; /* an empty interval: the last destination is 0, before the first one */

bool ut_exclusions_init(struct ut_exclusions *exclusions, const struct ut_topology *topo,
                        const struct ut_shape *shape) {
  *exclusions = (struct ut_exclusions){.topology = topo, .ports = shape->po / 2, .count = shape->exclusions};
  ut_mask *all = calloc(topo->switches, sizeof *all);
  if (all && ut_up_down_init(&exclusions->up_down, topo)) {
    const size_t words = (size_t)topo->switches * exclusions->up_down.words;
    exclusions->owned = calloc(words, sizeof *exclusions->owned);
    exclusions->reach = calloc(words, sizeof *exclusions->reach);
    exclusions->interval =
        calloc((size_t)topo->switches * exclusions->ports * exclusions->count, sizeof *exclusions->interval);
    exclusions->ways = calloc(exclusions->up_down.leaves, sizeof *exclusions->ways);
    exclusions->run = calloc(exclusions->up_down.leaves, sizeof *exclusions->run);
  }
  if (!all || !exclusions->owned || !exclusions->reach || !exclusions->interval || !exclusions->ways ||
      !exclusions->run) {
    free(all);
    ut_exclusions_fini(exclusions);
    return false;
  }
  for (uint32_t sw = 0; sw < topo->switches; sw++)
    all[sw] = ut_mask_all(topo->po);
  ut_up_down_survey(&exclusions->up_down, all);
  memcpy(exclusions->owned, exclusions->up_down.below,
         (size_t)topo->switches * exclusions->up_down.words * sizeof *exclusions->owned);
  free(all);
  return true;
}

void ut_exclusions_fini(struct ut_exclusions *exclusions) {
  ut_up_down_fini(&exclusions->up_down);
  free(exclusions->owned), free(exclusions->reach), free(exclusions->interval), free(exclusions->ways),
      free(exclusions->run);
  *exclusions = (struct ut_exclusions){0};
}

/* ---- one up port of a switch */

static bool has(const struct ut_exclusions *exclusions, const uint64_t *sets, uint32_t sw, uint32_t leaf) {
  return sets[(size_t)sw * exclusions->up_down.words + leaf / 64] >> leaf % 64 & 1;
}

/* Returns the switch behind up port p (counted from 0), if the link is up; UINT32_MAX: there is none. */
static uint32_t behind(const struct ut_exclusions *exclusions, const ut_mask *link_up, uint32_t sw, unsigned p) {
  const struct ut_topology *topo = exclusions->topology;
  const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po + exclusions->ports + p];
  return ut_topology_up_ports(topo, sw) && peer->kind == UT_PEER_SWITCH && link_up[sw] >> (exclusions->ports + p) & 1
             ? peer->index
             : UINT32_MAX;
}

/* Finds the runs of leaf switches that `above` does not reach; leaf switches below the switch itself never need to go
 * up, so they do not divide a run. */
static unsigned find_runs(struct ut_exclusions *exclusions, uint32_t sw, uint32_t above) {
  unsigned runs = 0;
  bool parted = true;
  for (uint32_t leaf = 0; leaf < exclusions->up_down.leaves; leaf++) {
    if (has(exclusions, exclusions->owned, sw, leaf))
      continue;
    if (has(exclusions, exclusions->reach, above, leaf)) {
      parted = true;
      continue;
    }
    if (parted)
      exclusions->run[runs++] = (struct ut_excluded_run){.first = leaf};
    parted = false;
    exclusions->run[runs - 1].last = leaf;
    exclusions->run[runs - 1].bad++;
  }
  return runs;
}

/* Returns the victims between run i and the next one; UINT32_MAX: one of them has no other port. */
static uint32_t victims(const struct ut_exclusions *exclusions, uint32_t sw, unsigned i) {
  uint32_t sum = 0;
  for (uint32_t leaf = exclusions->run[i].last + 1; leaf < exclusions->run[i + 1].first; leaf++) {
    if (has(exclusions, exclusions->owned, sw, leaf))
      continue;
    if (exclusions->ways[leaf] < 2)
      return UINT32_MAX;
    sum++;
  }
  return sum;
}

static void remove_run(struct ut_exclusions *exclusions, unsigned *runs, unsigned i) {
  memmove(&exclusions->run[i], &exclusions->run[i + 1], (--*runs - i) * sizeof *exclusions->run);
}

/* Reduces the number of runs by one: joins the two with the fewest victims between them or, if that is impossible,
 * leaves out the smallest. */
static void join(struct ut_exclusions *exclusions, uint32_t sw, unsigned *runs) {
  unsigned best = 0, smallest = 0;
  uint32_t fewest = UINT32_MAX;
  for (unsigned i = 0; i < *runs; i++) {
    const uint32_t between = i + 1 < *runs ? victims(exclusions, sw, i) : UINT32_MAX;
    if (between < fewest)
      best = i, fewest = between;
    if (exclusions->run[i].bad < exclusions->run[smallest].bad)
      smallest = i;
  }
  if (fewest == UINT32_MAX) {
    remove_run(exclusions, runs, smallest);
    return;
  }
  for (uint32_t leaf = exclusions->run[best].last + 1; leaf < exclusions->run[best + 1].first; leaf++)
    exclusions->ways[leaf] -= exclusions->ways[leaf] > 0; /* of leaf switches below; never used for routing */
  exclusions->run[best].last = exclusions->run[best + 1].last;
  exclusions->run[best].bad += exclusions->run[best + 1].bad;
  remove_run(exclusions, runs, best + 1);
}

/* ---- a switch */

static void count_ways(struct ut_exclusions *exclusions, const ut_mask *link_up, uint32_t sw) {
  memset(exclusions->ways, 0, exclusions->up_down.leaves * sizeof *exclusions->ways);
  for (unsigned p = 0; p < exclusions->ports; p++) {
    const uint32_t above = behind(exclusions, link_up, sw, p);
    for (uint32_t leaf = 0; above != UINT32_MAX && leaf < exclusions->up_down.leaves; leaf++)
      exclusions->ways[leaf] += has(exclusions, exclusions->reach, above, leaf);
  }
}

/* Computes the intervals of up port p; a destination can be reached through it if it leads there and does not exclude
 * it. */
static void plan_port(struct ut_exclusions *exclusions, uint32_t sw, unsigned p, uint32_t above) {
  uint32_t *interval = exclusions->interval + ((size_t)sw * exclusions->ports + p) * exclusions->count;
  const uint32_t each = exclusions->topology->terminals / exclusions->up_down.leaves;
  unsigned runs = find_runs(exclusions, sw, above), at = 0;
  while (runs > exclusions->count)
    join(exclusions, sw, &runs);
  for (unsigned i = 0; i < runs; i++)
    interval[i] = (exclusions->run[i].last * each + each - 1) << 16 | exclusions->run[i].first * each;
  for (uint32_t leaf = 0; leaf < exclusions->up_down.leaves; leaf++) {
    while (at < runs && exclusions->run[at].last < leaf)
      at++;
    const bool excluded = at < runs && leaf >= exclusions->run[at].first;
    if (!excluded && !has(exclusions, exclusions->owned, sw, leaf) && has(exclusions, exclusions->reach, above, leaf))
      exclusions->reach[(size_t)sw * exclusions->up_down.words + leaf / 64] |= UINT64_C(1) << leaf % 64;
  }
}

void ut_exclusions_survey(struct ut_exclusions *exclusions, const ut_mask *link_up) {
  const struct ut_topology *topo = exclusions->topology;
  ut_up_down_survey(&exclusions->up_down, link_up);
  memcpy(exclusions->reach, exclusions->up_down.below,
         (size_t)topo->switches * exclusions->up_down.words * sizeof *exclusions->reach);
  for (size_t i = 0; i < (size_t)topo->switches * exclusions->ports * exclusions->count; i++)
    exclusions->interval[i] = NONE;
  for (uint32_t sw = topo->switches; sw-- > 0;) { /* level by level, from the top */
    count_ways(exclusions, link_up, sw);
    for (unsigned p = 0; p < exclusions->ports; p++) {
      const uint32_t above = behind(exclusions, link_up, sw, p);
      if (above != UINT32_MAX)
        plan_port(exclusions, sw, p, above);
    }
  }
}

uint64_t ut_exclusions_word(const struct ut_exclusions *exclusions, uint32_t sw, uint32_t i) {
  const uint32_t interval = exclusions->interval[(size_t)sw * exclusions->ports * exclusions->count + i];
  return ut_exclusion_make((uint16_t)interval, (uint16_t)(interval >> 16), (uint8_t)(i / exclusions->count),
                           (uint8_t)(i % exclusions->count), true);
}
