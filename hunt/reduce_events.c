/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_events.c - removes packets, faults and cycles, without changing the switches. */
#include <stdlib.h>
#include <string.h>

#include "ddmin.h"
#include "reduce.h"
#include "scenario.h"
#include "scenario_values.h"

bool ut_reduce_to_trace(struct ut_shrinker *shrinker) {
  struct ut_error e;
  struct ut_case repro;
  bool kept = false;
  if (ut_case_copy(&repro, &shrinker->best) && !ut_case_pin_faults(&repro, &e))
    kept = ut_shrinker_try(shrinker, &repro);
  else
    ut_case_free(&repro);
  if (ut_case_copy(&repro, &shrinker->best) && !ut_case_trace(&repro, shrinker->failure.cycle, shrinker->folder, &e))
    return ut_shrinker_try(shrinker, &repro) || kept;
  ut_case_free(&repro);
  return kept;
}

bool ut_reduce_to_window(struct ut_shrinker *shrinker) {
  enum { SHORTEST = 16 };
  const uint64_t cycles = shrinker->failure.cycle;
  for (uint64_t window = SHORTEST; shrinker->best.traced && window < cycles && !ut_oracle_is_over(&shrinker->oracle);
       window *= 2) {
    struct ut_case repro;
    size_t first = 0;
    if (!ut_case_copy(&repro, &shrinker->best))
      return false;
    while (first < repro.packets && repro.packet[first].cycle < cycles - window)
      first++;
    repro.packets -= first;
    memmove(repro.packet, repro.packet + first, repro.packets * sizeof *repro.packet);
    ut_case_shift(&repro, 0, cycles - window);
    ut_case_end_at(&repro, window + SHORTEST); /* it may take a little longer */
    if (ut_shrinker_try(shrinker, &repro))
      return true;
  }
  return false;
}

/* ---- delta debugging */

struct subset {
  struct ut_shrinker *shrinker;
  struct ut_case whole; /* the case whose elements are numbered */
  bool faults;          /* reduces these instead of the packets */
};

static bool still_fails(void *ctx, const size_t *kept, size_t count) {
  struct subset *set = ctx;
  struct ut_case repro;
  if (ut_oracle_is_over(&set->shrinker->oracle) || !ut_case_copy(&repro, &set->whole))
    return false;
  (set->faults ? ut_case_keep_faults : ut_case_keep_packets)(&repro, kept, count);
  return ut_shrinker_try(set->shrinker, &repro);
}

static bool reduce_set(struct ut_shrinker *shrinker, bool faults) {
  struct subset set = {.shrinker = shrinker, .faults = faults};
  const size_t count = faults ? shrinker->best.scenario->fault_count : shrinker->best.packets;
  size_t *kept = malloc((count + 1) * sizeof *kept);
  if (!kept || !ut_case_copy(&set.whole, &shrinker->best)) {
    free(kept);
    return false;
  }
  for (size_t i = 0; i < count; i++)
    kept[i] = i;
  const size_t left = ut_ddmin(kept, count, still_fails, &set);
  ut_case_free(&set.whole);
  free(kept);
  return left < count;
}

/* ---- waits */

static int by_cycle(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Returns all cycles in which something happens, ascending; *count of them.  NULL: out of memory. */
static uint64_t *moments(const struct ut_case *repro, size_t *count) {
  const struct ut_scenario *scenario = repro->scenario;
  uint64_t *moment = malloc((repro->packets + 2 * scenario->fault_count + 1) * sizeof *moment);
  *count = 0;
  for (size_t i = 0; moment && i < repro->packets; i++)
    moment[(*count)++] = repro->packet[i].cycle;
  for (size_t i = 0; moment && i < scenario->fault_count; i++) {
    moment[(*count)++] = scenario->faults[i].at_cycle;
    if (scenario->faults[i].until_cycle != UINT64_MAX)
      moment[(*count)++] = scenario->faults[i].until_cycle;
  }
  if (moment && *count)
    qsort(moment, *count, sizeof *moment, by_cycle);
  return moment;
}

/* Moves everything from a moment on to earlier cycles. */
static bool try_shift(struct ut_shrinker *shrinker, uint64_t from, uint64_t by) {
  struct ut_case repro;
  if (!ut_case_copy(&repro, &shrinker->best))
    return false;
  ut_case_shift(&repro, from, by);
  return ut_shrinker_try(shrinker, &repro);
}

/* Shortens the wait before each moment, the first one to begin with: to nothing, to half, by a cycle. */
static bool reduce_waits(struct ut_shrinker *shrinker) {
  bool kept = false;
  size_t count = 1;
  for (size_t i = 0; i < count && !ut_oracle_is_over(&shrinker->oracle); i++) {
    uint64_t *moment = moments(&shrinker->best, &count);
    const uint64_t at = moment && i < count ? moment[i] : 0, before = moment && i && i < count ? moment[i - 1] : 0;
    const uint64_t wait = at - before;
    free(moment);
    if (!moment)
      return kept;
    for (uint64_t by = wait; by; by = by > 1 ? by / 2 : 0)
      if (try_shift(shrinker, at, by)) {
        kept = true;
        i -= by < wait; /* once more */
        break;
      }
  }
  return kept;
}

/* Shortens a routing timer, if the failure comes earlier then. */
static bool reduce_timers(struct ut_shrinker *shrinker) {
  bool kept = false;
  for (const struct ut_key *key = ut_keys; key < ut_keys + ut_key_count; key++) {
    const size_t length = strlen(key->path);
    if (!key->size || strncmp(key->path, "routing.", 8) || length < 7 || strcmp(key->path + length - 7, "_cycles"))
      continue;
    const uint64_t value = ut_value_whole(shrinker->best.scenario, key), before = shrinker->failure.cycle;
    bool earlier = false;
    for (uint64_t less = 1; less < value && less < before && !earlier; less *= 2) {
      struct ut_case repro;
      if (!ut_case_copy(&repro, &shrinker->best))
        return kept;
      ut_value_set(repro.scenario, key, less);
      ut_case_end_at(&repro, before - 1);
      earlier = ut_shrinker_try(shrinker, &repro);
    }
    kept |= earlier;
  }
  return kept;
}

/* ---- lengths */

/* Shortens packets: all, or each by itself. */
static bool reduce_lengths(struct ut_shrinker *shrinker) {
  const unsigned shortest = shrinker->best.scenario->sw.shortest_packet_flits;
  bool kept = false, longer = false;
  struct ut_case repro;
  if (!ut_case_copy(&repro, &shrinker->best))
    return false;
  for (size_t i = 0; i < repro.packets; i++) {
    longer |= repro.packet[i].flits > shortest;
    repro.packet[i].flits = (uint16_t)shortest;
  }
  if (!longer) {
    ut_case_free(&repro);
    return false;
  }
  if (ut_shrinker_try(shrinker, &repro))
    return true;
  for (size_t i = 0; i < shrinker->best.packets && !ut_oracle_is_over(&shrinker->oracle); i++) {
    if (shrinker->best.packet[i].flits == shortest)
      continue;
    if (!ut_case_copy(&repro, &shrinker->best))
      return kept;
    repro.packet[i].flits = (uint16_t)shortest;
    kept |= ut_shrinker_try(shrinker, &repro);
  }
  return kept;
}

bool ut_reduce_events(struct ut_shrinker *shrinker) {
  bool any = false, kept = shrinker->best.traced;
  while (kept && !ut_oracle_is_over(&shrinker->oracle)) {
    kept = reduce_set(shrinker, false);
    kept |= reduce_set(shrinker, true);
    kept |= reduce_lengths(shrinker);
    kept |= reduce_timers(shrinker);
    kept |= reduce_waits(shrinker);
    any |= kept;
  }
  return any;
}
