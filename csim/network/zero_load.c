/* SPDX-License-Identifier: Apache-2.0 */
/* zero_load.c - see zero_load.h */
#include "zero_load.h"

#include <stdlib.h>
#include <string.h>

#include "network.h"

#define NO_PATH UINT32_MAX

/* The injection links of a switch's terminals: cycles beyond the first one. */
struct home {
  uint32_t terminals, slowest; /* the terminal with the longest link */
  uint64_t sum, most, second;  /* second: without that terminal */
};

struct search {
  const struct ut_network *net;
  struct home *home; /* [switches] */
  uint32_t *cycles;  /* [switches]: from the first switch's input to that one's; NO_PATH: none */
  uint32_t *queue;   /* [switches]: whose neighbours are looked at */
  bool *queued;      /* [switches] */
};

/* Cycles of a channel beyond the first one, which is part of a hop. */
static uint64_t extra(const struct ut_network *net, uint32_t channel) {
  return ut_network_link_cycles(net, channel) - 1;
}

static void find_homes(struct search *search) {
  const struct ut_topology *topo = search->net->topology;
  for (uint32_t i = 0; i < topo->terminals; i++) {
    const uint32_t channel = ut_topology_injection(topo, i, 0);
    struct home *home = &search->home[topo->peer[channel].index];
    const uint64_t cycles = extra(search->net, channel);
    if (!home->terminals++ || cycles > home->most) {
      home->second = home->most;
      home->most = cycles;
      home->slowest = i;
    } else if (cycles > home->second) {
      home->second = cycles;
    }
    home->sum += cycles;
  }
}

/* Fills search->cycles: a switch is looked at again when a faster way to it is found. */
static void spread(struct search *search, uint32_t from) {
  const struct ut_topology *topo = search->net->topology;
  const uint32_t hop = ut_shape_hop(search->net->shape);
  uint32_t first = 0, waiting = 1;
  memset(search->cycles, 0xff, topo->switches * sizeof *search->cycles); /* NO_PATH */
  search->cycles[from] = 0;
  search->queue[0] = from;
  for (; waiting; waiting--) {
    const uint32_t sw = search->queue[first];
    first = (first + 1) % topo->switches;
    search->queued[sw] = false;
    for (uint32_t channel = sw * topo->po; channel < (sw + 1) * topo->po; channel++) {
      const struct ut_peer *peer = &topo->peer[channel];
      const uint32_t cycles = search->cycles[sw] + hop + (uint32_t)extra(search->net, channel);
      if (peer->kind != UT_PEER_SWITCH || cycles >= search->cycles[peer->index])
        continue;
      search->cycles[peer->index] = cycles;
      if (search->queued[peer->index])
        continue;
      search->queued[peer->index] = true;
      search->queue[(first + waiting++ - 1) % topo->switches] = peer->index;
    }
  }
}

/* Adds the pairs of the terminals of a switch and one terminal; fixed: cycles that all packets take. */
static void add(struct ut_zero_load *load, const struct search *search, uint32_t from, uint32_t to, uint64_t fixed) {
  const struct ut_topology *topo = search->net->topology;
  const struct home *home = &search->home[from];
  const uint32_t channel = topo->ejection[(size_t)to * topo->ejections], last = channel / topo->po;
  const uint32_t own = ut_topology_injection(topo, to, 0);
  const bool itself = topo->peer[own].index == from;
  const uint64_t count = home->terminals - itself;
  if (search->cycles[last] == NO_PATH || !count)
    return;
  const uint64_t way = fixed + search->cycles[last] + extra(search->net, channel);
  const uint64_t most = way + (home->slowest == to ? home->second : home->most);
  load->mean += (double)(way * count + home->sum - (itself ? extra(search->net, own) : 0));
  load->most = most > load->most ? most : load->most;
  load->pairs += count;
}

static void find(struct ut_zero_load *load, struct search *search, unsigned flits) {
  const struct ut_topology *topo = search->net->topology;
  /* onto the wire, through the last switch, and the flits behind the head */
  const uint64_t fixed = 1 + ut_shape_hop(search->net->shape) + flits - 1;
  find_homes(search);
  for (uint32_t from = 0; from < topo->switches; from++) {
    if (!search->home[from].terminals)
      continue;
    spread(search, from);
    for (uint32_t to = 0; to < topo->terminals; to++)
      add(load, search, from, to, fixed);
  }
  load->mean /= load->pairs ? (double)load->pairs : 1;
}

bool ut_zero_load_find(struct ut_zero_load *load, const struct ut_network *net, unsigned flits) {
  const uint32_t switches = net->topology->switches;
  struct search search = {.net = net,
                          .home = calloc(switches, sizeof *search.home),
                          .cycles = malloc(switches * sizeof *search.cycles),
                          .queue = malloc(switches * sizeof *search.queue),
                          .queued = calloc(switches, sizeof *search.queued)};
  const bool memory = search.home && search.cycles && search.queue && search.queued;
  *load = (struct ut_zero_load){.mean = 0};
  if (memory)
    find(load, &search, flits);
  free(search.home);
  free(search.cycles);
  free(search.queue);
  free(search.queued);
  return memory;
}
