/* SPDX-License-Identifier: Apache-2.0 */
/* packet_search.c - see packet_search.h */
#include "packet_search.h"

#include <stdlib.h>

#include "registers.h"
#include "ways.h"

void ut_packet_search_free(struct ut_packet_search *s) {
  free(s->seen);
  s->seen = NULL;
}

/* ---- U-turns */

/* The packet of that header among those that its source has in the network. */
static bool identify(const struct ut_network *n, uint64_t header, struct ut_packet_id *id) {
  const struct ut_terminal *t = &n->terminals.terminal[ut_header_src(header)];
  for (uint64_t i = t->base + (uint8_t)(ut_header_tag(header) - t->base); i < t->injected; i += 256)
    if (t->record[i & t->mask].live && t->record[i & t->mask].dst == ut_header_dst(header)) {
      *id = (struct ut_packet_id){ut_header_src(header), i};
      return true;
    }
  return false;
}

static void add(struct ut_packet_search *s, const struct ut_network *n, const uint64_t *flit) {
  if (flit && ut_flit_tag(flit[n->words]) & UT_KIND_HEAD && identify(n, flit[0], &s->candidate[s->candidates]))
    s->candidates++;
}

/* The heads that a switch has just sent upwards: those that are on a wire, or at the ends of output queues. */
static void collect(struct ut_packet_search *s, const struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  UT_FOR_EACH (op, (ut_mask)t->up_ports) {
    const struct ut_peer *p = &t->peer[(size_t)s->sw * t->po + op];
    if (p->kind != UT_PEER_SWITCH)
      continue;
    if (!n->shape->output_depth)
      add(s, n, ut_network_flit_at(n, n->cycle + n->link_cycles - 1, p));
    for (unsigned v = 0; v < n->v; v++) {
      const unsigned queued = ut_reg_queue_count(ut_network_group(n, s->sw), ut_network_switch(n, s->sw), op, v);
      if (queued)
        add(s, n, ut_reg_queue_peek(ut_network_group(n, s->sw), ut_network_switch(n, s->sw), op, v, queued - 1));
    }
  }
}

static void find_u_turn(struct ut_packet_search *s, const struct ut_network *n) {
  for (uint32_t i = 0; !s->any && n->terminals.accounts.injected && i < n->topology.terminals; i++)
    if (n->terminals.terminal[i].injected) {
      s->any = true;
      s->first.src = i;
    }
  for (uint32_t i = 0; i < n->topology.switches && !s->candidates; i++)
    if (ut_network_switch(n, i)->u_turns) {
      s->sw = i;
      s->cycle = n->cycle;
      collect(s, n);
    }
}

bool ut_packet_search_is(const struct ut_packet_search *s, const struct ut_journey *j) {
  for (size_t i = 0; i < j->hops; i++) {
    const struct ut_hop *h = &j->hop[i];
    if (h->from_above && h->goes_up && h->sw == s->sw && h->switched == s->cycle)
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

/* A packet that its source has taken from its queue.  One without a route never gets onto a wire. */
static void look_at(struct ut_packet_search *s, const struct ut_network *n, uint32_t src, uint64_t sequence) {
  const struct ut_terminal *t = &n->terminals.terminal[src];
  const struct ut_paths *paths = n->terminals.paths;
  const struct ut_path *path = paths ? ut_paths_find(paths, src, t->record[sequence & t->mask].dst) : NULL;
  const struct ut_packet_id id = {src, sequence};
  if (!s->any || (s->no_route && (!path || path->headers))) {
    s->first = id;
    s->any = true;
    s->no_route = path && !path->headers;
  }
  if (!s->candidates && uses_mechanism(path))
    s->candidate[s->candidates++] = id;
}

/* At most one packet of a source a cycle. */
static void find_planned(struct ut_packet_search *s, const struct ut_network *n) {
  const uint32_t terminals = n->topology.terminals;
  if (!s->seen && !(s->seen = calloc(terminals, sizeof *s->seen))) {
    s->failure = true;
    return;
  }
  for (uint32_t i = 0; i < terminals; i++)
    for (; s->seen[i] < n->terminals.terminal[i].injected; s->seen[i]++)
      look_at(s, n, i, s->seen[i]);
}

bool ut_packet_search_observe(struct ut_packet_search *s, const struct ut_network *n) {
  const bool turns = s->turned = ut_can_turn(&n->topology);
  (turns ? find_u_turn : find_planned)(s, n);
  return s->candidates > 0 || s->failure || (s->any && !turns && !n->terminals.paths);
}
