/* SPDX-License-Identifier: Apache-2.0 */
/* link_delays.c - see link_delays.h */
#include "link_delays.h"

#include <stdlib.h>
#include <string.h>

#include "network_parts.h"

static int by_lane(const void *a, const void *b) {
  const struct ut_link_delay *x = a, *y = b;
  return x->lane < y->lane ? -1 : x->lane > y->lane;
}

/* Adds the lanes of a channel. */
static void add(struct ut_link_delays *delays, const struct ut_network *net, uint32_t channel) {
  const struct ut_peer from = ut_topology_sender(net->topology, channel), *to = &net->topology->peer[channel];
  const unsigned cycles = net->topology->extra_cycles[channel], wire = ut_network_link_cycles(net, channel) - cycles;
  for (unsigned v = 0; v < net->v && cycles; v++) {
    delays->flit[delays->count] = (struct ut_link_delay){ut_network_lane(net, to, v), cycles, wire, delays->bytes};
    delays->credit[delays->count++] =
        (struct ut_link_delay){ut_network_lane(net, &from, v), cycles, wire, delays->bytes + cycles};
    delays->bytes += 2 * cycles;
  }
  delays->longest = cycles && wire + cycles > delays->longest ? wire + cycles : delays->longest;
}

bool ut_link_delays_init(struct ut_link_delays *delays, const struct ut_network *net) {
  const struct ut_topology *topo = net->topology;
  *delays = (struct ut_link_delays){.count = 0};
  if (!topo->extra_cycles)
    return true;
  delays->flit = calloc((size_t)topo->channels * net->v + 1, sizeof *delays->flit);
  delays->credit = calloc((size_t)topo->channels * net->v + 1, sizeof *delays->credit);
  if (!delays->flit || !delays->credit)
    return false;
  for (uint32_t i = 0; i < topo->channels; i++)
    add(delays, net, i);
  qsort(delays->flit, delays->count, sizeof *delays->flit, by_lane);
  qsort(delays->credit, delays->count, sizeof *delays->credit, by_lane);
  delays->byte = calloc(delays->bytes + 1, 1);
  return delays->byte != NULL;
}

void ut_link_delays_fini(struct ut_link_delays *delays) {
  free(delays->flit);
  free(delays->credit);
  free(delays->byte);
  *delays = (struct ut_link_delays){.count = 0};
}

static void exchange(uint8_t *wire, const struct ut_link_delays *delays, const struct ut_link_delay *delay,
                     uint64_t cycle) {
  uint8_t *byte = &delays->byte[delay->first + cycle % delay->cycles], arrives = *byte;
  *byte = *wire;
  *wire = arrives;
}

void ut_link_delays_step(struct ut_network *net) {
  const struct ut_link_delays *delays = &net->delays;
  for (size_t i = 0; i < delays->count; i++)
    exchange(ut_network_flit_in(net, 0, delays->flit[i].lane), delays, &delays->flit[i], net->cycle);
  for (size_t i = 0; i < delays->count; i++)
    exchange(ut_network_credit_in(net, 0, delays->credit[i].lane), delays, &delays->credit[i], net->cycle);
}

bool ut_link_delays_rest(const struct ut_link_delays *delays) {
  for (size_t i = 0; i < delays->bytes; i++)
    if (delays->byte[i])
      return false;
  return true;
}

const struct ut_link_delay *ut_link_delay_of(const struct ut_link_delays *delays, const struct ut_link_delay *list,
                                             uint32_t lane) {
  const struct ut_link_delay key = {.lane = lane};
  return delays->count ? bsearch(&key, list, delays->count, sizeof key, by_lane) : NULL;
}
