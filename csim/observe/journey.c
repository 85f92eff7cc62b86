/* SPDX-License-Identifier: Apache-2.0 */
/* journey.c - see journey.h */
#include "journey.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "distance.h"
#include "fault_entry.h"
#include "node_states.h"
#include "registers.h"

void ut_journey_init(struct ut_journey *journey, uint32_t src, uint64_t sequence) {
  *journey = (struct ut_journey){.src = src, .sequence = sequence};
}

void ut_journey_free(struct ut_journey *journey) {
  free(journey->hop);
  journey->hop = NULL;
  journey->hops = journey->room = 0;
}

/* ---- reading the network */

/* stripped: the flit is a head whatever its tag says, unless it is the bad tail of a packet that was cut there. */
static bool is_head(const struct ut_journey *journey, const struct ut_network *net, const uint64_t *flit,
                    bool stripped) {
  const unsigned tag = ut_flit_tag(flit[net->words]);
  const uint64_t other = flit[0] ^ journey->key;
  return (tag & UT_KIND_HEAD || (stripped && !(tag & UT_BAD))) && !(ut_header_src(other) | ut_header_tag(other)) &&
         ut_paths_header_is_of(net->terminals.paths, journey->dst, flit[0]);
}

static unsigned vc_of(const struct ut_network *net, const uint64_t *flit) {
  return net->v > 1 ? ut_flit_vc(flit[net->words]) : 0;
}

/* Returns whether the flit at the front of the hop's buffer is a head because those before it were stripped. */
static bool is_stripped(const struct ut_network *net, const struct ut_hop *hop) {
  return ut_reg_stripped(ut_network_group(net, hop->sw), ut_network_switch(net, hop->sw), hop->in_port, hop->in_vc);
}

/* Flits in the hop's buffer, and the i-th of them from the front. */
static unsigned count_of(const struct ut_network *net, const struct ut_hop *hop) {
  return ut_reg_count(ut_network_group(net, hop->sw), ut_network_switch(net, hop->sw), hop->in_port, hop->in_vc);
}
static const uint64_t *flit_of(const struct ut_network *net, const struct ut_hop *hop, unsigned i) {
  return ut_reg_peek(ut_network_group(net, hop->sw), ut_network_switch(net, hop->sw), hop->in_port, hop->in_vc, i);
}

/* Returns the place of the head in the input buffer, counted from the front; -1: it is not there. */
static int place_in_buffer(const struct ut_journey *journey, const struct ut_network *net, const struct ut_hop *hop) {
  int i = (int)count_of(net, hop);
  while (--i >= 0 && !is_head(journey, net, flit_of(net, hop, (unsigned)i), i == 0 && is_stripped(net, hop)))
    ;
  return i;
}

static unsigned state_of(const struct ut_network *net, const struct ut_hop *hop) {
  return ut_reg_state(ut_network_group(net, hop->sw), ut_network_switch(net, hop->sw), hop->in_port, hop->in_vc);
}

/* ---- possible events */

static void end(struct ut_journey *journey, const struct ut_network *net, enum ut_journey_state state) {
  journey->state = state;
  journey->ended = net->cycle - 1;
}

static void discard(struct ut_journey *journey, const struct ut_network *net, enum ut_discard_reason reason,
                    struct ut_place where) {
  end(journey, net, UT_JOURNEY_DISCARDED);
  journey->reason = reason;
  journey->where = where;
}

static struct ut_place link_place(const struct ut_network *net, uint32_t channel) {
  const struct ut_peer from = ut_topology_sender(net->topology, channel);
  const struct ut_peer at = from.kind == UT_PEER_SWITCH ? from : net->topology->peer[channel];
  return (struct ut_place){UT_PLACE_LINK, at.index, at.port, channel};
}

static struct ut_place switch_place(uint32_t sw) {
  return (struct ut_place){.kind = UT_PLACE_SWITCH, .sw = sw};
}

/* Returns the injection link to which the packet, which has been injected, was given; NULL: it has been sent. */
static const struct ut_injection *injection_of(const struct ut_journey *journey, const struct ut_network *net) {
  for (unsigned i = 0; i < net->topology->injections; i++) {
    const struct ut_injection *in = &net->terminals.injection[(size_t)journey->src * net->topology->injections + i];
    if (ut_header_set_rt(in->header, 0) == journey->key)
      return in;
  }
  return NULL;
}

/* Ends the journey: the head is lost on the wire to journey->to, or cut there. */
static void lose_on_wire(struct ut_journey *journey, const struct ut_network *net) {
  const struct ut_hop *hop = journey->hops ? &journey->hop[journey->hops - 1] : NULL;
  discard(journey, net, UT_DISCARD_CUT_BY_FAULT,
          link_place(net, hop ? hop->sw * net->topology->po + hop->out_port : journey->first));
}

static void cut(struct ut_journey *journey, const struct ut_network *net) {
  discard(journey, net, UT_DISCARD_CUT_BY_FAULT, journey->cut);
}

/* Records that the head was put onto the wire of that channel in the last cycle. */
static void enter_wire(struct ut_journey *journey, const struct ut_network *net, uint32_t channel) {
  const struct ut_peer *to = &net->topology->peer[channel];
  journey->to = *to;
  journey->arrival = net->cycle + ut_network_link_cycles(net, channel) - 1;
  const uint64_t *flit = ut_network_flit_at(net, journey->arrival, to);
  if (!flit || !is_head(journey, net, flit, false)) {
    end(journey, net, UT_JOURNEY_LOST_SIGHT);
    return;
  }
  journey->state = UT_JOURNEY_ON_WIRE;
  journey->vc = vc_of(net, flit);
  if (journey->hops)
    journey->hop[journey->hops - 1].rt_out = ut_header_rt(flit[0]);
}

static void inject(struct ut_journey *journey, const struct ut_network *net) {
  const struct ut_terminal *terminal = &net->terminals.terminal[journey->src];
  if (terminal->injected <= journey->sequence)
    return;
  const struct ut_record *record = &terminal->record[journey->sequence & terminal->mask];
  const struct ut_path *path =
      net->terminals.paths ? ut_paths_find(net->terminals.paths, journey->src, record->dst) : NULL;
  journey->dst = record->dst;
  journey->flits = record->flits;
  journey->headers = path ? path->headers : 1;
  journey->generated = record->cycle;
  journey->injected = net->cycle;
  journey->key = ut_header_make(record->dst, (uint16_t)journey->src, (uint8_t)journey->sequence, 0);
  const struct ut_injection *in = injection_of(journey, net);
  if (!record->live &&
      (net->terminals.source_routes || net->terminals.availability)) /* no way to the destination is known */
    journey->headers = 0;
  if (!journey->headers || !in) {
    discard(journey, net, UT_DISCARD_UNREACHABLE, (struct ut_place){.kind = UT_PLACE_TERMINAL, .sw = journey->src});
    return;
  }
  journey->first = ut_topology_injection(net->topology, 0, 0) + (uint32_t)(in - net->terminals.injection);
  enter_wire(journey, net, journey->first);
}

/* Updates a head at that place in the buffer.  At the node that its header word names it waits for the flit behind it,
 * which does not count as a delay of this switch. */
static void look_at_head(const struct ut_network *net, struct ut_hop *hop, unsigned place) {
  const uint64_t header = flit_of(net, hop, place)[0];
  hop->rt_out = ut_header_rt(header);
  hop->stop = ut_header_dst(header);
  if (place > 0)
    hop->behind++;
  else if (net->terminals.paths && ut_leg_ends(hop->rt_out) && ut_journey_stop(net, hop) == hop->sw &&
           count_of(net, hop) < 2)
    hop->strip++;
}

static void enter_switch(struct ut_journey *journey, const struct ut_network *net) {
  const struct ut_topology *topo = net->topology;
  if (journey->hops == journey->room) {
    size_t room = journey->room ? 2 * journey->room : 16;
    struct ut_hop *bigger = realloc(journey->hop, room * sizeof *bigger);
    if (!bigger) {
      journey->failure = true;
      return;
    }
    journey->hop = bigger;
    journey->room = room;
  }
  struct ut_hop hop = {
      .sw = journey->to.index, .in_port = journey->to.port, .in_vc = (uint8_t)journey->vc, .arrived = journey->arrival};
  int place = place_in_buffer(journey, net, &hop);
  if (place < 0) {
    lose_on_wire(journey, net);
    return;
  }
  hop.vector_in = hop.vector_out = ut_network_switch(net, hop.sw)->vector;
  look_at_head(net, &hop, (unsigned)place);
  hop.rt_in = hop.rt_out;
  hop.from_above = ut_topology_up_ports(topo, hop.sw) >> hop.in_port & 1;
  journey->hop[journey->hops++] = hop;
  journey->state = UT_JOURNEY_IN_SWITCH;
}

/* The link that brings it to its destination. */
static const struct ut_ejection *ejection_of(const struct ut_journey *journey, const struct ut_network *net) {
  return &net->terminals.ejection[(size_t)journey->to.index * net->topology->ejections + journey->to.port];
}

static void on_wire(struct ut_journey *journey, const struct ut_network *net) {
  if (net->cycle <= journey->arrival) { /* of a long wire */
    const uint64_t *flit = ut_network_flit_at(net, journey->arrival, &journey->to);
    if (!flit || !is_head(journey, net, flit, false))
      lose_on_wire(journey, net);
  } else if (journey->to.kind == UT_PEER_SWITCH) {
    enter_switch(journey, net);
  } else if (!journey->up || !ejection_of(journey, net)->link_up) {
    lose_on_wire(journey, net);
  } else if (journey->last & UT_KIND_TAIL) {
    end(journey, net, UT_JOURNEY_DELIVERED);
  } else {
    journey->state = UT_JOURNEY_ARRIVING;
  }
}

/* Whether the head is in the output queue of the hop. */
static bool is_queued(const struct ut_journey *journey, const struct ut_network *net, const struct ut_hop *hop) {
  const struct ut_group *group = ut_network_group(net, hop->sw);
  const struct ut_switch *sw = ut_network_switch(net, hop->sw);
  bool found = false;
  for (unsigned i = 0; i < ut_reg_queue_count(group, sw, hop->out_port, hop->out_vc); i++)
    found |= is_head(journey, net, ut_reg_queue_peek(group, sw, hop->out_port, hop->out_vc, i), false);
  return found;
}
/* Whether the rest of a packet whose head has been sent is in the output queue. */
static bool rest_is_queued(const struct ut_network *net, const struct ut_hop *hop) {
  const struct ut_group *group = ut_network_group(net, hop->sw);
  const struct ut_switch *sw = ut_network_switch(net, hop->sw);
  return ut_reg_queue_count(group, sw, hop->out_port, hop->out_vc) &&
         !(ut_reg_queue_peek(group, sw, hop->out_port, hop->out_vc, 0)[net->words] & UT_KIND_HEAD);
}

/* Updates a head on the wire. */
static void leave(struct ut_journey *journey, const struct ut_network *net, struct ut_hop *hop) {
  hop->gone = true;
  hop->left = net->cycle;
  hop->followed = hop->emptied && !rest_is_queued(net, hop);
  hop->vector_out = ut_network_switch(net, hop->sw)->vector;
  hop->waited = hop->left - hop->arrived - hop->strip - ut_shape_hop(net->shape);
  enter_wire(journey, net, hop->sw * net->topology->po + hop->out_port);
}

/* Records that the head has crossed the crossbar: into the output queue, or onto the wire. */
static void cross(struct ut_journey *journey, const struct ut_network *net, struct ut_hop *hop,
                  const struct ut_switch *sw) {
  const struct ut_group *group = ut_network_group(net, hop->sw);
  hop->out_port = (uint8_t)ut_reg_out_port(group, sw, hop->in_port, hop->in_vc);
  hop->out_vc = (uint8_t)ut_reg_out_vc(group, sw, hop->in_port, hop->in_vc);
  hop->goes_up = ut_topology_up_ports(net->topology, hop->sw) >> hop->out_port & 1;
  hop->switched = net->cycle;
  if (group->form.output_depth)
    journey->state = UT_JOURNEY_IN_QUEUE;
  else
    leave(journey, net, hop);
}

static void in_queue(struct ut_journey *journey, const struct ut_network *net) {
  struct ut_hop *hop = &journey->hop[journey->hops - 1];
  const uint32_t channel = hop->sw * net->topology->po + hop->out_port;
  const struct ut_switch *sw = ut_network_switch(net, hop->sw);
  if (is_queued(journey, net, hop))
    return;
  if (ut_bitmap_get(net->failed, hop->sw))
    discard(journey, net, UT_DISCARD_IN_FAILED_SWITCH, switch_place(hop->sw));
  else if (!(ut_reg_valid(ut_network_group(net, hop->sw), sw) >> hop->out_port & 1)) /* gone with the link */
    discard(journey, net, UT_DISCARD_CUT_BY_FAULT, link_place(net, channel));
  else
    leave(journey, net, hop);
}

/* Whether a header word was stripped: the one at the front is not that of the last cycle. */
static bool was_stripped(const struct ut_network *net, const struct ut_hop *hop) {
  return net->terminals.paths &&
         ut_leg_of(ut_header_rt(*flit_of(net, hop, 0))).sub_path != ut_leg_of(hop->rt_out).sub_path;
}

/* Whether the packet, which is discarded from this cycle on, was purged: it has waited too long. */
static bool was_purged(const struct ut_network *net, const struct ut_hop *hop) {
  const struct ut_group *group = ut_network_group(net, hop->sw);
  return group->form.states &&
         ut_node_states_of(group, ut_network_switch(net, hop->sw))->purged[hop->in_vc] & ut_bit(hop->in_port);
}

static void in_switch(struct ut_journey *journey, const struct ut_network *net) {
  struct ut_hop *hop = &journey->hop[journey->hops - 1];
  const struct ut_switch *sw = ut_network_switch(net, hop->sw);
  int place = place_in_buffer(journey, net, hop);
  if (place == 0 && was_stripped(net, hop)) {
    hop->stripped++;
    hop->strip++;
  }
  if (place < 0 && ut_bitmap_get(net->failed, hop->sw)) {
    discard(journey, net, UT_DISCARD_IN_FAILED_SWITCH, switch_place(hop->sw));
  } else if (place < 0 && is_stripped(net, hop)) { /* cut behind a header word that was stripped: by the bad tail */
    cut(journey, net);
  } else if (place < 0) {
    cross(journey, net, hop, sw);
  } else if (place == 0 && state_of(net, hop) == UT_VC_STATE_DRAIN) {
    hop->vector_out = sw->vector;
    discard(journey, net, was_purged(net, hop) ? UT_DISCARD_PURGED : UT_DISCARD_UNREACHABLE, switch_place(hop->sw));
  } else {
    look_at_head(net, hop, (unsigned)place);
  }
}

/* Records that a link went down on which a part of the packet still was. */
static void watch_links(struct ut_journey *journey, const struct ut_network *net) {
  const struct ut_injection *in = injection_of(journey, net);
  const struct ut_peer *first = &net->topology->peer[journey->first];
  if (!journey->sent && (!in || !in->sending))
    journey->sent = net->cycle;
  if (journey->cut.kind == UT_PLACE_NONE && !(net->in_up[first->index] & ut_bit(first->port)) &&
      (!journey->sent || net->cycle < journey->sent + ut_network_link_cycles(net, journey->first) + 1))
    journey->cut = link_place(net, journey->first);
  for (size_t i = 0; i < journey->hops && journey->hop[i].switched; i++) {
    struct ut_hop *hop = &journey->hop[i];
    const uint32_t channel = hop->sw * net->topology->po + hop->out_port;
    hop->emptied |= state_of(net, hop) != UT_VC_STATE_ACTIVE;
    if (!hop->gone)
      break;
    if (journey->cut.kind == UT_PLACE_NONE && !(net->out_up[hop->sw] & ut_bit(hop->out_port)) &&
        (!hop->crossed || net->cycle < hop->crossed + ut_network_link_cycles(net, channel) + 1))
      journey->cut = link_place(net, channel);
    if (!hop->crossed && (hop->followed || (hop->emptied && !rest_is_queued(net, hop))))
      hop->crossed = net->cycle;
  }
}

/* Ends the journey if the tail was on the wire and the link was up: it is at the terminal. */
static void arriving(struct ut_journey *journey, const struct ut_network *net) {
  const bool received = journey->up && ejection_of(journey, net)->link_up;
  if (received && journey->last & UT_BAD)
    cut(journey, net);
  else if (received && journey->last & UT_KIND_TAIL)
    end(journey, net, UT_JOURNEY_DELIVERED);
  else if (!journey->up) /* one cycle after the link went down, the terminal gives up the rest */
    cut(journey, net);
}

/* Records what the terminal will see in the next cycle. */
static void look_ahead(struct ut_journey *journey, const struct ut_network *net) {
  if (ut_journey_over(journey) || journey->to.kind != UT_PEER_TERMINAL)
    return;
  const uint64_t *flit = ut_network_flit_at(net, net->cycle, &journey->to);
  journey->up = ejection_of(journey, net)->up;
  journey->last = flit && vc_of(net, flit) == journey->vc ? ut_flit_tag(flit[net->words]) : 0;
}

void ut_journey_observe(struct ut_journey *journey, const struct ut_network *net) {
  if (journey->state != UT_JOURNEY_QUEUED && !ut_journey_over(journey))
    watch_links(journey, net);
  switch (journey->state) {
  case UT_JOURNEY_QUEUED: inject(journey, net); break;
  case UT_JOURNEY_ON_WIRE: on_wire(journey, net); break;
  case UT_JOURNEY_IN_SWITCH: in_switch(journey, net); break;
  case UT_JOURNEY_IN_QUEUE: in_queue(journey, net); break;
  case UT_JOURNEY_ARRIVING: arriving(journey, net); break;
  default: return;
  }
  look_ahead(journey, net);
}

/* ---- results */

uint32_t ut_journey_stop(const struct ut_network *net, const struct ut_hop *hop) {
  return ut_topology_attachment(net->topology, hop->stop).sw;
}

unsigned ut_journey_u_turns(const struct ut_journey *journey) {
  unsigned turns = 0;
  for (size_t i = 0; i < journey->hops; i++)
    turns += ut_hop_u_turn(&journey->hop[i]);
  return turns;
}

unsigned ut_journey_stripped(const struct ut_journey *journey) {
  unsigned words = 0;
  for (size_t i = 0; i < journey->hops; i++)
    words += journey->hop[i].stripped;
  return words;
}

unsigned ut_journey_links(const struct ut_journey *journey, const struct ut_topology *topo) {
  unsigned links = 0;
  for (size_t i = 0; i < journey->hops; i++)
    links += journey->hop[i].gone &&
             topo->peer[(size_t)journey->hop[i].sw * topo->po + journey->hop[i].out_port].kind == UT_PEER_SWITCH;
  return links;
}

unsigned ut_journey_shortest(const struct ut_journey *journey, const struct ut_topology *topo) {
  uint16_t *distance = malloc(topo->switches * sizeof *distance);
  unsigned links = UT_NO_WAY;
  if (distance && ut_distances(topo, NULL, ut_topology_attachment(topo, journey->src).sw, distance))
    links = distance[ut_topology_attachment(topo, journey->dst).sw];
  free(distance);
  return links;
}

uint64_t ut_journey_waited(const struct ut_journey *journey) {
  uint64_t sum = 0;
  for (size_t i = 0; i < journey->hops; i++)
    sum += journey->hop[i].waited;
  return sum;
}

const char *ut_vector_text(ut_mask vector, unsigned k, char text[UT_MAX_PORTS / 2 + 1]) {
  for (unsigned i = 0; i < k; i++)
    text[i] = vector >> (k + i) & 1 ? '1' : '0';
  text[k] = '\0';
  return text;
}

const char *ut_place_text(const struct ut_topology *topo, const struct ut_place *place,
                          char text[UT_OUTAGE_NAME_SIZE]) {
  const struct ut_outage outage = {.sw = place->sw,
                                   .port = place->port,
                                   .channel = place->channel,
                                   .both = topo->bidirectional,
                                   .kind = place->kind == UT_PLACE_SWITCH ? UT_FAULT_SWITCH : UT_FAULT_LINK};
  if (place->kind == UT_PLACE_NONE)
    *text = '\0';
  else if (place->kind == UT_PLACE_TERMINAL)
    snprintf(text, UT_OUTAGE_NAME_SIZE, "terminal %u", (unsigned)place->sw);
  else
    ut_outage_name(topo, &outage, text);
  return text;
}
