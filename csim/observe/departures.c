/* SPDX-License-Identifier: Apache-2.0 */
/* departures.c - see departures.h */
#include "departures.h"

#include <stdlib.h>

void ut_departures_watch(struct ut_network *n) {
  n->terminals.watched = n->terminals.shared = true;
}

static int by_source_and_number(const void *left, const void *right) {
  const struct ut_departure *a = left, *b = right;
  if (a->src != b->src)
    return a->src < b->src ? -1 : 1;
  return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

bool ut_departures_take(struct ut_departures *d, struct ut_network *n) {
  d->count = 0;
  for (struct ut_terminal_range *r = n->terminals.range; r != n->terminals.range + n->terminals.ranges; r++) {
    for (size_t i = 0; i < r->departures.count; i++)
      if (!ut_departures_add(d, &r->departures.list[i]))
        return false;
    r->departures.count = 0;
  }
  if (d->count > 1)
    qsort(d->list, d->count, sizeof *d->list, by_source_and_number);
  return true;
}
