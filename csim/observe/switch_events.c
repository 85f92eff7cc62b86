/* SPDX-License-Identifier: Apache-2.0 */
/* switch_events.c - see switch_events.h */
#include "switch_events.h"

#include <stdio.h>
#include <stdlib.h>

#include "registers.h"

static void add(struct ut_switch_events *e, struct ut_switch_event event) {
  if (e->count == e->room) {
    const size_t room = e->room ? 2 * e->room : 64;
    struct ut_switch_event *bigger = realloc(e->event, room * sizeof *bigger);
    e->failure |= !bigger;
    if (!bigger)
      return;
    e->event = bigger;
    e->room = room;
  }
  e->event[e->count++] = event;
}

void ut_switch_events_free(struct ut_switch_events *e) {
  free(e->event);
  *e = (struct ut_switch_events){0};
}

/* ---- a cycle */

/* The switch before a cycle. */
struct before {
  ut_mask in_up, out_up, arrivals; /* arrivals: input ports at which a head is on the wire */
  struct {
    uint64_t header; /* of the front flit */
    uint8_t state;
  } vc[UT_MAX_PORTS][UT_MAX_VCS];
  struct {
    uint64_t header;
    uint8_t vc;
  } arrival[UT_MAX_PORTS];
};

static void look_before(struct before *b, const struct ut_network *n, uint32_t sw) {
  const struct ut_group *g = ut_network_group(n, sw);
  const struct ut_switch *s = ut_network_switch(n, sw);
  b->in_up = n->in_up[sw];
  b->out_up = n->out_up[sw];
  b->arrivals = 0;
  for (unsigned ip = 0; ip < g->shape.pi; ip++) {
    const uint64_t *flit = ut_topology_source(&n->topology, sw, ip).kind == UT_PEER_NONE
                               ? NULL
                               : ut_network_flit_at(n, n->cycle, &(struct ut_peer){sw, (uint8_t)ip, UT_PEER_SWITCH});
    if (flit && ut_flit_tag(flit[n->words]) & UT_KIND_HEAD) {
      b->arrivals |= ut_bit(ip);
      b->arrival[ip].header = flit[0];
      b->arrival[ip].vc = (uint8_t)ut_flit_vc(flit[n->words]);
    }
    for (unsigned v = 0; v < n->v; v++) {
      b->vc[ip][v].state = (uint8_t)ut_reg_state(g, s, ip, v);
      b->vc[ip][v].header = ut_reg_count(g, s, ip, v) ? ut_reg_peek(g, s, ip, v, 0)[0] : 0;
    }
  }
}

static void add_links(struct ut_switch_events *e, uint64_t cycle, ut_mask before, ut_mask now,
                      enum ut_switch_event_kind down, enum ut_switch_event_kind up) {
  UT_FOR_EACH (port, before ^ now)
    add(e, (struct ut_switch_event){.cycle = cycle, .kind = now >> port & 1 ? up : down, .port = (uint8_t)port});
}

static void add_granted(struct ut_switch_events *e, const struct ut_network *n, uint32_t sw, const struct before *b) {
  const struct ut_group *g = ut_network_group(n, sw);
  const struct ut_switch *s = ut_network_switch(n, sw);
  for (unsigned ip = 0; ip < g->shape.pi; ip++)
    for (unsigned v = 0; v < n->v; v++)
      if (b->vc[ip][v].state != UT_VC_STATE_ACTIVE && ut_reg_state(g, s, ip, v) == UT_VC_STATE_ACTIVE)
        add(e, (struct ut_switch_event){.cycle = n->cycle - 1,
                                        .header = b->vc[ip][v].header,
                                        .kind = UT_SWITCH_GRANTED,
                                        .port = (uint8_t)ip,
                                        .vc = (uint8_t)v,
                                        .out_port = (uint8_t)ut_reg_out_port(g, s, ip, v),
                                        .out_vc = (uint8_t)ut_reg_out_vc(g, s, ip, v)});
}

static void add_sent(struct ut_switch_events *e, const struct ut_network *n, uint32_t sw) {
  const struct ut_group *g = ut_network_group(n, sw);
  const struct ut_switch *s = ut_network_switch(n, sw);
  UT_FOR_EACH (op, ut_reg_valid(g, s)) {
    const uint64_t *flit = ut_reg_flit(g, s, op);
    const unsigned tag = ut_flit_tag(flit[n->words]);
    if (tag & (UT_KIND_HEAD | UT_KIND_TAIL))
      add(e, (struct ut_switch_event){.cycle = n->cycle - 1,
                                      .header = tag & UT_KIND_HEAD ? flit[0] : 0,
                                      .kind = tag & UT_KIND_HEAD ? UT_SWITCH_LEAVES : UT_SWITCH_TAIL_LEAVES,
                                      .port = (uint8_t)op,
                                      .vc = (uint8_t)ut_flit_vc(flit[n->words])});
  }
}

void ut_switch_events_step(struct ut_switch_events *e, struct ut_network *n, uint32_t sw) {
  struct before b;
  look_before(&b, n, sw);
  ut_network_step(n);
  const uint64_t cycle = n->cycle - 1;
  add_links(e, cycle, b.in_up, n->in_up[sw], UT_SWITCH_IN_DOWN, UT_SWITCH_IN_UP);
  add_links(e, cycle, b.out_up, n->out_up[sw], UT_SWITCH_OUT_DOWN, UT_SWITCH_OUT_UP);
  UT_FOR_EACH (ip, b.arrivals & b.in_up & n->in_up[sw]) /* else it is lost */
    add(e, (struct ut_switch_event){.cycle = cycle,
                                    .header = b.arrival[ip].header,
                                    .kind = UT_SWITCH_ARRIVES,
                                    .port = (uint8_t)ip,
                                    .vc = b.arrival[ip].vc});
  add_granted(e, n, sw, &b);
  add_sent(e, n, sw);
}

/* ---- words */

static const char *const name[] = {[UT_SWITCH_IN_DOWN] = "input_link_down",
                                   [UT_SWITCH_IN_UP] = "input_link_up",
                                   [UT_SWITCH_OUT_DOWN] = "output_link_down",
                                   [UT_SWITCH_OUT_UP] = "output_link_up",
                                   [UT_SWITCH_ARRIVES] = "arrives",
                                   [UT_SWITCH_GRANTED] = "granted",
                                   [UT_SWITCH_LEAVES] = "leaves",
                                   [UT_SWITCH_TAIL_LEAVES] = "tail_leaves"};
_Static_assert(sizeof name / sizeof *name == UT_SWITCH_EVENT_KINDS, "a name for each kind");

const char *ut_switch_event_name(enum ut_switch_event_kind kind) {
  return name[kind];
}

static bool at_input(enum ut_switch_event_kind kind) {
  return kind == UT_SWITCH_IN_DOWN || kind == UT_SWITCH_IN_UP || kind == UT_SWITCH_ARRIVES || kind == UT_SWITCH_GRANTED;
}

/* The other end of the link: " from 1.3", " to terminal 5". */
static const char *other_end(const struct ut_topology *t, uint32_t sw, const struct ut_switch_event *e, char text[48]) {
  const bool input = at_input(e->kind);
  const struct ut_peer p = input ? ut_topology_source(t, sw, e->port) : t->peer[(size_t)sw * t->po + e->port];
  char other[UT_SWITCH_NAME_SIZE];
  text[0] = '\0';
  if (p.kind == UT_PEER_SWITCH)
    snprintf(text, 48, " %s %s", input ? "from" : "to", ut_topology_switch_name(t, p.index, other));
  else if (p.kind == UT_PEER_TERMINAL)
    snprintf(text, 48, " %s terminal %u", input ? "from" : "to", (unsigned)p.index);
  return text;
}

const char *ut_switch_event_text(const struct ut_network *n, uint32_t sw, const struct ut_switch_event *e,
                                 char text[UT_SWITCH_EVENT_SIZE]) {
  char packet[64], end[48];
  snprintf(packet, sizeof packet, "packet %u:%u to %u", ut_header_src(e->header), ut_header_tag(e->header),
           ut_header_dst(e->header));
  other_end(&n->topology, sw, e, end);
  switch (e->kind) {
  case UT_SWITCH_IN_DOWN:
  case UT_SWITCH_IN_UP:
    snprintf(text, UT_SWITCH_EVENT_SIZE, "input port %u%s: its link is %s", e->port, end,
             e->kind == UT_SWITCH_IN_UP ? "up again" : "down");
    break;
  case UT_SWITCH_OUT_DOWN:
  case UT_SWITCH_OUT_UP:
    snprintf(text, UT_SWITCH_EVENT_SIZE, "output port %u%s: its link is %s", e->port, end,
             e->kind == UT_SWITCH_OUT_UP ? "up again" : "down");
    break;
  case UT_SWITCH_ARRIVES:
    snprintf(text, UT_SWITCH_EVENT_SIZE, "%s arrives at input port %u VC %u%s", packet, e->port, e->vc, end);
    break;
  case UT_SWITCH_GRANTED:
    snprintf(text, UT_SWITCH_EVENT_SIZE, "%s at input port %u VC %u is given output port %u VC %u", packet, e->port,
             e->vc, e->out_port, e->out_vc);
    break;
  case UT_SWITCH_LEAVES:
    snprintf(text, UT_SWITCH_EVENT_SIZE, "%s leaves by output port %u VC %u%s", packet, e->port, e->vc, end);
    break;
  default: snprintf(text, UT_SWITCH_EVENT_SIZE, "a tail leaves by output port %u VC %u%s", e->port, e->vc, end); break;
  }
  return text;
}
