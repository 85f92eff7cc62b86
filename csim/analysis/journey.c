/* journey.c - see journey.h */
#include "journey.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counter_example.h"
#include "drawing.h"

void ut_journey_init(struct ut_journey *j, uint32_t src, uint64_t sequence) {
  *j = (struct ut_journey){.src = src, .sequence = sequence};
}

void ut_journey_free(struct ut_journey *j) {
  free(j->hop);
  j->hop = NULL;
  j->hops = j->room = 0;
}

/* ---- looking at the network */

static bool is_head(const struct ut_journey *j, const struct ut_network *n, const uint64_t *flit) {
  return ut_flit_tag(flit[n->words]) & UT_KIND_HEAD && ut_header_set_rt(flit[0], 0) == j->key;
}

/* What arrives in that cycle at that end of a wire; NULL: nothing. */
static const uint64_t *flit_at(const struct ut_network *n, uint64_t cycle, const struct ut_peer *to) {
  const unsigned w = (unsigned)(cycle % n->slots);
  const bool terminal = to->kind == UT_PEER_TERMINAL;
  uint32_t node = terminal ? n->terminals.first_node + to->index : to->index;
  if (!(ut_network_flits(n, w, node) & (terminal ? 1 : ut_bit(to->port))))
    return NULL;
  size_t slot = terminal ? (size_t)n->topology.switches * n->topology.pi + to->index
                         : (size_t)to->index * n->topology.pi + to->port;
  return n->wires[w].flit + slot * (n->words + 1);
}

static unsigned vc_of(const struct ut_network *n, const uint64_t *flit) {
  return n->v > 1 ? ut_flit_vc(flit[n->words]) : 0;
}

/* Place of the head in the input buffer, counted from the front; -1: it is not there. */
static int place_in_buffer(const struct ut_journey *j, const struct ut_network *n, const struct ut_hop *h) {
  struct ut_switch *s = ut_switch_of(&n->group, h->sw);
  int i = *ut_vc_at(&n->group, s, UT_B_COUNT, h->in_port, h->in_vc);
  while (--i >= 0 && !is_head(j, n, ut_fifo_peek(&n->group, s, h->in_port, h->in_vc, (unsigned)i)))
    ;
  return i;
}

static unsigned state_of(const struct ut_network *n, const struct ut_hop *h) {
  return *ut_vc_at(&n->group, ut_switch_of(&n->group, h->sw), UT_B_STATE, h->in_port, h->in_vc);
}

/* ---- what may happen */

static void end(struct ut_journey *j, const struct ut_network *n, enum ut_journey_state state) {
  j->state = state;
  j->ended = n->cycle - 1;
}

static void discard(struct ut_journey *j, const struct ut_network *n, enum ut_discard_reason reason,
                    enum ut_place_kind kind, uint32_t sw, unsigned port) {
  end(j, n, UT_JOURNEY_DISCARDED);
  j->reason = reason;
  j->where = (struct ut_place){kind, sw, (uint8_t)port};
}

/* The head is lost on the wire to j->to, or cut there. */
static void lose_on_wire(struct ut_journey *j, const struct ut_network *n) {
  const struct ut_attachment *a = &n->topology.attachment[j->src];
  const struct ut_hop *h = j->hops ? &j->hop[j->hops - 1] : NULL;
  discard(j, n, UT_DISCARD_CUT_BY_FAULT, UT_PLACE_LINK, h ? h->sw : a->sw, h ? h->out_port : a->in_port);
}

static void cut(struct ut_journey *j, const struct ut_network *n) {
  discard(j, n, UT_DISCARD_CUT_BY_FAULT, j->cut.kind, j->cut.sw, j->cut.port);
}

/* The head has been put onto a wire in the last cycle. */
static void enter_wire(struct ut_journey *j, const struct ut_network *n, const struct ut_peer *to) {
  j->to = *to;
  j->arrival = n->cycle + n->slots - 2;
  const uint64_t *flit = flit_at(n, j->arrival, to);
  if (!flit || !is_head(j, n, flit)) {
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
  const struct ut_attachment *a = &n->topology.attachment[j->src];
  if (t->injected <= j->sequence)
    return;
  const struct ut_record *r = &t->record[j->sequence & t->mask];
  j->dst = r->dst;
  j->flits = r->flits;
  j->generated = r->cycle;
  j->injected = n->cycle;
  j->key = t->header;
  enter_wire(j, n, &(struct ut_peer){.index = a->sw, .port = a->in_port, .kind = UT_PEER_SWITCH});
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
  struct ut_switch *s = ut_switch_of(&n->group, h.sw);
  h.rt_in = ut_header_rt(ut_fifo_peek(&n->group, s, h.in_port, h.in_vc, (unsigned)place)[0]);
  h.vector_in = h.vector_out = s->vector;
  h.behind = place > 0;
  h.from_above = t->up_ports >> h.in_port & 1;
  j->hop[j->hops++] = h;
  j->state = UT_JOURNEY_IN_SWITCH;
}

static void on_wire(struct ut_journey *j, const struct ut_network *n) {
  if (n->cycle <= j->arrival) { /* of a long wire */
    const uint64_t *flit = flit_at(n, j->arrival, &j->to);
    if (!flit || !is_head(j, n, flit))
      lose_on_wire(j, n);
  } else if (j->to.kind == UT_PEER_SWITCH) {
    enter_switch(j, n);
  } else if (!j->up || !n->terminals.terminal[j->to.index].link_up) {
    lose_on_wire(j, n);
  } else if (j->last & UT_KIND_TAIL) {
    end(j, n, UT_JOURNEY_DELIVERED);
  } else {
    j->state = UT_JOURNEY_ARRIVING;
  }
}

static void leave(struct ut_journey *j, const struct ut_network *n, struct ut_hop *h, struct ut_switch *s) {
  const unsigned out = *ut_vc_at(&n->group, s, UT_B_OUT, h->in_port, h->in_vc);
  h->gone = true;
  h->out_port = (uint8_t)ut_out_port(out, n->v);
  h->out_vc = (uint8_t)ut_out_vc(out, n->v);
  h->goes_up = n->topology.up_ports >> h->out_port & 1;
  h->left = n->cycle;
  h->waited = h->left - h->arrived - (2 + n->shape.route_cycles + n->shape.alloc_cycles - 1);
  h->vector_out = s->vector;
  enter_wire(j, n, &n->topology.peer[(size_t)h->sw * n->topology.po + h->out_port]);
}

static void in_switch(struct ut_journey *j, const struct ut_network *n) {
  struct ut_hop *h = &j->hop[j->hops - 1];
  struct ut_switch *s = ut_switch_of(&n->group, h->sw);
  int place = place_in_buffer(j, n, h);
  if (place < 0 && ut_bitmap_get(n->failed, h->sw)) {
    discard(j, n, UT_DISCARD_IN_FAILED_SWITCH, UT_PLACE_SWITCH, h->sw, 0);
  } else if (place < 0) {
    leave(j, n, h, s);
  } else if (place > 0) {
    h->behind++;
  } else if (state_of(n, h) == UT_VC_STATE_DRAIN) {
    h->vector_out = s->vector;
    discard(j, n, UT_DISCARD_UNREACHABLE, UT_PLACE_SWITCH, h->sw, 0);
  }
}

/* A link on which a part of the packet still was went down. */
static void watch_links(struct ut_journey *j, const struct ut_network *n) {
  const struct ut_terminal *t = &n->terminals.terminal[j->src];
  const struct ut_attachment *a = &n->topology.attachment[j->src];
  if (!j->sent && (!t->left || ut_header_set_rt(t->header, 0) != j->key))
    j->sent = n->cycle;
  if (j->cut.kind == UT_PLACE_NONE && !(n->link_up[a->sw] & ut_bit(a->in_port)) &&
      (!j->sent || n->cycle < j->sent + n->slots))
    j->cut = (struct ut_place){UT_PLACE_LINK, a->sw, a->in_port};
  for (size_t i = 0; i < j->hops && j->hop[i].gone; i++) {
    struct ut_hop *h = &j->hop[i];
    if (j->cut.kind == UT_PLACE_NONE && !(n->link_up[h->sw] & ut_bit(h->out_port)) &&
        (!h->crossed || n->cycle < h->crossed + n->slots))
      j->cut = (struct ut_place){UT_PLACE_LINK, h->sw, h->out_port};
    if (!h->crossed && state_of(n, h) != UT_VC_STATE_ACTIVE)
      h->crossed = n->cycle;
  }
}

/* The tail is at the terminal if it was on the wire and the link was up. */
static void arriving(struct ut_journey *j, const struct ut_network *n) {
  const struct ut_terminal *t = &n->terminals.terminal[j->to.index];
  const bool received = j->up && t->link_up;
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
  const uint64_t *flit = flit_at(n, n->cycle, &j->to);
  j->up = n->terminals.terminal[j->to.index].up;
  j->last = flit && vc_of(n, flit) == j->vc ? ut_flit_tag(flit[n->words]) : 0;
}

void ut_journey_observe(struct ut_journey *j, const struct ut_network *n) {
  if (j->state != UT_JOURNEY_QUEUED && !ut_journey_over(j))
    watch_links(j, n);
  switch (j->state) {
  case UT_JOURNEY_QUEUED: inject(j, n); break;
  case UT_JOURNEY_ON_WIRE: on_wire(j, n); break;
  case UT_JOURNEY_IN_SWITCH: in_switch(j, n); break;
  case UT_JOURNEY_ARRIVING: arriving(j, n); break;
  default: return;
  }
  look_ahead(j, n);
}

/* ---- results */

unsigned ut_journey_u_turns(const struct ut_journey *j) {
  unsigned turns = 0;
  for (size_t i = 0; i < j->hops; i++)
    turns += ut_hop_u_turn(&j->hop[i]);
  return turns;
}

unsigned ut_journey_links(const struct ut_journey *j, const struct ut_topology *t) {
  unsigned links = 0;
  for (size_t i = 0; i < j->hops; i++)
    links += j->hop[i].gone && t->peer[(size_t)j->hop[i].sw * t->po + j->hop[i].out_port].kind == UT_PEER_SWITCH;
  return links;
}

/* What to write into the switch: what the U-turns of the packet have left there, or in its header. */
static void note(const struct ut_network *n, const struct ut_hop *h, struct ut_drawn_hop *d) {
  char bits[UT_MAX_PORTS + 1];
  const unsigned k = n->group.k;
  if (n->group.traits.vector && (h->vector_in | h->vector_out))
    snprintf(d->note, sizeof d->note, "vector %s", ut_vector_text(h->vector_out, k, bits));
  else if (n->shape.algorithm == UT_FATTREE_MISROUTE_HEADER && h->gone && (h->rt_in | h->rt_out))
    snprintf(d->note, sizeof d->note, "header %s", ut_vector_text((ut_mask)h->rt_out << k, k, bits));
  else if (n->group.traits.rewrites && h->gone && (h->rt_in | h->rt_out))
    ut_port_field_text(h->rt_out, d->note, sizeof d->note);
}

const char *ut_port_field_text(uint32_t rt, char *text, size_t size) {
  const unsigned field = ut_rt_port_port(rt);
  if (field >= UT_PORT_FIELD_FIRST)
    snprintf(text, size, "field %u", field - UT_PORT_FIELD_FIRST);
  else
    snprintf(text, size, "field %d", field == UT_PORT_FIELD_TURN ? -2 : -1);
  return text;
}

int ut_journey_draw(const struct ut_journey *j, const struct ut_network *n, const struct ut_outage *outage,
                    size_t outages, const char *path, struct ut_error *e) {
  char caption[640], place[UT_OUTAGE_NAME_SIZE];
  struct ut_drawn_hop *hop = calloc(j->hops + 1, sizeof *hop);
  if (!hop)
    return ut_fail(e, UT_INTERNAL, "out of memory for the drawing");
  const bool discarded = j->state == UT_JOURNEY_DISCARDED;
  const bool in_switch = j->state == UT_JOURNEY_IN_SWITCH || (discarded && j->where.kind == UT_PLACE_SWITCH);
  struct ut_drawing d = {.topology = &n->topology,
                         .outage = outage,
                         .outages = outages,
                         .hop = hop,
                         .source = j->src,
                         .destination = j->dst,
                         .injected = true,
                         .end = in_switch ? j->hop[j->hops - 1].sw : UINT32_MAX,
                         .end_text = discarded ? "discarded" : "on its way",
                         .vcs = n->v,
                         .caption = caption};
  for (size_t i = 0; i < j->hops; i++) {
    const struct ut_hop *h = &j->hop[i];
    if (!h->gone)
      continue; /* only the last one */
    hop[d.hops++] =
        (struct ut_drawn_hop){.sw = h->sw, .port = h->out_port, .vc = h->out_vc, .u_turn = ut_hop_u_turn(h)};
    note(n, h, &hop[d.hops - 1]);
  }
  if (d.hops && discarded && j->where.kind == UT_PLACE_LINK)
    for (size_t i = 0; i < d.hops; i++)
      hop[i].lost |= hop[i].sw == j->where.sw && hop[i].port == j->where.port;
  int length = snprintf(caption, sizeof caption, "%u-ary %u-tree, %s: packet %u:%u from terminal %u to %u", n->group.k,
                        n->topology.levels, n->scenario->routing.algorithm, (unsigned)j->src,
                        (unsigned)(j->sequence % 256), (unsigned)j->src, (unsigned)j->dst);
  char *more = caption + length;
  size_t size = sizeof caption - (size_t)length;
  if (j->state == UT_JOURNEY_DELIVERED)
    snprintf(more, size, "\ndelivered in cycle %" PRIu64 ", %" PRIu64 " cycles after its generation", j->ended,
             j->ended - j->generated);
  else if (discarded)
    snprintf(more, size, "\ndiscarded in cycle %" PRIu64 ": %s%s%s", j->ended, ut_discard_name(j->reason),
             j->where.kind == UT_PLACE_NONE ? "" : ", ", ut_place_text(&n->topology, &j->where, place));
  else
    snprintf(more, size, "\non its way in cycle %" PRIu64, n->cycle);
  int status = ut_drawing_svg(&d, path, e);
  free(hop);
  return status;
}

const char *ut_place_text(const struct ut_topology *t, const struct ut_place *p, char text[UT_OUTAGE_NAME_SIZE]) {
  const struct ut_outage o = {
      .sw = p->sw, .port = p->port, .kind = p->kind == UT_PLACE_SWITCH ? UT_FAULT_SWITCH : UT_FAULT_LINK};
  if (p->kind == UT_PLACE_NONE)
    *text = '\0';
  else
    ut_outage_name(t, &o, text);
  return text;
}

/* ---- the first U-turn of a run */

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

/* The heads that a switch has just sent upwards. */
static void collect(struct ut_u_turn_search *s, const struct ut_network *n) {
  const struct ut_topology *t = &n->topology;
  UT_FOR_EACH(op, (ut_mask)t->up_ports) {
    const struct ut_peer *p = &t->peer[(size_t)s->sw * t->po + op];
    const uint64_t *flit = p->kind == UT_PEER_SWITCH ? flit_at(n, n->cycle + n->slots - 2, p) : NULL;
    if (flit && ut_flit_tag(flit[n->words]) & UT_KIND_HEAD && identify(n, flit[0], &s->candidate[s->candidates]))
      s->candidates++;
  }
}

bool ut_u_turn_search_observe(struct ut_u_turn_search *s, const struct ut_network *n) {
  for (uint32_t i = 0; !s->any && n->terminals.accounts.injected && i < n->topology.terminals; i++)
    if (n->terminals.terminal[i].injected) {
      s->any = true;
      s->first.src = i;
    }
  for (uint32_t i = 0; i < n->topology.switches && !s->candidates; i++)
    if (ut_switch_of(&n->group, i)->u_turns) {
      s->sw = i;
      s->cycle = n->cycle;
      collect(s, n);
    }
  return s->candidates > 0;
}

bool ut_u_turn_search_is(const struct ut_u_turn_search *s, const struct ut_journey *j) {
  for (size_t i = 0; i < j->hops; i++)
    if (ut_hop_u_turn(&j->hop[i]) && j->hop[i].sw == s->sw && j->hop[i].left == s->cycle)
      return true;
  return false;
}
