/* SPDX-License-Identifier: Apache-2.0 */
/* switch_events.c - see switch_events.h */
#include "switch_events.h"

#include <stdio.h>
#include <stdlib.h>

#include "registers.h"

static void add(struct ut_switch_events *events, struct ut_switch_event event) {
  if (events->count == events->room) {
    const size_t room = events->room ? 2 * events->room : 64;
    struct ut_switch_event *bigger = realloc(events->event, room * sizeof *bigger);
    events->failure |= !bigger;
    if (!bigger)
      return;
    events->event = bigger;
    events->room = room;
  }
  events->event[events->count++] = event;
}

void ut_switch_events_free(struct ut_switch_events *events) {
  free(events->event);
  *events = (struct ut_switch_events){0};
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

static void look_before(struct before *before, const struct ut_network *net, uint32_t sw) {
  const struct ut_group *group = ut_network_group(net, sw);
  const struct ut_switch *golden = ut_network_switch(net, sw);
  before->in_up = net->in_up[sw];
  before->out_up = net->out_up[sw];
  before->arrivals = 0;
  for (unsigned ip = 0; ip < group->shape.pi; ip++) {
    const uint64_t *flit =
        ut_topology_source(net->topology, sw, ip).kind == UT_PEER_NONE
            ? NULL
            : ut_network_flit_at(net, net->cycle, &(struct ut_peer){sw, (uint8_t)ip, UT_PEER_SWITCH});
    if (flit && ut_flit_tag(flit[net->words]) & UT_KIND_HEAD) {
      before->arrivals |= ut_bit(ip);
      before->arrival[ip].header = flit[0];
      before->arrival[ip].vc = (uint8_t)ut_flit_vc(flit[net->words]);
    }
    for (unsigned v = 0; v < net->v; v++) {
      before->vc[ip][v].state = (uint8_t)ut_reg_state(group, golden, ip, v);
      before->vc[ip][v].header = ut_reg_count(group, golden, ip, v) ? ut_reg_peek(group, golden, ip, v, 0)[0] : 0;
    }
  }
}

static void add_links(struct ut_switch_events *events, uint64_t cycle, ut_mask before, ut_mask now,
                      enum ut_switch_event_kind down, enum ut_switch_event_kind up) {
  UT_FOR_EACH (port, before ^ now)
    add(events, (struct ut_switch_event){.cycle = cycle, .kind = now >> port & 1 ? up : down, .port = (uint8_t)port});
}

static void add_granted(struct ut_switch_events *events, const struct ut_network *net, uint32_t sw,
                        const struct before *before) {
  const struct ut_group *group = ut_network_group(net, sw);
  const struct ut_switch *golden = ut_network_switch(net, sw);
  for (unsigned ip = 0; ip < group->shape.pi; ip++)
    for (unsigned v = 0; v < net->v; v++)
      if (before->vc[ip][v].state != UT_VC_STATE_ACTIVE && ut_reg_state(group, golden, ip, v) == UT_VC_STATE_ACTIVE)
        add(events, (struct ut_switch_event){.cycle = net->cycle - 1,
                                             .header = before->vc[ip][v].header,
                                             .kind = UT_SWITCH_GRANTED,
                                             .port = (uint8_t)ip,
                                             .vc = (uint8_t)v,
                                             .out_port = (uint8_t)ut_reg_out_port(group, golden, ip, v),
                                             .out_vc = (uint8_t)ut_reg_out_vc(group, golden, ip, v)});
}

static void add_sent(struct ut_switch_events *events, const struct ut_network *net, uint32_t sw) {
  const struct ut_group *group = ut_network_group(net, sw);
  const struct ut_switch *golden = ut_network_switch(net, sw);
  UT_FOR_EACH (op, ut_reg_valid(group, golden)) {
    const uint64_t *flit = ut_reg_flit(group, golden, op);
    const unsigned tag = ut_flit_tag(flit[net->words]);
    if (tag & (UT_KIND_HEAD | UT_KIND_TAIL))
      add(events, (struct ut_switch_event){.cycle = net->cycle - 1,
                                           .header = tag & UT_KIND_HEAD ? flit[0] : 0,
                                           .kind = tag & UT_KIND_HEAD ? UT_SWITCH_LEAVES : UT_SWITCH_TAIL_LEAVES,
                                           .port = (uint8_t)op,
                                           .vc = (uint8_t)ut_flit_vc(flit[net->words])});
  }
}

void ut_switch_events_step(struct ut_switch_events *events, struct ut_network *net, uint32_t sw) {
  struct before before;
  look_before(&before, net, sw);
  ut_network_step(net);
  const uint64_t cycle = net->cycle - 1;
  add_links(events, cycle, before.in_up, net->in_up[sw], UT_SWITCH_IN_DOWN, UT_SWITCH_IN_UP);
  add_links(events, cycle, before.out_up, net->out_up[sw], UT_SWITCH_OUT_DOWN, UT_SWITCH_OUT_UP);
  UT_FOR_EACH (ip, before.arrivals & before.in_up & net->in_up[sw]) /* else it is lost */
    add(events, (struct ut_switch_event){.cycle = cycle,
                                         .header = before.arrival[ip].header,
                                         .kind = UT_SWITCH_ARRIVES,
                                         .port = (uint8_t)ip,
                                         .vc = before.arrival[ip].vc});
  add_granted(events, net, sw, &before);
  add_sent(events, net, sw);
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
static const char *other_end(const struct ut_topology *topo, uint32_t sw, const struct ut_switch_event *event,
                             char text[48]) {
  const bool input = at_input(event->kind);
  const struct ut_peer peer =
      input ? ut_topology_source(topo, sw, event->port) : topo->peer[(size_t)sw * topo->po + event->port];
  char other[UT_SWITCH_NAME_SIZE];
  text[0] = '\0';
  if (peer.kind == UT_PEER_SWITCH)
    snprintf(text, 48, " %s %s", input ? "from" : "to", ut_topology_switch_name(topo, peer.index, other));
  else if (peer.kind == UT_PEER_TERMINAL)
    snprintf(text, 48, " %s terminal %u", input ? "from" : "to", (unsigned)peer.index);
  return text;
}

const char *ut_switch_event_text(const struct ut_network *net, uint32_t sw, const struct ut_switch_event *event,
                                 char text[UT_SWITCH_EVENT_SIZE]) {
  char packet[64], end[48];
  snprintf(packet, sizeof packet, "packet %u:%u to %u", ut_header_src(event->header), ut_header_tag(event->header),
           ut_header_dst(event->header));
  other_end(net->topology, sw, event, end);
  switch (event->kind) {
  case UT_SWITCH_IN_DOWN:
  case UT_SWITCH_IN_UP:
    snprintf(text, UT_SWITCH_EVENT_SIZE, "input port %u%s: its link is %s", event->port, end,
             event->kind == UT_SWITCH_IN_UP ? "up again" : "down");
    break;
  case UT_SWITCH_OUT_DOWN:
  case UT_SWITCH_OUT_UP:
    snprintf(text, UT_SWITCH_EVENT_SIZE, "output port %u%s: its link is %s", event->port, end,
             event->kind == UT_SWITCH_OUT_UP ? "up again" : "down");
    break;
  case UT_SWITCH_ARRIVES:
    snprintf(text, UT_SWITCH_EVENT_SIZE, "%s arrives at input port %u VC %u%s", packet, event->port, event->vc, end);
    break;
  case UT_SWITCH_GRANTED:
    snprintf(text, UT_SWITCH_EVENT_SIZE, "%s at input port %u VC %u is given output port %u VC %u", packet, event->port,
             event->vc, event->out_port, event->out_vc);
    break;
  case UT_SWITCH_LEAVES:
    snprintf(text, UT_SWITCH_EVENT_SIZE, "%s leaves by output port %u VC %u%s", packet, event->port, event->vc, end);
    break;
  default:
    snprintf(text, UT_SWITCH_EVENT_SIZE, "a tail leaves by output port %u VC %u%s", event->port, event->vc, end);
    break;
  }
  return text;
}
