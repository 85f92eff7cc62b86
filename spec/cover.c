/* SPDX-License-Identifier: Apache-2.0 */
/* cover.c - situations of a cycle that are no rules of a step, and counted all the same (cover.h). */
#include "cover.h"

#include "policies.h"
#include "ports.h"
#include "steps.h"

static void count_if(const struct spec_switch *s, bool is_so, enum spec_cover_point point) {
  if (is_so)
    spec_cover(s->cover, point);
}

/* ---- links that fail or come back: seen in this cycle, in the registers of the next one */

struct events {
  uint32_t in_fails, in_returns, out_fails, out_returns; /* ports */
};

static struct events events_of(const struct spec_switch *s, const struct spec_inputs *in) {
  uint32_t in_was = 0, out_was = 0;
  for (unsigned ip = 0; ip < s->shape.pi; ip++)
    in_was |= s->in[ip].up ? spec_port(ip) : 0;
  for (unsigned op = 0; op < s->shape.po; op++)
    out_was |= s->out[op].up ? spec_port(op) : 0;
  return (struct events){.in_fails = in_was & ~in->in_up,
                         .in_returns = in->in_up & ~in_was,
                         .out_fails = out_was & ~in->out_up,
                         .out_returns = in->out_up & ~out_was};
}

enum { INPUT_FAILS, INPUT_RETURNS, OUTPUT_FAILS, OUTPUT_RETURNS, EVENTS };
static const enum spec_cover_point state_and_event[][EVENTS] = {
    [UT_VC_STATE_ROUTING] = {COVER_ROUTING_INPUT_FAILS, COVER_ROUTING_INPUT_RETURNS, COVER_ROUTING_OUTPUT_FAILS,
                             COVER_ROUTING_OUTPUT_RETURNS},
    [UT_VC_STATE_WAITING] = {COVER_WAITING_INPUT_FAILS, COVER_WAITING_INPUT_RETURNS, COVER_WAITING_OUTPUT_FAILS,
                             COVER_WAITING_OUTPUT_RETURNS},
    [UT_VC_STATE_ACTIVE] = {COVER_ACTIVE_INPUT_FAILS, COVER_ACTIVE_INPUT_RETURNS, COVER_ACTIVE_OUTPUT_FAILS,
                            COVER_ACTIVE_OUTPUT_RETURNS},
    [UT_VC_STATE_DRAIN] = {COVER_DRAINING_INPUT_FAILS, COVER_DRAINING_INPUT_RETURNS, COVER_DRAINING_OUTPUT_FAILS,
                           COVER_DRAINING_OUTPUT_RETURNS},
};

static void look_at_state(const struct spec_switch *s, const struct events *e, unsigned ip,
                          const struct spec_input_vc *vc) {
  if (vc->state == UT_VC_STATE_IDLE)
    return;
  const enum spec_cover_point *point = state_and_event[vc->state];
  count_if(s, spec_has_port(e->in_fails, ip), point[INPUT_FAILS]);
  count_if(s, spec_has_port(e->in_returns, ip), point[INPUT_RETURNS]);
  count_if(s, e->out_fails, point[OUTPUT_FAILS]);
  count_if(s, e->out_returns, point[OUTPUT_RETURNS]);
}

/* Packets that a failed link cuts, on either side. */
static void look_at_cuts(const struct spec_switch *s, const struct events *e, unsigned ip,
                         const struct spec_input_vc *vc, const struct spec_decision *d) {
  const bool fails_in_packet = vc->open && spec_has_port(e->in_fails, ip), cut_off = spec_is_cut_off(s, vc);
  const bool head_is_here = vc->count && spec_front_is_head(vc), dead = !s->in[ip].up || vc->cut;
  const bool waits = s->shape.switching == UT_WORMHOLE && vc->count == s->shape.depth;
  count_if(s, fails_in_packet, COVER_OPEN_INPUT_FAILS);
  count_if(s, fails_in_packet && head_is_here && vc->state != UT_VC_STATE_ACTIVE, COVER_OPEN_INPUT_FAILS_UNGRANTED);
  count_if(s, cut_off && head_is_here, COVER_OWN_OUTPUT_FAILS_AT_HEAD);
  count_if(s, cut_off && !head_is_here, COVER_OWN_OUTPUT_FAILS_IN_MIDDLE);
  count_if(s, cut_off && vc->cross, COVER_OWN_OUTPUT_FAILS_WHILE_WINNING);
  count_if(s, d->granted && spec_has_port(e->out_fails, d->port), COVER_OWN_OUTPUT_FAILS_IN_GRANTING);
  count_if(s, dead && vc->open, waits ? COVER_BAD_TAIL_WAITS : COVER_BAD_TAIL_ADDED);
  count_if(s, d->leaves && spec_front(vc)->bad, COVER_BAD_TAIL_LEAVES);
  count_if(s, spec_is_stray_tail(vc), COVER_STRAY_TAIL);
  count_if(s, vc->state == UT_VC_STATE_DRAIN && !vc->count, COVER_DRAIN_WAITS);
}

/* ---- routes */

static void look_at_route(const struct spec_switch *s, const struct spec_input_vc *vc, const struct spec_decision *d) {
  const bool strips = d->routed && d->answer.strip;
  count_if(s, d->stale && s->stale_link, COVER_STALE_BY_LINK);
  count_if(s, d->stale && vc->answer.uses_state && s->reroute.stale, COVER_STALE_BY_VECTOR);
  count_if(s, d->stale && s->nodes.stale, COVER_STALE_BY_NODES);
  count_if(s, d->stale && !d->routed, COVER_STALE_WAITS);
  count_if(s, d->purged, COVER_PACKET_PURGED);
  count_if(s, d->routed && d->answer.discard, COVER_PACKET_UNREACHABLE);
  count_if(s, strips && d->strips, COVER_SUB_PATH_ENDS);
  count_if(s, strips && !d->strips, COVER_SUB_PATH_WAITS);
  count_if(s, d->strips && vc->buffer[(vc->read + 1) % s->shape.depth].bad, COVER_SUB_PATH_CUT);
}

/* In networks of levels the second half of the ports leads up: the head of a packet from above goes up again. */
static void look_at_u_turn(const struct spec_switch *s, unsigned ip, const struct spec_input_vc *vc,
                           const struct spec_decision *d) {
  const bool has_levels = !s->shape.size[0] && !s->shape.cube && !s->shape.radix;
  const bool from_above = ip >= s->shape.pi / 2, to_above = d->port >= s->shape.po / 2;
  count_if(s, has_levels && from_above && d->leaves && to_above && spec_front_is_head(vc), COVER_U_TURN_LEAVES);
}

/* ---- allocation */

/* Of the candidates of a packet that may bid. */
struct fit {
  bool ring_is_closed; /* a VC has room for one packet, but not for two */
  uint32_t ports;
};

static struct fit fit_of(const struct spec_switch *s, const struct spec_answer *a) {
  struct fit fit = {.ring_is_closed = false};
  for (unsigned ovc = 0; ovc < s->shape.v; ovc++) {
    fit.ports |= a->cand[ovc];
    for (unsigned op = 0; op < s->shape.po; op++) {
      const bool up = spec_has_port(a->cand[ovc], op) && s->out[op].up;
      fit.ring_is_closed |= up && spec_has_port(a->bubble[ovc], op) && !s->out[op].vc[ovc].owned &&
                            spec_can_take(s, op, ovc, false) && !spec_can_take(s, op, ovc, true);
    }
  }
  return fit;
}

static void look_at_grant(const struct spec_switch *s, const struct spec_answer *a, const struct spec_decision *d) {
  const struct ut_shape *shape = &s->shape;
  const bool enters = spec_has_port(a->bubble[d->vc], d->port), preferred = spec_has_port(a->preferred[d->vc], d->port);
  const bool of_ring = UT_ALG_BUBBLE(shape->route, shape->algorithm) && d->vc >= spec_adaptive_vcs(shape);
  count_if(s, enters, COVER_BUBBLE_GRANTED);
  count_if(s, of_ring && !enters && !spec_is_local(shape, d->port), COVER_BUBBLE_STAYS);
  if (UT_ALG_PREFERRED(shape->route, shape->algorithm))
    spec_cover(s->cover, preferred ? COVER_PREFERRED_TAKEN : COVER_ESCAPE_TAKEN);
}

static void look_at_bid(const struct spec_switch *s, const struct spec_input_vc *vc, const struct spec_decision *d) {
  const struct spec_answer *a = spec_bids_with(s, vc, d);
  if (!a)
    return;
  const struct fit fit = fit_of(s, a);
  count_if(s, !d->bids, COVER_BID_WITHOUT_SPACE);
  count_if(s, fit.ring_is_closed, COVER_BUBBLE_REFUSED);
  count_if(s, d->granted && spec_count_ports(fit.ports) > 1, COVER_SELECT_OF_CHOICE);
  if (d->granted)
    look_at_grant(s, a, d);
}

/* Who asks for one thing: how many VCs, of which input ports. */
struct requests {
  unsigned count, lowest, highest; /* ranks */
  uint32_t ports, locals;
};

static void add_request(const struct spec_switch *s, unsigned ip, unsigned ivc, struct requests *r) {
  const unsigned rank = spec_rank(s, ip, ivc);
  r->lowest = r->count && r->lowest < rank ? r->lowest : rank;
  r->highest = r->highest > rank ? r->highest : rank;
  r->count++;
  r->ports |= spec_port(ip);
  r->locals |= spec_is_local(&s->shape, ip) ? spec_port(ip) : 0;
}

static void look_at_output_vc(const struct spec_switch *s, const struct spec_cycle *c, unsigned op, unsigned ovc) {
  struct requests bids = {.count = 0};
  EACH_INPUT_VC (s, ip, ivc) {
    const struct spec_decision *d = &c->vc[ip][ivc];
    if (d->bids && d->port == op && d->vc == ovc)
      add_request(s, ip, ivc, &bids);
  }
  const bool local_goes_first = s->shape.local_first && bids.locals && bids.ports & ~bids.locals;
  count_if(s, bids.count == 1, COVER_GRANT_ALONE);
  count_if(s, bids.count == 2, COVER_GRANT_OF_TWO);
  count_if(s, bids.count >= 3, COVER_GRANT_OF_THREE);
  count_if(s, bids.count && spec_count_ports(bids.ports) + 1 >= s->shape.pi, COVER_GRANT_OF_ALL_PORTS);
  count_if(s, bids.lowest < bids.highest, COVER_RANK_DECIDES);
  count_if(s, local_goes_first, COVER_LOCAL_GOES_FIRST);
}

static void look_at_crossbar_output(const struct spec_switch *s, const struct spec_cycle *c, unsigned op) {
  struct requests requests = {.count = 0};
  EACH_INPUT_VC (s, ip, ivc)
    if (c->vc[ip][ivc].requests && c->vc[ip][ivc].port == op)
      add_request(s, ip, ivc, &requests);
  count_if(s, requests.count == 2, COVER_CROSSBAR_OF_TWO);
  count_if(s, requests.count >= 3, COVER_CROSSBAR_OF_THREE);
  count_if(s, requests.count && spec_count_ports(requests.ports) + 1 >= s->shape.pi, COVER_CROSSBAR_OF_ALL_PORTS);
}

static void look_at_input_port(const struct spec_switch *s, const struct spec_cycle *c, unsigned ip) {
  unsigned request = 0, want_route = 0;
  for (unsigned ivc = 0; ivc < s->shape.v; ivc++) {
    const struct spec_input_vc *vc = &s->in[ip].vc[ivc];
    const bool head_has_come = vc->state == UT_VC_STATE_IDLE && vc->count && !spec_is_stray_tail(vc);
    request += c->vc[ip][ivc].requests;
    want_route += head_has_come || c->vc[ip][ivc].stale;
  }
  count_if(s, want_route > 1, COVER_ROUTES_TWO_ASK);
  count_if(s, request == 2, COVER_INPUT_OF_TWO);
  count_if(s, s->shape.v > 1 && request == s->shape.v, COVER_INPUT_OF_ALL_VCS);
}

/* ---- buffers and credits of input VCs */

static bool accepts(const struct spec_switch *s, const struct spec_inputs *in, unsigned ip, unsigned ivc) {
  return in->arrival[ip].valid && in->arrival[ip].vc == ivc && s->in[ip].up && in->in_up >> ip & 1;
}

static bool holds_two_packets(const struct ut_shape *shape, const struct spec_input_vc *vc) {
  for (unsigned i = 1; i < vc->count; i++)
    if (vc->buffer[(vc->read + i) % shape->depth].head)
      return true;
  return false;
}

static void look_at_buffer(const struct spec_switch *s, const struct spec_cycle *c, unsigned ip, unsigned ivc) {
  const struct spec_input_vc *vc = &s->in[ip].vc[ivc];
  const struct spec_decision *d = &c->vc[ip][ivc];
  const bool full = vc->count == s->shape.depth, told = vc->pending_credits && s->in[ip].up && !vc->cut;
  const bool active = vc->state == UT_VC_STATE_ACTIVE && vc->count && s->out[vc->out_port].up;
  count_if(s, full, COVER_BUFFER_FULL);
  count_if(s, full && d->leaves, COVER_BUFFER_FULL_LEAVES);
  count_if(s, vc->count == 1 && d->leaves && accepts(s, c->in, ip, ivc), COVER_BUFFER_PASSED);
  count_if(s, holds_two_packets(&s->shape, vc), COVER_BUFFER_OF_TWO_PACKETS);
  count_if(s, d->leaves && spec_front_is_head(vc) && spec_front(vc)->tail, COVER_PACKET_OF_ONE_FLIT);
  count_if(s, vc->credit, COVER_CREDIT_RETURNED);
  count_if(s, told, COVER_CREDIT_PENDING);
  count_if(s, told && d->leaves, COVER_CREDIT_PENDING_IN_USE);
  count_if(s, !s->in[ip].up && spec_has_port(c->in->in_up, ip) && vc->count, COVER_CREDIT_PENDING_WITH_FLITS);
  count_if(s, active && spec_free_places(s, vc->out_port, vc->out_vc) == 0, COVER_CREDITS_NONE);
}

/* ---- output ports */

static void look_at_credits(const struct spec_switch *s, const struct spec_cycle *c, unsigned op, unsigned ovc) {
  const struct spec_output_vc *vc = &s->out[op].vc[ovc];
  const bool comes = c->in->credit[op][ovc], up = s->out[op].up;
  const bool spent = s->shape.output_depth ? c->transmits[op] == (int)ovc : c->sends[op][ovc];
  count_if(s, comes && up && spent, COVER_CREDIT_SPENT_AND_BACK);
  count_if(s, comes && up && !spent && vc->credits + 1 == s->shape.depth, COVER_CREDITS_ALL);
  count_if(s, comes && !up, COVER_CREDIT_LOST);
  if (!s->shape.output_depth)
    return;
  count_if(s, vc->count == s->shape.output_depth, COVER_QUEUE_FULL);
  count_if(s, vc->count && !up, COVER_QUEUE_LOST);
}

/* Returns whether a flit leaves through the port. */
static bool look_at_output(const struct spec_switch *s, const struct spec_cycle *c, unsigned op) {
  unsigned queues = 0;
  bool sends = false;
  look_at_crossbar_output(s, c, op);
  for (unsigned ovc = 0; ovc < s->shape.v; ovc++) {
    look_at_output_vc(s, c, op, ovc);
    look_at_credits(s, c, op, ovc);
    queues += s->out[op].vc[ovc].count > 0;
    sends |= c->sends[op][ovc];
  }
  count_if(s, queues > 1, COVER_LINK_OF_TWO_QUEUES);
  return sends;
}

void spec_cover_cycle(const struct spec_switch *s, const struct spec_cycle *c) {
  const struct events e = events_of(s, c->in);
  bool all_full = true, all_send = true;
  EACH_INPUT_VC (s, ip, ivc) {
    const struct spec_input_vc *vc = &s->in[ip].vc[ivc];
    const struct spec_decision *d = &c->vc[ip][ivc];
    look_at_state(s, &e, ip, vc);
    look_at_cuts(s, &e, ip, vc, d);
    look_at_route(s, vc, d);
    look_at_u_turn(s, ip, vc, d);
    look_at_bid(s, vc, d);
    look_at_buffer(s, c, ip, ivc);
    all_full &= vc->count == s->shape.depth;
  }
  for (unsigned ip = 0; ip < s->shape.pi; ip++)
    look_at_input_port(s, c, ip);
  for (unsigned op = 0; op < s->shape.po; op++)
    all_send &= look_at_output(s, c, op);
  count_if(s, all_full, COVER_BUFFERS_ALL_FULL);
  count_if(s, all_send, COVER_ALL_OUTPUTS_SEND);
}

/* ---- registers of a routing family: what they were, and what they have become */

void spec_cover_reroute_vector(const struct spec_switch *s, const struct spec_reroute_vector *old, uint32_t set) {
  const struct spec_reroute_vector *now = &s->reroute;
  const unsigned k = s->shape.po / 2, timeout = ut_level_strap_timeout(s->straps);
  const bool restarts = old->vector && timeout && set, repair = ut_level_strap_repair(s->straps);
  count_if(s, now->vector & ~old->vector, COVER_VECTOR_SET);
  count_if(s, set & (set - 1), COVER_VECTOR_SET_BY_TWO);
  count_if(s, set & old->vector, COVER_VECTOR_SET_BEFORE);
  count_if(s, spec_count_ports(now->vector) == k && spec_count_ports(old->vector) < k, COVER_VECTOR_ALL_SET);
  count_if(s, now->timer > old->timer, COVER_TIMER_RUNS);
  count_if(s, restarts && old->timer, COVER_TIMER_RESTARTS);
  count_if(s, restarts && old->timer + 1 == timeout, COVER_TIMER_RESTARTS_AT_LAST);
  count_if(s, repair && old->vector & ~old->neighbour, COVER_VECTOR_CLEARED_BY_REPORT);
  count_if(s, repair && set & ~old->neighbour, COVER_VECTOR_NOT_SET);
  count_if(s, now->neighbour & ~old->neighbour, COVER_NEIGHBOUR_REPORTS);
  count_if(s, old->neighbour & ~now->neighbour, COVER_NEIGHBOUR_RECOVERS);
  count_if(s, now->far && !old->far, COVER_FAR_REPORTED);
}

void spec_cover_node_states(const struct spec_switch *s, const struct spec_node_states *old) {
  const struct spec_node_states *now = &s->nodes;
  count_if(s, now->bad & ~old->bad, COVER_NODE_BAD);
  count_if(s, now->unsafe && !old->unsafe, COVER_NODE_UNSAFE);
  count_if(s, !now->unsafe && old->unsafe, COVER_NODE_SAFE_AGAIN);
  count_if(s, now->disabled && !old->disabled, COVER_NODE_DISABLED);
  count_if(s, now->diagonal & ~old->diagonal, COVER_NODE_BAD_ACROSS);
  count_if(s, now->border & ~old->border, COVER_NODE_AT_BORDER);
  count_if(s, now->refuses && !old->refuses, COVER_ORDER_REFUSE);
  count_if(s, !now->refuses && old->refuses, COVER_ORDER_ACCEPT);
  count_if(s, now->restart && !old->restart, COVER_ORDER_RESTART);
  count_if(s, !now->restart && old->restart, COVER_ORDER_RESUME);
  count_if(s, now->purge, COVER_ORDER_PURGE);
}
