/* SPDX-License-Identifier: Apache-2.0 */
/* slow_links.c - see slow_links.h */
#include "slow_links.h"

#include <stdlib.h>

#include "network_parts.h"

static unsigned usual_cycles(const struct ut_network *net, uint32_t channel) {
  const struct ut_topology *topo = net->topology;
  return channel >= topo->switches * topo->po                 ? net->injection_cycles
         : topo->peer[channel].kind == UT_PEER_TERMINAL ? net->ejection_cycles
                                                        : net->link_cycles;
}

unsigned ut_network_extra_cycles(const struct ut_network *net, uint32_t channel) {
  const uint8_t *cycles = net->topology->cycles;
  return cycles && cycles[channel] ? cycles[channel] - usual_cycles(net, channel) : 0;
}

void ut_slow_links_measure(struct ut_network *net) {
  for (uint32_t i = 0; net->topology->cycles && i < net->topology->channels; i++) {
    const unsigned extra = ut_network_extra_cycles(net, i);
    net->slow.longest = extra > net->slow.longest ? extra : net->slow.longest;
    net->slow.count += extra ? net->v : 0;
  }
}

bool ut_slow_links_init(struct ut_network *net) {
  const struct ut_topology *topo = net->topology;
  if (!net->slow.count)
    return true;
  struct ut_slow_link *link = net->slow.link = calloc(net->slow.count, sizeof *link);
  for (uint32_t i = 0; link && i < topo->channels; i++) {
    const struct ut_peer from = ut_topology_sender(topo, i), *to = &topo->peer[i];
    const unsigned extra = ut_network_extra_cycles(net, i);
    for (unsigned v = 0; extra && v < net->v; v++)
      *link++ = (struct ut_slow_link){
          .to = ut_network_lane(net, to, v),
          .from = ut_network_lane(net, &from, v),
          .flits = (uint8_t)((from.kind == UT_PEER_TERMINAL ? net->injection_cycles : net->link_cycles) - 1),
          .credits = (uint8_t)((to->kind == UT_PEER_TERMINAL ? net->ejection_cycles : net->link_cycles) - 1),
          .extra = (uint8_t)extra};
  }
  return net->slow.link != NULL;
}

void ut_slow_links_fini(struct ut_slow_links *slow) {
  free(slow->link);
  *slow = (struct ut_slow_links){0};
}

/* Moves what comes to a lane in so many cycles, as the sender counts them. */
static void move(const struct ut_wires *wires, uint8_t **slots, uint64_t cycle, unsigned extra, uint32_t lane) {
  uint8_t *now = slots[ut_wires_slot(wires, cycle)] + lane;
  if (!*now)
    return;
  slots[ut_wires_slot(wires, cycle + extra)][lane] = *now;
  *now = 0;
}

void ut_slow_links_step(struct ut_network *net) {
  for (size_t i = 0; i < net->slow.count; i++) {
    const struct ut_slow_link *link = &net->slow.link[i];
    move(&net->wires, net->wires.flits, net->cycle + link->flits, link->extra, link->to);
    move(&net->wires, net->wires.credits, net->cycle + link->credits, link->extra, link->from);
  }
}
