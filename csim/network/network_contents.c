/* SPDX-License-Identifier: Apache-2.0 */
/* network_contents.c - counts what is in a network: on its wires and in the model's switches. */
#include "network_parts.h"

#include <string.h>

#include "node_states.h"
#include "registers.h"

uint32_t ut_network_lane(const struct ut_network *net, const struct ut_peer *peer, unsigned vc) {
  if (peer->kind == UT_PEER_TERMINAL)
    return net->wires.terminals + (peer->index * net->terminals.links + peer->port) * net->v + vc;
  const unsigned e = ut_topology_elaboration(net->topology, peer->index);
  return net->lane[e] + ((peer->index - net->topology->elaboration[e].first) << net->form[e].each_bits |
                         vc << net->form[e].port_bits | peer->port);
}

unsigned ut_network_ahead(const struct ut_network *net, const struct ut_link_delay *list, uint32_t lane) {
  const struct ut_link_delay *delay = ut_link_delay_of(&net->delays, list, lane);
  return net->wires.slots + (delay ? delay->cycles : 0);
}
/* The byte in the line of a longer link; NULL: the wire has it, `*cycles` cycles from the end of the wire. */
static uint8_t *in_delay(const struct ut_network *net, const struct ut_link_delay *list, unsigned *cycles,
                         uint32_t lane) {
  const struct ut_link_delay *delay = *cycles ? ut_link_delay_of(&net->delays, list, lane) : NULL;
  if (delay && *cycles <= delay->cycles)
    return &net->delays.byte[delay->first + (net->cycle + *cycles) % delay->cycles];
  *cycles -= delay ? delay->cycles : 0;
  return NULL;
}
uint8_t *ut_network_flit_coming(const struct ut_network *net, unsigned cycles, uint32_t lane) {
  uint8_t *byte = in_delay(net, net->delays.flit, &cycles, lane);
  return byte ? byte : ut_network_flit_in(net, cycles, lane);
}
uint8_t *ut_network_credit_coming(const struct ut_network *net, unsigned cycles, uint32_t lane) {
  uint8_t *byte = in_delay(net, net->delays.credit, &cycles, lane);
  return byte ? byte : ut_network_credit_in(net, cycles, lane);
}

unsigned ut_network_flits_under_way(const struct ut_network *net, uint32_t to) {
  const unsigned ahead = ut_network_ahead(net, net->delays.flit, to);
  unsigned count = 0;
  for (unsigned i = 0; i < ahead; i++)
    count += *ut_network_flit_coming(net, i, to) != 0;
  return count;
}
const uint64_t *ut_network_flit_under_way(const struct ut_network *net, uint32_t to, unsigned index) {
  const struct ut_wires *wires = &net->wires;
  const unsigned next = ut_position_at(wires->send, wires->from[to], wires->wide), ring = 2 * wires->depth;
  return ut_wires_flit(wires, to, (next + ring - ut_network_flits_under_way(net, to) + index) % ring);
}

bool ut_network_credit_comes(const struct ut_network *net, const struct ut_peer *sender, unsigned vc) {
  const uint32_t lane = ut_network_lane(net, sender, vc);
  const unsigned ahead = ut_network_ahead(net, net->delays.credit, lane);
  bool any = false;
  for (unsigned i = 0; i < ahead; i++)
    any |= *ut_network_credit_coming(net, i, lane) != 0;
  return any;
}

bool ut_network_flit_comes(const struct ut_network *net, const struct ut_peer *to) {
  bool any = false;
  for (unsigned v = 0; v < net->v; v++)
    any |= ut_network_flits_under_way(net, ut_network_lane(net, to, v)) != 0;
  return any;
}

const uint64_t *ut_network_flit_at(const struct ut_network *net, uint64_t cycle, const struct ut_peer *to) {
  for (unsigned v = 0; v < net->v; v++) {
    const uint32_t lane = ut_network_lane(net, to, v);
    unsigned index = 0;
    if (!*ut_network_flit_coming(net, (unsigned)(cycle - net->cycle), lane))
      continue;
    for (unsigned i = 0; i < cycle - net->cycle; i++)
      index += *ut_network_flit_coming(net, i, lane) != 0;
    return ut_network_flit_under_way(net, lane, index);
  }
  return NULL;
}

const uint8_t *ut_network_sent(const struct ut_network *net, unsigned cycles, uint8_t *row) {
  const uint8_t *wire = net->wires.flits[ut_wires_slot(&net->wires, net->cycle - 1 + cycles)];
  if (!net->delays.count)
    return wire;
  memcpy(row, wire, net->wires.lanes);
  for (size_t i = 0; i < net->delays.count; i++) {
    const struct ut_link_delay *delay = &net->delays.flit[i];
    row[delay->lane] = *ut_network_flit_coming(net, delay->wire + delay->cycles - 1, delay->lane);
  }
  return row;
}

bool ut_network_wires_agree(const struct ut_network *a, const struct ut_network *b) {
  const size_t lanes = a->wires.lanes, switches = a->topology->switches;
  bool agree = !memcmp(a->report, b->report, switches * a->reports * sizeof *a->report) &&
               !memcmp(a->reported, b->reported, switches * sizeof *a->reported) && a->notices == b->notices &&
               (!a->delays.bytes || !memcmp(a->delays.byte, b->delays.byte, a->delays.bytes));
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

/* Returns the flits in the output queues of a block that have any of these tag bits; 0: all flits. */
static uint64_t flits_in_queues(const struct ut_block *block, unsigned tag, const struct ut_form form) {
  uint64_t flits = 0;
  if (!form.output_depth)
    return 0;
  UT_FOR_EACH_LANE (o, ut_register(block, UT_S_QUEUED, form), form.sets) {
    const unsigned count = UT_IN_BLOCK(uint8_t, block, form.at_queue_count)[o];
    unsigned place = UT_IN_BLOCK(uint8_t, block, form.at_queue_read)[o];
    for (unsigned i = 0; i < count; i++, place = place + 1 < form.output_depth ? place + 1 : 0) {
      const uint64_t *flit =
          UT_IN_BLOCK(uint64_t, block, form.at_queue) + (o * form.output_depth + place) * (form.words + 1);
      flits += !tag || flit[form.words] & tag;
    }
  }
  return flits;
}

/* Returns the heads in buffers and queues of the model's switches, without those of packets that are being drained:
 * these have been counted as discarded. */
static uint64_t heads_in_group(const struct ut_network *net, const struct ut_group *group) {
  const struct ut_form form = group->form;
  const struct ut_wires *wires = &net->wires;
  uint64_t heads = 0;
  for (uint32_t i = 0; i < group->blocks; i++) {
    const struct ut_block *block = ut_block_at(group, i, form);
    const uint64_t *drain = ut_register(block, UT_S_DRAIN, form), *stripped = ut_register(block, UT_S_STRIPPED, form);
    UT_FOR_EACH_LANE (lane, ut_register(block, UT_S_OCCUPIED, form), form.sets) {
      const uint32_t at = block->lane + (uint32_t)lane;
      const unsigned end = ut_position_at(wires->write, at, form.wide);
      unsigned p = ut_position_at(UT_IN_BLOCK(void, block, form.at_rd), lane, form.wide);
      const uint64_t front = ut_wires_flit(wires, at, p)[form.words];
      if (ut_has(drain, lane, form.sets))
        heads -= front & UT_KIND_HEAD;
      else if (ut_has(stripped, lane, form.sets))
        heads += !(front & (UT_KIND_HEAD | UT_BAD));
      for (; p != end; p = ut_position_next(p, form.depth))
        heads += ut_wires_flit(wires, at, p)[form.words] & UT_KIND_HEAD;
    }
    heads += flits_in_queues(block, UT_KIND_HEAD, form);
  }
  return heads;
}

uint64_t ut_network_buffered(const struct ut_network *net) {
  const struct ut_wires *wires = &net->wires;
  uint64_t flits = 0;
  for (const struct ut_group *group = net->group; group != net->group + net->topology->elaborations; group++) {
    const struct ut_form form = group->form;
    for (uint32_t i = 0; i < group->blocks; i++) {
      const struct ut_block *block = ut_block_at(group, i, form);
      UT_FOR_EACH_LANE (lane, ut_register(block, UT_S_OCCUPIED, form), form.sets)
        flits += ut_position_count(ut_position_at(UT_IN_BLOCK(void, block, form.at_rd), lane, form.wide),
                                   ut_position_at(wires->write, block->lane + (uint32_t)lane, form.wide), form.depth);
      flits += flits_in_queues(block, 0, form);
    }
  }
  return flits;
}

/* Returns the heads on the wires. */
static uint64_t heads_on_wires(const struct ut_network *net) {
  const struct ut_wires *wires = &net->wires;
  uint64_t heads = 0, word;
  for (size_t i = 0; i < net->delays.count; i++)
    for (unsigned j = 0; j < net->delays.flit[i].cycles; j++)
      heads += net->delays.byte[net->delays.flit[i].first + j] & UT_KIND_HEAD;
  for (unsigned i = 0; i < wires->slots; i++)
    for (uint32_t lane = 0; lane < wires->lanes; lane += 8) {
      memcpy(&word, wires->flits[i] + lane, 8);
      heads += (unsigned)__builtin_popcountll(word & UINT64_C(0x0101010101010101) * UT_KIND_HEAD);
    }
  return heads;
}

uint64_t ut_network_in_flight(const struct ut_network *net) {
  uint64_t heads = ut_terminals_receiving(&net->terminals) + heads_on_wires(net);
  for (unsigned i = 0; i < net->topology->elaborations; i++)
    heads += heads_in_group(net, &net->group[i]);
  return heads;
}

bool ut_network_states_agree(const struct ut_network *net) {
  bool agree = true;
  for (uint32_t i = 0; i < net->topology->switches && net->availability.serves; i++) {
    const struct ut_node_states *own = ut_node_states_of(ut_network_group(net, i), ut_network_switch(net, i));
    const uint8_t state = net->availability.model.state[i];
    if (state != UT_NODE_FAULTY)
      agree &= own->unsafe == (state != UT_NODE_SAFE) && own->disabled == (state == UT_NODE_DISABLED);
  }
  return agree;
}
