/* SPDX-License-Identifier: Apache-2.0 */
/* network_contents.c - what is in a network, on its wires and in its golden switches. */
#include "network_parts.h"

#include <string.h>

#include "node_states.h"
#include "registers.h"

uint32_t ut_network_lane(const struct ut_network *n, const struct ut_peer *p, unsigned vc) {
  if (p->kind == UT_PEER_TERMINAL)
    return n->wires.terminals + (p->index * n->terminals.links + p->port) * n->v + vc;
  const unsigned e = ut_topology_elaboration(&n->topology, p->index);
  return n->lane[e] +
         ((p->index - n->topology.elaboration[e].first) << n->form[e].each_bits | vc << n->form[e].port_bits | p->port);
}

unsigned ut_network_flits_under_way(const struct ut_network *n, uint32_t to) {
  unsigned count = 0;
  for (unsigned i = 0; i < n->wires.slots; i++)
    count += *ut_network_flit_in(n, i, to) != 0;
  return count;
}
const uint64_t *ut_network_flit_under_way(const struct ut_network *n, uint32_t to, unsigned index) {
  const struct ut_wires *w = &n->wires;
  const unsigned next = ut_position_at(w->send, w->from[to], w->wide), ring = 2 * w->depth;
  return ut_wires_flit(w, to, (next + ring - ut_network_flits_under_way(n, to) + index) % ring);
}

bool ut_network_credit_comes(const struct ut_network *n, const struct ut_peer *sender, unsigned vc) {
  const uint32_t lane = ut_network_lane(n, sender, vc);
  bool any = false;
  for (unsigned i = 0; i < n->wires.slots; i++)
    any |= n->wires.credits[i][lane] != 0;
  return any;
}

bool ut_network_flit_comes(const struct ut_network *n, const struct ut_peer *to) {
  bool any = false;
  for (unsigned v = 0; v < n->v; v++)
    any |= ut_network_flits_under_way(n, ut_network_lane(n, to, v)) != 0;
  return any;
}

const uint64_t *ut_network_flit_at(const struct ut_network *n, uint64_t cycle, const struct ut_peer *to) {
  for (unsigned v = 0; v < n->v; v++) {
    const uint32_t lane = ut_network_lane(n, to, v);
    unsigned index = 0;
    if (!*ut_wires_flits(&n->wires, cycle, lane))
      continue;
    for (uint64_t c = n->cycle; c < cycle; c++)
      index += *ut_wires_flits(&n->wires, c, lane) != 0;
    return ut_network_flit_under_way(n, lane, index);
  }
  return NULL;
}

bool ut_network_wires_agree(const struct ut_network *a, const struct ut_network *b) {
  const size_t lanes = a->wires.lanes, switches = a->topology.switches;
  bool agree = !memcmp(a->report, b->report, switches * a->reports * sizeof *a->report) &&
               !memcmp(a->reported, b->reported, switches * sizeof *a->reported) && a->notices == b->notices;
  for (unsigned i = 0; i < a->wires.slots; i++)
    agree = agree && !memcmp(a->wires.flits[i] + UT_LANES, b->wires.flits[i] + UT_LANES, lanes - UT_LANES) &&
            !memcmp(a->wires.credits[i] + UT_LANES, b->wires.credits[i] + UT_LANES, lanes - UT_LANES);
  for (uint32_t lane = UT_LANES; lane < lanes && agree; lane++) {
    const unsigned count = a->wires.from[lane] ? ut_network_flits_under_way(a, lane) : 0;
    for (unsigned i = 0; i < count && agree; i++)
      agree = !memcmp(ut_network_flit_under_way(a, lane, i), ut_network_flit_under_way(b, lane, i),
                      (a->words + 1) * sizeof(uint64_t));
  }
  return agree;
}

/* Flits in the output queues of a block with any of these tag bits; 0: all. */
static uint64_t flits_in_queues(const struct ut_block *b, unsigned tag, const struct ut_form x) {
  uint64_t flits = 0;
  if (!x.output_depth)
    return 0;
  UT_FOR_EACH_LANE (o, ut_register(b, UT_S_QUEUED, x), x.sets) {
    const unsigned count = UT_IN_BLOCK(uint8_t, b, x.at_queue_count)[o];
    unsigned place = UT_IN_BLOCK(uint8_t, b, x.at_queue_read)[o];
    for (unsigned i = 0; i < count; i++, place = place + 1 < x.output_depth ? place + 1 : 0) {
      const uint64_t *flit = UT_IN_BLOCK(uint64_t, b, x.at_queue) + (o * x.output_depth + place) * (x.words + 1);
      flits += !tag || flit[x.words] & tag;
    }
  }
  return flits;
}

/* Heads in buffers and queues of golden switches; one that is being drained has been counted as discarded. */
static uint64_t heads_in_group(const struct ut_network *n, const struct ut_group *g) {
  const struct ut_form x = g->form;
  const struct ut_wires *w = &n->wires;
  uint64_t heads = 0;
  for (uint32_t i = 0; i < g->blocks; i++) {
    const struct ut_block *b = ut_block_at(g, i, x);
    const uint64_t *drain = ut_register(b, UT_S_DRAIN, x), *stripped = ut_register(b, UT_S_STRIPPED, x);
    UT_FOR_EACH_LANE (lane, ut_register(b, UT_S_OCCUPIED, x), x.sets) {
      const uint32_t at = b->lane + (uint32_t)lane;
      const unsigned end = ut_position_at(w->write, at, x.wide);
      unsigned p = ut_position_at(UT_IN_BLOCK(void, b, x.at_rd), lane, x.wide);
      const uint64_t front = ut_wires_flit(w, at, p)[x.words];
      if (ut_has(drain, lane, x.sets))
        heads -= front & UT_KIND_HEAD;
      else if (ut_has(stripped, lane, x.sets))
        heads += !(front & (UT_KIND_HEAD | UT_BAD));
      for (; p != end; p = ut_position_next(p, x.depth))
        heads += ut_wires_flit(w, at, p)[x.words] & UT_KIND_HEAD;
    }
    heads += flits_in_queues(b, UT_KIND_HEAD, x);
  }
  return heads;
}

uint64_t ut_network_buffered(const struct ut_network *n) {
  const struct ut_wires *w = &n->wires;
  uint64_t flits = 0;
  for (const struct ut_group *g = n->group; g != n->group + n->topology.elaborations; g++) {
    const struct ut_form x = g->form;
    for (uint32_t i = 0; i < g->blocks; i++) {
      const struct ut_block *b = ut_block_at(g, i, x);
      UT_FOR_EACH_LANE (lane, ut_register(b, UT_S_OCCUPIED, x), x.sets)
        flits += ut_position_count(ut_position_at(UT_IN_BLOCK(void, b, x.at_rd), lane, x.wide),
                                   ut_position_at(w->write, b->lane + (uint32_t)lane, x.wide), x.depth);
      flits += flits_in_queues(b, 0, x);
    }
  }
  return flits;
}

/* Heads on the wires. */
static uint64_t heads_on_wires(const struct ut_wires *w) {
  uint64_t heads = 0, word;
  for (unsigned i = 0; i < w->slots; i++)
    for (uint32_t lane = 0; lane < w->lanes; lane += 8) {
      memcpy(&word, w->flits[i] + lane, 8);
      heads += (unsigned)__builtin_popcountll(word & UINT64_C(0x0101010101010101) * UT_KIND_HEAD);
    }
  return heads;
}

uint64_t ut_network_in_flight(const struct ut_network *n) {
  uint64_t heads = ut_terminals_receiving(&n->terminals) + heads_on_wires(&n->wires);
  for (unsigned i = 0; i < n->topology.elaborations; i++)
    heads += heads_in_group(n, &n->group[i]);
  return heads;
}

bool ut_network_states_agree(const struct ut_network *n) {
  bool agree = true;
  for (uint32_t i = 0; i < n->topology.switches && n->availability.serves; i++) {
    const struct ut_node_states *own = ut_node_states_of(ut_network_group(n, i), ut_network_switch(n, i));
    const uint8_t state = n->availability.model.state[i];
    if (state != UT_NODE_FAULTY)
      agree &= own->unsafe == (state != UT_NODE_SAFE) && own->disabled == (state == UT_NODE_DISABLED);
  }
  return agree;
}
