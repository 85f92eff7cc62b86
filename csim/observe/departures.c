/* SPDX-License-Identifier: Apache-2.0 */
/* departures.c - see departures.h */
#include "departures.h"

#include <stdlib.h>

void ut_departures_watch(struct ut_network *net) {
  net->terminals.watched = net->terminals.shared = true;
}

static int by_source_and_number(const void *left, const void *right) {
  const struct ut_departure *a = left, *b = right;
  if (a->src != b->src)
    return a->src < b->src ? -1 : 1;
  return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

bool ut_departures_take(struct ut_departures *departures, struct ut_network *net) {
  departures->count = 0;
  for (struct ut_terminal_range *range = net->terminals.range; range != net->terminals.range + net->terminals.ranges;
       range++) {
    for (size_t i = 0; i < range->departures.count; i++)
      if (!ut_departures_add(departures, &range->departures.list[i]))
        return false;
    range->departures.count = 0;
  }
  if (departures->count > 1)
    qsort(departures->list, departures->count, sizeof *departures->list, by_source_and_number);
  return true;
}
