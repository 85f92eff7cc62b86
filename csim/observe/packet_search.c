/* SPDX-License-Identifier: Apache-2.0 */
/* packet_search.c - see packet_search.h */
#include "packet_search.h"

#include <stdlib.h>

#include "registers.h"
#include "ways.h"

void ut_packet_search_free(struct ut_packet_search *search) {
  free(search->seen);
  search->seen = NULL;
}

/* ---- U-turns */

/* Returns the packet with that header among those that its source has in the network. */
static bool identify(const struct ut_network *net, uint64_t header, struct ut_packet_id *id) {
  const struct ut_terminal *terminal = &net->terminals.terminal[ut_header_src(header)];
  for (uint64_t i = terminal->base + (uint8_t)(ut_header_tag(header) - terminal->base); i < terminal->injected;
       i += 256)
    if (terminal->record[i & terminal->mask].live &&
        terminal->record[i & terminal->mask].dst == ut_header_dst(header)) {
      *id = (struct ut_packet_id){ut_header_src(header), i};
      return true;
    }
  return false;
}

static void add(struct ut_packet_search *search, const struct ut_network *net, const uint64_t *flit) {
  if (flit && ut_flit_tag(flit[net->words]) & UT_KIND_HEAD &&
      identify(net, flit[0], &search->candidate[search->candidates]))
    search->candidates++;
}

/* Collects the heads that a switch has just sent upwards: those on a wire, or at the ends of output queues. */
static void collect(struct ut_packet_search *search, const struct ut_network *net) {
  const struct ut_topology *topo = net->topology;
  UT_FOR_EACH (op, (ut_mask)ut_topology_up_ports(topo, search->sw)) {
    const uint32_t channel = search->sw * topo->po + op;
    const struct ut_peer *peer = &topo->peer[channel];
    if (peer->kind != UT_PEER_SWITCH)
      continue;
    if (!net->shape->output_depth)
      add(search, net, ut_network_flit_at(net, net->cycle + ut_network_link_cycles(net, channel) - 1, peer));
    for (unsigned v = 0; v < net->v; v++) {
      const unsigned queued =
          ut_reg_queue_count(ut_network_group(net, search->sw), ut_network_switch(net, search->sw), op, v);
      if (queued)
        add(search, net,
            ut_reg_queue_peek(ut_network_group(net, search->sw), ut_network_switch(net, search->sw), op, v,
                              queued - 1));
    }
  }
}

static void find_u_turn(struct ut_packet_search *search, const struct ut_network *net) {
  for (uint32_t i = 0; !search->any && net->terminals.accounts.injected && i < net->topology->terminals; i++)
    if (net->terminals.terminal[i].injected) {
      search->any = true;
      search->first.src = i;
    }
  for (uint32_t i = 0; i < net->topology->switches && !search->candidates; i++)
    if (ut_network_switch(net, i)->u_turns) {
      search->sw = i;
      search->cycle = net->cycle;
      collect(search, net);
    }
}

bool ut_packet_search_is(const struct ut_packet_search *search, const struct ut_journey *journey) {
  for (size_t i = 0; i < journey->hops; i++) {
    const struct ut_hop *hop = &journey->hop[i];
    if (hop->from_above && hop->goes_up && hop->sw == search->sw && hop->switched == search->cycle)
      return true;
  }
  return false;
}

/* ---- planned routes */

static bool uses_mechanism(const struct ut_path *path) {
  if (!path || !path->headers)
    return false;
  const struct ut_leg first = ut_leg_of(path->rt[0]);
  return path->headers > 1 || first.deterministic || first.misroutes;
}

/* Notes a packet that its source has taken from its queue.  A packet without a route never gets onto a wire. */
static void look_at(struct ut_packet_search *search, const struct ut_network *net, uint32_t src, uint64_t sequence) {
  const struct ut_terminal *terminal = &net->terminals.terminal[src];
  const struct ut_paths *paths = net->terminals.paths;
  const struct ut_path *path =
      paths ? ut_paths_find(paths, src, terminal->record[sequence & terminal->mask].dst) : NULL;
  const struct ut_packet_id id = {src, sequence};
  if (!search->any || (search->no_route && (!path || path->headers))) {
    search->first = id;
    search->any = true;
    search->no_route = path && !path->headers;
  }
  if (!search->candidates && uses_mechanism(path))
    search->candidate[search->candidates++] = id;
}

/* At most one packet of a source a cycle. */
static void find_planned(struct ut_packet_search *search, const struct ut_network *net) {
  const uint32_t terminals = net->topology->terminals;
  if (!search->seen && !(search->seen = calloc(terminals, sizeof *search->seen))) {
    search->failure = true;
    return;
  }
  for (uint32_t i = 0; i < terminals; i++)
    for (; search->seen[i] < net->terminals.terminal[i].injected; search->seen[i]++)
      look_at(search, net, i, search->seen[i]);
}

bool ut_packet_search_observe(struct ut_packet_search *search, const struct ut_network *net) {
  const bool turns = search->turned = ut_can_turn(net->topology);
  (turns ? find_u_turn : find_planned)(search, net);
  return search->candidates > 0 || search->failure || (search->any && !turns && !net->terminals.paths);
}
