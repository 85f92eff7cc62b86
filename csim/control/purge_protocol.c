/* SPDX-License-Identifier: Apache-2.0 */
/* purge_protocol.c - see purge_protocol.h */
#include "purge_protocol.h"

#include <stdlib.h>

#include "distance.h"
#include "layout.h"

/* Returns the hops between the switches that are farthest apart, as seen from the first one, which is a corner if there
 * are corners. */
static unsigned across(const struct ut_topology *topo) {
  uint16_t *distance = malloc(topo->switches * sizeof *distance);
  unsigned most = 0;
  if (!distance || !ut_distances(topo, NULL, 0, distance)) {
    free(distance);
    return topo->switches; /* out of memory: wait longer */
  }
  for (uint32_t i = 0; i < topo->switches; i++)
    most = distance[i] > most ? distance[i] : most;
  free(distance);
  return most;
}

void ut_purge_init(struct ut_purge_protocol *protocol, const struct ut_node_availability *availability,
                   unsigned link_cycles, unsigned timeout) {
  *protocol = (struct ut_purge_protocol){.availability = availability,
                                         .next_cycle = UINT64_MAX,
                                         .due = UINT64_MAX,
                                         .settle = 2 * across(availability->topology) *
                                                   (link_cycles + 2), /* one state change causes the next: a hop each */
                                         .dwell = 4 * (link_cycles + UT_MAX_ROUTE_CYCLES + 2),
                                         .timeout = timeout};
}

void ut_purge_tell(struct ut_purge_protocol *protocol, uint64_t cycle, bool up) {
  protocol->next = 0;
  protocol->anew |= up;
  if (protocol->anew || !protocol->stopped) /* otherwise the states resume when the last reports have arrived, and not
                                               before */
    protocol->due = cycle + (protocol->anew ? 1 : protocol->settle);
  if (!protocol->word)
    protocol->next_cycle = protocol->due;
}

/* Stops the states, or resumes them when the last reports have arrived. */
static uint64_t restart(struct ut_purge_protocol *protocol, uint64_t cycle) {
  protocol->stopped = protocol->anew;
  protocol->anew = false;
  protocol->due = cycle + (protocol->stopped ? protocol->dwell : protocol->settle);
  return ut_order_make(0, protocol->stopped ? UT_ORDER_KIND_RESTART : UT_ORDER_KIND_RESUME);
}

/* Refuses the next terminal; after the last one accepts again; then purges. */
static uint64_t order(struct ut_purge_protocol *protocol, uint64_t cycle) {
  const uint32_t terminals = protocol->availability->topology->terminals;
  while (protocol->next < terminals && protocol->availability->serves[protocol->next])
    protocol->next++;
  const uint32_t now = protocol->next++;
  protocol->due = cycle + (now < terminals ? protocol->dwell : protocol->timeout);
  if (now == terminals + UT_PURGE_ORDERS || (now == terminals && !protocol->timeout))
    protocol->due = UINT64_MAX;
  if (now < terminals)
    return ut_order_make((uint16_t)now, UT_ORDER_KIND_REFUSE);
  return ut_order_make(0, now == terminals ? UT_ORDER_KIND_ACCEPT : UT_ORDER_KIND_PURGE);
}

void ut_purge_step(struct ut_purge_protocol *protocol, uint64_t cycle) {
  if (protocol->word) { /* a word is valid for one cycle */
    protocol->word = 0;
    protocol->next_cycle = protocol->due;
    return;
  }
  protocol->next_cycle = cycle + 1;
  protocol->word = protocol->anew || protocol->stopped ? restart(protocol, cycle) : order(protocol, cycle);
}
