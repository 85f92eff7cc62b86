/* SPDX-License-Identifier: Apache-2.0 */
/* resends.c - see resends.h */
#include "resends.h"

#include <stdlib.h>
#include <string.h>

#include "scenario.h"

bool ut_resends_init(struct ut_resends *resends, const struct ut_scenario *scenario, uint32_t terminals) {
  *resends = (struct ut_resends){.after = scenario->traffic.resend_after_cycles,
                                 .limit = scenario->traffic.resend_limit,
                                 .told_only = scenario->traffic.resend_cause == UT_RESEND_NOTICE,
                                 .stop_cycles = scenario->traffic.resend_stop_cycles,
                                 .terminals = terminals};
  if (resends->stop_cycles)
    resends->stops = calloc(terminals, sizeof *resends->stops);
  return resends->stops || !resends->stop_cycles;
}

void ut_resends_fini(struct ut_resends *resends) {
  for (uint32_t i = 0; resends->stops && i < resends->terminals; i++)
    free(resends->stops[i].stop);
  free(resends->stops);
  free(resends->waiting), free(resends->now[0].resend), free(resends->now[1].resend);
  *resends = (struct ut_resends){0};
}

/* Makes room in a list for one more element. */
static bool extend(struct ut_resends *resends, struct ut_resend **list, size_t count, size_t *room) {
  if (count < *room)
    return true;
  struct ut_resend *bigger = realloc(*list, (*room ? 2 * *room : 16) * sizeof *bigger);
  resends->failure |= !bigger;
  if (!bigger)
    return false;
  *list = bigger;
  *room = *room ? 2 * *room : 16;
  return true;
}

/* Moves the list to the front of its memory when half of that is unused. */
static void compact(struct ut_resends *resends) {
  if (resends->first <= resends->room / 2)
    return;
  resends->end -= resends->first;
  memmove(resends->waiting, resends->waiting + resends->first, resends->end * sizeof *resends->waiting);
  resends->first = 0;
}

/* Makes the source send nothing to that destination, from the time at which it learns of the loss. */
static void stop(struct ut_resends *resends, const struct ut_departure *departure, uint64_t cycle) {
  struct ut_stops *stops = &resends->stops[departure->src];
  size_t i = 0;
  while (i < stops->count && stops->stop[i].dst != departure->record.dst)
    i++;
  if (i == stops->room) {
    struct ut_stop *bigger = realloc(stops->stop, (i ? 2 * i : 4) * sizeof *bigger);
    resends->failure |= !bigger;
    if (!bigger)
      return;
    stops->stop = bigger;
    stops->room = i ? 2 * i : 4;
  }
  stops->count += i == stops->count;
  const uint64_t from = cycle + resends->after;
  stops->stop[i] = (struct ut_stop){from, from + resends->stop_cycles, departure->record.dst};
}

static void give_up(struct ut_resends *resends, const struct ut_departure *departure, uint64_t cycle) {
  resends->given_up++;
  if (resends->stops)
    stop(resends, departure, cycle);
}

static void hear(struct ut_resends *resends, const struct ut_departure *departure, uint64_t cycle) {
  if (departure->reason == UT_DELIVERED) {
    resends->delivered += departure->record.again != 0;
    return;
  }
  if (departure->record.again == UT_STOPPED) {
    resends->stopped++;
    return;
  }
  if (!ut_resend_hears(resends->told_only, departure->reason))
    return;
  resends->notices++;
  if (departure->record.again >= resends->limit) {
    give_up(resends, departure, cycle);
    return;
  }
  compact(resends);
  if (!extend(resends, &resends->waiting, resends->end, &resends->room))
    return;
  struct ut_resend *resend = &resends->waiting[resends->end++];
  *resend = (struct ut_resend){cycle + resends->after, departure->sequence, departure->record, departure->src};
  resend->record.again++;
  resend->record.live = true;
}

static int by_source(const void *left, const void *right) {
  const struct ut_resend *a = left, *b = right;
  if (a->src != b->src)
    return a->src < b->src ? -1 : 1;
  return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

static void hear_departures(struct ut_resends *resends, struct ut_terminals *terminals, uint64_t cycle) {
  const size_t before = resends->end - resends->first;
  for (struct ut_terminal_range *range = terminals->range; range != terminals->range + terminals->ranges; range++) {
    for (size_t i = 0; i < range->departures.count; i++)
      hear(resends, &range->departures.list[i], cycle);
    if (!terminals->shared)
      range->departures.count = 0;
  }
  const size_t heard = resends->end - resends->first - before;
  if (heard > 1)
    qsort(resends->waiting + resends->end - heard, heard, sizeof *resends->waiting, by_source);
}

void ut_resends_step(struct ut_resends *resends, struct ut_terminals *terminals, uint64_t cycle) {
  hear_departures(resends, terminals, cycle);
  const unsigned next = (cycle + 1) % 2;
  struct ut_resend_list *list = &resends->now[next];
  list->cycle = cycle + 1;
  list->count = 0;
  for (; resends->first < resends->end && resends->waiting[resends->first].cycle <= cycle + 1; resends->first++) {
    if (!extend(resends, &list->resend, list->count, &resends->now_room[next]))
      return;
    list->resend[list->count++] = resends->waiting[resends->first];
    resends->resent++;
  }
}

uint64_t ut_resends_next_cycle(const struct ut_resends *resends, uint64_t cycle) {
  const struct ut_resend_list *list = &resends->now[cycle % 2];
  if (list->count && list->cycle == cycle)
    return cycle;
  return resends->first < resends->end ? resends->waiting[resends->first].cycle - 1 : UINT64_MAX;
}
