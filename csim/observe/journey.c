/* SPDX-License-Identifier: Apache-2.0 */
/* journey.c - see journey.h */
#include "journey.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "distance.h"
#include "node_states.h"
#include "registers.h"
#include "scenario.h"

void ut_journey_init(struct ut_journey *j, uint32_t src, uint64_t sequence) {
  *j = (struct ut_journey){.src = src, .sequence = sequence};
}

void ut_journey_free(struct ut_journey *j) {
  free(j->hop);
  j->hop = NULL;
  j->hops = j->room = 0;
}

/* ---- looking at the network */

/* stripped: the flit is a head whatever its tag says, unless it is the bad tail of a packet that was cut there. */
static bool is_head(const struct ut_journey *j, const struct ut_network *n, const uint64_t *flit, bool stripped) {
  const unsigned tag = ut_flit_tag(flit[n->words]);
  const uint64_t other = flit[0] ^ j->key;
  return (tag & UT_KIND_HEAD || (stripped && !(tag & UT_BAD))) && !(ut_header_src(other) | ut_header_tag(other)) &&
         ut_paths_header_is_of(n->terminals.paths, j->dst, flit[0]);
}

static unsigned vc_of(const struct ut_network *n, const uint64_t *flit) {
  return n->v > 1 ? ut_flit_vc(flit[n->words]) : 0;
}

/* The flit at the front of the hop's buffer is a head because those before it were stripped. */
static bool is_stripped(const struct ut_network *n, const struct ut_hop *h) {
  return ut_reg_stripped(ut_network_group(n, h->sw), ut_network_switch(n, h->sw), h->in_port, h->in_vc);
}

/* Flits in the hop's buffer, and the i-th of them from the front. */
static unsigned count_of(const struct ut_network *n, const struct ut_hop *h) {
  return ut_reg_count(ut_network_group(n, h->sw), ut_network_switch(n, h->sw), h->in_port, h->in_vc);
}
static const uint64_t *flit_of(const struct ut_network *n, const struct ut_hop *h, unsigned i) {
  return ut_reg_peek(ut_network_group(n, h->sw), ut_network_switch(n, h->sw), h->in_port, h->in_vc, i);
}

/* Place of the head in the input buffer, counted from the front; -1: it is not there. */
static int place_in_buffer(const struct ut_journey *j, const struct ut_network *n, const struct ut_hop *h) {
  int i = (int)count_of(n, h);
  while (--i >= 0 && !is_head(j, n, flit_of(n, h, (unsigned)i), i == 0 && is_stripped(n, h)))
    ;
  return i;
}

static unsigned state_of(const struct ut_network *n, const struct ut_hop *h) {
  return ut_reg_state(ut_network_group(n, h->sw), ut_network_switch(n, h->sw), h->in_port, h->in_vc);
}

/* ---- what may happen */

static void end(struct ut_journey *j, const struct ut_network *n, enum ut_journey_state state) {
  j->state = state;
  j->ended = n->cycle - 1;
}

static void discard(struct ut_journey *j, const struct ut_network *n, enum ut_discard_reason reason,
                    struct ut_place where) {
  end(j, n, UT_JOURNEY_DISCARDED);
  j->reason = reason;
  j->where = where;
}

static struct ut_place link_place(const struct ut_network *n, uint32_t channel) {
  const struct ut_peer from = ut_topology_sender(&n->topology, channel);
  const struct ut_peer at = from.kind == UT_PEER_SWITCH ? from : n->topology.peer[channel];
  return (struct ut_place){UT_PLACE_LINK, at.index, at.port, channel};
}

static struct ut_place switch_place(uint32_t sw) {
  return (struct ut_place){.kind = UT_PLACE_SWITCH, .sw = sw};
}

/* The link into the network that the packet, which has been injected, was given to; NULL: it has been sent. */
static const struct ut_injection *injection_of(const struct ut_journey *j, const struct ut_network *n) {
  for (unsigned i = 0; i < n->topology.injections; i++) {
    const struct ut_injection *in = &n->terminals.injection[(size_t)j->src * n->topology.injections + i];
    if (ut_header_set_rt(in->header, 0) == j->key)
      return in;
  }
  return NULL;
}

/* The head is lost on the wire to j->to, or cut there. */
static void lose_on_wire(struct ut_journey *j, const struct ut_network *n) {
  const struct ut_hop *h = j->hops ? &j->hop[j->hops - 1] : NULL;
  discard(j, n, UT_DISCARD_CUT_BY_FAULT, link_place(n, h ? h->sw * n->topology.po + h->out_port : j->first));
}

static void cut(struct ut_journey *j, const struct ut_network *n) {
  discard(j, n, UT_DISCARD_CUT_BY_FAULT, j->cut);
}

/* The head has been put onto a wire of that length in the last cycle. */
static void enter_wire(struct ut_journey *j, const struct ut_network *n, const struct ut_peer *to, unsigned cycles) {
  j->to = *to;
  j->arrival = n->cycle + cycles - 1;
  const uint64_t *flit = ut_network_flit_at(n, j->arrival, to);
  if (!flit || !is_head(j, n, flit, false)) {
    end(j, n, UT_JOURNEY_LOST_SIGHT);
    return;
  }
  j->state = UT_JOURNEY_ON_WIRE;
  j->vc = vc_of(n, flit);
  if (j->hops)
    j->hop[j->hops - 1].rt_out = ut_header_rt(flit[0]);
}

static void inject(struct ut_journey *j, const struct ut_network *n) {
  const struct ut_terminal *t = &n->terminals.terminal[j->src];
  if (t->injected <= j->sequence)
    return;
  const struct ut_record *r = &t->record[j->sequence & t->mask];
  const struct ut_path *path = n->terminals.paths ? ut_paths_find(n->terminals.paths, j->src, r->dst) : NULL;
  j->dst = r->dst;
  j->flits = r->flits;
  j->headers = path ? path->headers : 1;
  j->generated = r->cycle;
  j->injected = n->cycle;
  j->key = ut_header_make(r->dst, (uint16_t)j->src, (uint8_t)j->sequence, 0);
  const struct ut_injection *in = injection_of(j, n);
  if (!r->live && (n->terminals.source_routes || n->terminals.availability)) /* no way to the destination is known */
    j->headers = 0;
  if (!j->headers || !in) {
    discard(j, n, UT_DISCARD_UNREACHABLE, (struct ut_place){.kind = UT_PLACE_TERMINAL, .sw = j->src});
    return;
  }
  j->first = ut_topology_injection(&n->topology, 0, 0) + (uint32_t)(in - n->terminals.injection);
  enter_wire(j, n, &n->topology.peer[j->first], n->injection_cycles);
}

/* What the head is going to do in the next cycle, at that place in the buffer.  At the node that its header word names
 * it waits for the flit behind it: that is no delay of this switch. */
static void look_at_head(const struct ut_network *n, struct ut_hop *h, unsigned place) {
  const uint64_t header = flit_of(n, h, place)[0];
  h->rt_out = ut_header_rt(header);
  h->stop = ut_header_dst(header);
  if (place > 0)
    h->behind++;
  else if (n->terminals.paths && ut_leg_ends(h->rt_out) && ut_journey_stop(n, h) == h->sw && count_of(n, h) < 2)
    h->strip++;
}

static void enter_switch(struct ut_journey *j, const struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  if (j->hops == j->room) {
    size_t room = j->room ? 2 * j->room : 16;
    struct ut_hop *bigger = realloc(j->hop, room * sizeof *bigger);
    if (!bigger) {
      j->failure = true;
      return;
    }
    j->hop = bigger;
    j->room = room;
  }
  struct ut_hop h = {.sw = j->to.index, .in_port = j->to.port, .in_vc = (uint8_t)j->vc, .arrived = j->arrival};
  int place = place_in_buffer(j, n, &h);
  if (place < 0) {
    lose_on_wire(j, n);
    return;
  }
  h.vector_in = h.vector_out = ut_network_switch(n, h.sw)->vector;
  look_at_head(n, &h, (unsigned)place);
  h.rt_in = h.rt_out;
  h.from_above = t->up_ports >> h.in_port & 1;
  j->hop[j->hops++] = h;
  j->state = UT_JOURNEY_IN_SWITCH;
}

/* The link that brings it to its destination. */
static const struct ut_ejection *ejection_of(const struct ut_journey *j, const struct ut_network *n) {
  return &n->terminals.ejection[(size_t)j->to.index * n->topology.ejections + j->to.port];
}

static void on_wire(struct ut_journey *j, const struct ut_network *n) {
  if (n->cycle <= j->arrival) { /* of a long wire */
    const uint64_t *flit = ut_network_flit_at(n, j->arrival, &j->to);
    if (!flit || !is_head(j, n, flit, false))
      lose_on_wire(j, n);
  } else if (j->to.kind == UT_PEER_SWITCH) {
    enter_switch(j, n);
  } else if (!j->up || !ejection_of(j, n)->link_up) {
    lose_on_wire(j, n);
  } else if (j->last & UT_KIND_TAIL) {
    end(j, n, UT_JOURNEY_DELIVERED);
  } else {
    j->state = UT_JOURNEY_ARRIVING;
  }
}

/* The head is in the output queue of the hop. */
static bool is_queued(const struct ut_journey *j, const struct ut_network *n, const struct ut_hop *h) {
  const struct ut_group *g = ut_network_group(n, h->sw);
  const struct ut_switch *s = ut_network_switch(n, h->sw);
  bool found = false;
  for (unsigned i = 0; i < ut_reg_queue_count(g, s, h->out_port, h->out_vc); i++)
    found |= is_head(j, n, ut_reg_queue_peek(g, s, h->out_port, h->out_vc, i), false);
  return found;
}
/* The rest of a packet whose head has been sent is in the output queue. */
static bool rest_is_queued(const struct ut_network *n, const struct ut_hop *h) {
  const struct ut_group *g = ut_network_group(n, h->sw);
  const struct ut_switch *s = ut_network_switch(n, h->sw);
  return ut_reg_queue_count(g, s, h->out_port, h->out_vc) &&
         !(ut_reg_queue_peek(g, s, h->out_port, h->out_vc, 0)[n->words] & UT_KIND_HEAD);
}

/* The head is on the wire. */
static void leave(struct ut_journey *j, const struct ut_network *n, struct ut_hop *h) {
  h->gone = true;
  h->left = n->cycle;
  h->followed = h->emptied && !rest_is_queued(n, h);
  h->vector_out = ut_network_switch(n, h->sw)->vector;
  h->waited = h->left - h->arrived - h->strip - ut_shape_hop(n->shape);
  const struct ut_peer *to = &n->topology.peer[(size_t)h->sw * n->topology.po + h->out_port];
  enter_wire(j, n, to, ut_network_link_cycles(n, to));
}

/* The head has crossed the crossbar: into the output queue, else it is on the wire. */
static void cross(struct ut_journey *j, const struct ut_network *n, struct ut_hop *h, const struct ut_switch *s) {
  const struct ut_group *g = ut_network_group(n, h->sw);
  h->out_port = (uint8_t)ut_reg_out_port(g, s, h->in_port, h->in_vc);
  h->out_vc = (uint8_t)ut_reg_out_vc(g, s, h->in_port, h->in_vc);
  h->goes_up = n->topology.up_ports >> h->out_port & 1;
  h->switched = n->cycle;
  if (g->form.output_depth)
    j->state = UT_JOURNEY_IN_QUEUE;
  else
    leave(j, n, h);
}

static void in_queue(struct ut_journey *j, const struct ut_network *n) {
  struct ut_hop *h = &j->hop[j->hops - 1];
  const uint32_t channel = h->sw * n->topology.po + h->out_port;
  const struct ut_switch *s = ut_network_switch(n, h->sw);
  if (is_queued(j, n, h))
    return;
  if (ut_bitmap_get(n->failed, h->sw))
    discard(j, n, UT_DISCARD_IN_FAILED_SWITCH, switch_place(h->sw));
  else if (!(ut_reg_valid(ut_network_group(n, h->sw), s) >> h->out_port & 1)) /* gone with the link */
    discard(j, n, UT_DISCARD_CUT_BY_FAULT, link_place(n, channel));
  else
    leave(j, n, h);
}

/* The header word at the front is another one than in the last cycle: the former one was stripped. */
static bool was_stripped(const struct ut_network *n, const struct ut_hop *h) {
  return n->terminals.paths && ut_leg_of(ut_header_rt(*flit_of(n, h, 0))).sub_path != ut_leg_of(h->rt_out).sub_path;
}

/* The packet, which is discarded from this cycle on, has waited too long for the manager. */
static bool was_purged(const struct ut_network *n, const struct ut_hop *h) {
  const struct ut_group *g = ut_network_group(n, h->sw);
  return g->form.states && ut_node_states_of(g, ut_network_switch(n, h->sw))->purged[h->in_vc] & ut_bit(h->in_port);
}

static void in_switch(struct ut_journey *j, const struct ut_network *n) {
  struct ut_hop *h = &j->hop[j->hops - 1];
  const struct ut_switch *s = ut_network_switch(n, h->sw);
  int place = place_in_buffer(j, n, h);
  if (place == 0 && was_stripped(n, h)) {
    h->stripped++;
    h->strip++;
  }
  if (place < 0 && ut_bitmap_get(n->failed, h->sw)) {
    discard(j, n, UT_DISCARD_IN_FAILED_SWITCH, switch_place(h->sw));
  } else if (place < 0 && is_stripped(n, h)) { /* cut behind a header word that was stripped: by the bad tail */
    cut(j, n);
  } else if (place < 0) {
    cross(j, n, h, s);
  } else if (place == 0 && state_of(n, h) == UT_VC_STATE_DRAIN) {
    h->vector_out = s->vector;
    discard(j, n, was_purged(n, h) ? UT_DISCARD_PURGED : UT_DISCARD_UNREACHABLE, switch_place(h->sw));
  } else {
    look_at_head(n, h, (unsigned)place);
  }
}

/* A link on which a part of the packet still was went down. */
static void watch_links(struct ut_journey *j, const struct ut_network *n) {
  const struct ut_injection *in = injection_of(j, n);
  const struct ut_peer *first = &n->topology.peer[j->first];
  if (!j->sent && (!in || !in->sending))
    j->sent = n->cycle;
  if (j->cut.kind == UT_PLACE_NONE && !(n->in_up[first->index] & ut_bit(first->port)) &&
      (!j->sent || n->cycle < j->sent + n->injection_cycles + 1))
    j->cut = link_place(n, j->first);
  for (size_t i = 0; i < j->hops && j->hop[i].switched; i++) {
    struct ut_hop *h = &j->hop[i];
    const uint32_t channel = h->sw * n->topology.po + h->out_port;
    h->emptied |= state_of(n, h) != UT_VC_STATE_ACTIVE;
    if (!h->gone)
      break;
    if (j->cut.kind == UT_PLACE_NONE && !(n->out_up[h->sw] & ut_bit(h->out_port)) &&
        (!h->crossed || n->cycle < h->crossed + ut_network_link_cycles(n, &n->topology.peer[channel]) + 1))
      j->cut = link_place(n, channel);
    if (!h->crossed && (h->followed || (h->emptied && !rest_is_queued(n, h))))
      h->crossed = n->cycle;
  }
}

/* The tail is at the terminal if it was on the wire and the link was up. */
static void arriving(struct ut_journey *j, const struct ut_network *n) {
  const bool received = j->up && ejection_of(j, n)->link_up;
  if (received && j->last & UT_BAD)
    cut(j, n);
  else if (received && j->last & UT_KIND_TAIL)
    end(j, n, UT_JOURNEY_DELIVERED);
  else if (!j->up) /* a cycle after the link went down the terminal gives up the rest */
    cut(j, n);
}

/* What the terminal is going to see in the next cycle. */
static void look_ahead(struct ut_journey *j, const struct ut_network *n) {
  if (ut_journey_over(j) || j->to.kind != UT_PEER_TERMINAL)
    return;
  const uint64_t *flit = ut_network_flit_at(n, n->cycle, &j->to);
  j->up = ejection_of(j, n)->up;
  j->last = flit && vc_of(n, flit) == j->vc ? ut_flit_tag(flit[n->words]) : 0;
}

void ut_journey_observe(struct ut_journey *j, const struct ut_network *n) {
  if (j->state != UT_JOURNEY_QUEUED && !ut_journey_over(j))
    watch_links(j, n);
  switch (j->state) {
  case UT_JOURNEY_QUEUED: inject(j, n); break;
  case UT_JOURNEY_ON_WIRE: on_wire(j, n); break;
  case UT_JOURNEY_IN_SWITCH: in_switch(j, n); break;
  case UT_JOURNEY_IN_QUEUE: in_queue(j, n); break;
  case UT_JOURNEY_ARRIVING: arriving(j, n); break;
  default: return;
  }
  look_ahead(j, n);
}

/* ---- results */

uint32_t ut_journey_stop(const struct ut_network *n, const struct ut_hop *h) {
  return ut_topology_attachment(&n->topology, h->stop).sw;
}

unsigned ut_journey_u_turns(const struct ut_journey *j) {
  unsigned turns = 0;
  for (size_t i = 0; i < j->hops; i++)
    turns += ut_hop_u_turn(&j->hop[i]);
  return turns;
}

unsigned ut_journey_stripped(const struct ut_journey *j) {
  unsigned words = 0;
  for (size_t i = 0; i < j->hops; i++)
    words += j->hop[i].stripped;
  return words;
}

unsigned ut_journey_links(const struct ut_journey *j, const struct ut_topology *t) {
  unsigned links = 0;
  for (size_t i = 0; i < j->hops; i++)
    links += j->hop[i].gone && t->peer[(size_t)j->hop[i].sw * t->po + j->hop[i].out_port].kind == UT_PEER_SWITCH;
  return links;
}

unsigned ut_journey_shortest(const struct ut_journey *j, const struct ut_topology *t) {
  uint16_t *distance = malloc(t->switches * sizeof *distance);
  unsigned links = UT_NO_WAY;
  if (distance && ut_distances(t, NULL, ut_topology_attachment(t, j->src).sw, distance))
    links = distance[ut_topology_attachment(t, j->dst).sw];
  free(distance);
  return links;
}

uint64_t ut_journey_waited(const struct ut_journey *j) {
  uint64_t sum = 0;
  for (size_t i = 0; i < j->hops; i++)
    sum += j->hop[i].waited;
  return sum;
}

const char *ut_vector_text(ut_mask vector, unsigned k, char text[UT_MAX_PORTS + 1]) {
  for (unsigned i = 0; i < k; i++)
    text[i] = vector >> (k + i) & 1 ? '1' : '0';
  text[k] = '\0';
  return text;
}

const char *ut_place_text(const struct ut_topology *t, const struct ut_place *p, char text[UT_OUTAGE_NAME_SIZE]) {
  const struct ut_outage o = {.sw = p->sw,
                              .port = p->port,
                              .channel = p->channel,
                              .both = t->bidirectional,
                              .kind = p->kind == UT_PLACE_SWITCH ? UT_FAULT_SWITCH : UT_FAULT_LINK};
  if (p->kind == UT_PLACE_NONE)
    *text = '\0';
  else if (p->kind == UT_PLACE_TERMINAL)
    snprintf(text, UT_OUTAGE_NAME_SIZE, "terminal %u", (unsigned)p->sw);
  else
    ut_outage_name(t, &o, text);
  return text;
}
