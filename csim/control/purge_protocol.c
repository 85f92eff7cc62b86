/* SPDX-License-Identifier: Apache-2.0 */
/* purge_protocol.c - see purge_protocol.h */
#include "purge_protocol.h"

#include <stdlib.h>

#include "distance.h"
#include "layout.h"

/* Hops between the switches that are farthest apart, as seen from the first one, which is a corner where there are
 * such. */
static unsigned across(const struct ut_topology *t) {
  uint16_t *distance = malloc(t->switches * sizeof *distance);
  unsigned most = 0;
  if (!distance || !ut_distances(t, NULL, 0, distance)) {
    free(distance);
    return t->switches; /* out of memory: wait longer */
  }
  for (uint32_t i = 0; i < t->switches; i++)
    most = distance[i] > most ? distance[i] : most;
  free(distance);
  return most;
}

void ut_purge_init(struct ut_purge_protocol *r, const struct ut_node_availability *availability, unsigned link_cycles,
                   unsigned timeout) {
  *r = (struct ut_purge_protocol){.availability = availability,
                                  .next_cycle = UINT64_MAX,
                                  .due = UINT64_MAX,
                                  .settle = 2 * across(availability->topology) *
                                            (link_cycles + 2), /* a state changes the next one: a hop each */
                                  .dwell = 4 * (link_cycles + UT_MAX_ROUTE_CYCLES + 2),
                                  .timeout = timeout};
}

void ut_purge_tell(struct ut_purge_protocol *r, uint64_t cycle, bool up) {
  r->next = 0;
  r->anew |= up;
  if (r->anew || !r->stopped) /* else they go on when the last reports have arrived, and not before */
    r->due = cycle + (r->anew ? 1 : r->settle);
  if (!r->word)
    r->next_cycle = r->due;
}

/* States are stopped, or go on when the last reports have arrived. */
static uint64_t restart(struct ut_purge_protocol *r, uint64_t cycle) {
  r->stopped = r->anew;
  r->anew = false;
  r->due = cycle + (r->stopped ? r->dwell : r->settle);
  return ut_order_make(0, r->stopped ? UT_ORDER_KIND_RESTART : UT_ORDER_KIND_RESUME);
}

/* The next terminal is refused; then none any more; then purges. */
static uint64_t order(struct ut_purge_protocol *r, uint64_t cycle) {
  const uint32_t terminals = r->availability->topology->terminals;
  while (r->next < terminals && r->availability->serves[r->next])
    r->next++;
  const uint32_t now = r->next++;
  r->due = cycle + (now < terminals ? r->dwell : r->timeout);
  if (now == terminals + UT_PURGE_ORDERS || (now == terminals && !r->timeout))
    r->due = UINT64_MAX;
  if (now < terminals)
    return ut_order_make((uint16_t)now, UT_ORDER_KIND_REFUSE);
  return ut_order_make(0, now == terminals ? UT_ORDER_KIND_ACCEPT : UT_ORDER_KIND_PURGE);
}

void ut_purge_step(struct ut_purge_protocol *r, uint64_t cycle) {
  if (r->word) { /* a word is there for one cycle */
    r->word = 0;
    r->next_cycle = r->due;
    return;
  }
  r->next_cycle = cycle + 1;
  r->word = r->anew || r->stopped ? restart(r, cycle) : order(r, cycle);
}
