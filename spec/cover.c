/* SPDX-License-Identifier: Apache-2.0 */
/* cover.c - counts situations of a cycle that are not the rule of a step (cover.h). */
#include "cover.h"

#include "policies.h"
#include "ports.h"
#include "steps.h"

static void count_if(const struct spec_switch *sw, bool is_so, enum spec_cover_point point) {
  if (is_so)
    spec_cover(sw->cover, point);
}

/* ---- links that fail or come back: detected by comparing the registers of this and the next cycle */

struct events {
  uint64_t in_fails, in_returns, out_fails, out_returns; /* ports */
};

static struct events events_of(const struct spec_switch *sw, const struct spec_inputs *in) {
  uint64_t in_was = 0, out_was = 0;
  for (unsigned ip = 0; ip < sw->shape.pi; ip++)
    in_was |= sw->in[ip].up ? spec_port(ip) : 0;
  for (unsigned op = 0; op < sw->shape.po; op++)
    out_was |= sw->out[op].up ? spec_port(op) : 0;
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

static void look_at_state(const struct spec_switch *sw, const struct events *events, unsigned ip,
                          const struct spec_input_vc *vc) {
  if (vc->state == UT_VC_STATE_IDLE)
    return;
  const enum spec_cover_point *point = state_and_event[vc->state];
  count_if(sw, spec_has_port(events->in_fails, ip), point[INPUT_FAILS]);
  count_if(sw, spec_has_port(events->in_returns, ip), point[INPUT_RETURNS]);
  count_if(sw, events->out_fails, point[OUTPUT_FAILS]);
  count_if(sw, events->out_returns, point[OUTPUT_RETURNS]);
}

/* Counts packets that a failed link cuts, on either side. */
static void look_at_cuts(const struct spec_switch *sw, const struct events *events, unsigned ip,
                         const struct spec_input_vc *vc, const struct spec_decision *decision) {
  const bool fails_in_packet = vc->open && spec_has_port(events->in_fails, ip), cut_off = spec_is_cut_off(sw, vc);
  const bool head_is_here = vc->count && spec_front_is_head(vc), dead = !sw->in[ip].up || vc->cut;
  const bool waits = sw->shape.switching == UT_WORMHOLE && vc->count == sw->shape.depth;
  count_if(sw, fails_in_packet, COVER_OPEN_INPUT_FAILS);
  count_if(sw, fails_in_packet && head_is_here && vc->state != UT_VC_STATE_ACTIVE, COVER_OPEN_INPUT_FAILS_UNGRANTED);
  count_if(sw, cut_off && head_is_here, COVER_OWN_OUTPUT_FAILS_AT_HEAD);
  count_if(sw, cut_off && !head_is_here, COVER_OWN_OUTPUT_FAILS_IN_MIDDLE);
  count_if(sw, cut_off && vc->cross, COVER_OWN_OUTPUT_FAILS_WHILE_WINNING);
  count_if(sw, decision->granted && spec_has_port(events->out_fails, decision->port),
           COVER_OWN_OUTPUT_FAILS_IN_GRANTING);
  count_if(sw, dead && vc->open, waits ? COVER_BAD_TAIL_WAITS : COVER_BAD_TAIL_ADDED);
  count_if(sw, decision->leaves && spec_front(vc)->bad, COVER_BAD_TAIL_LEAVES);
  count_if(sw, spec_is_stray_tail(vc), COVER_STRAY_TAIL);
  count_if(sw, vc->state == UT_VC_STATE_DRAIN && !vc->count, COVER_DRAIN_WAITS);
}

/* ---- routes */

static void look_at_route(const struct spec_switch *sw, const struct spec_input_vc *vc,
                          const struct spec_decision *decision) {
  const bool strips = decision->routed && decision->answer.strip;
  count_if(sw, decision->stale && sw->stale_link, COVER_STALE_BY_LINK);
  count_if(sw, decision->stale && vc->answer.uses_state && sw->reroute.stale, COVER_STALE_BY_VECTOR);
  count_if(sw, decision->stale && sw->nodes.stale, COVER_STALE_BY_NODES);
  count_if(sw, decision->stale && !decision->routed, COVER_STALE_WAITS);
  count_if(sw, decision->purged, COVER_PACKET_PURGED);
  count_if(sw, decision->routed && decision->answer.discard, COVER_PACKET_UNREACHABLE);
  count_if(sw, strips && decision->strips, COVER_SUB_PATH_ENDS);
  count_if(sw, strips && !decision->strips, COVER_SUB_PATH_WAITS);
  count_if(sw, decision->strips && vc->buffer[(vc->read + 1) % sw->shape.depth].bad, COVER_SUB_PATH_CUT);
}

/* Counts heads that come from above and go up again.  In networks of levels the second half of the ports leads up. */
static void look_at_u_turn(const struct spec_switch *sw, unsigned ip, const struct spec_input_vc *vc,
                           const struct spec_decision *decision) {
  const bool has_levels = !sw->shape.size[0] && !sw->shape.cube && !sw->shape.radix && !sw->shape.root;
  const bool from_above = ip >= sw->shape.pi / 2, to_above = decision->port >= sw->shape.po / 2;
  count_if(sw, has_levels && from_above && decision->leaves && to_above && spec_front_is_head(vc), COVER_U_TURN_LEAVES);
}

/* ---- allocation */

/* The candidates of a packet that may bid. */
struct fit {
  bool ring_is_closed; /* a VC has space for one packet, but not for two */
  uint64_t ports;
};

static struct fit fit_of(const struct spec_switch *sw, const struct spec_answer *answer) {
  struct fit fit = {.ring_is_closed = false};
  for (unsigned ovc = 0; ovc < sw->shape.v; ovc++) {
    fit.ports |= answer->cand[ovc];
    for (unsigned op = 0; op < sw->shape.po; op++) {
      const bool up = spec_has_port(answer->cand[ovc], op) && sw->out[op].up;
      fit.ring_is_closed |= up && spec_has_port(answer->bubble[ovc], op) && !sw->out[op].vc[ovc].owned &&
                            spec_can_take(sw, op, ovc, false) && !spec_can_take(sw, op, ovc, true);
    }
  }
  return fit;
}

static void look_at_grant(const struct spec_switch *sw, const struct spec_answer *answer,
                          const struct spec_decision *decision) {
  const struct ut_shape *shape = &sw->shape;
  const bool enters = spec_has_port(answer->bubble[decision->vc], decision->port),
             preferred = spec_has_port(answer->preferred[decision->vc], decision->port);
  const bool of_ring = UT_ALG_BUBBLE(shape->route, shape->algorithm) && decision->vc >= spec_adaptive_vcs(shape);
  count_if(sw, enters, COVER_BUBBLE_GRANTED);
  count_if(sw, of_ring && !enters && !spec_is_local(shape, decision->port), COVER_BUBBLE_STAYS);
  if (UT_ALG_PREFERRED(shape->route, shape->algorithm))
    spec_cover(sw->cover, preferred ? COVER_PREFERRED_TAKEN : COVER_ESCAPE_TAKEN);
}

static void look_at_bid(const struct spec_switch *sw, const struct spec_input_vc *vc,
                        const struct spec_decision *decision) {
  const struct spec_answer *answer = spec_bids_with(sw, vc, decision);
  if (!answer)
    return;
  const struct fit fit = fit_of(sw, answer);
  count_if(sw, !decision->bids, COVER_BID_WITHOUT_SPACE);
  count_if(sw, fit.ring_is_closed, COVER_BUBBLE_REFUSED);
  count_if(sw, decision->granted && spec_count_ports(fit.ports) > 1, COVER_SELECT_OF_CHOICE);
  if (decision->granted)
    look_at_grant(sw, answer, decision);
}

/* The requests for one resource: how many VCs ask, at which input ports. */
struct requests {
  unsigned count, lowest, highest; /* ranks */
  uint64_t ports, locals;
};

static void add_request(const struct spec_switch *sw, unsigned ip, unsigned ivc, struct requests *requests) {
  const unsigned rank = spec_rank(sw, ip, ivc);
  requests->lowest = requests->count && requests->lowest < rank ? requests->lowest : rank;
  requests->highest = requests->highest > rank ? requests->highest : rank;
  requests->count++;
  requests->ports |= spec_port(ip);
  requests->locals |= spec_is_local(&sw->shape, ip) ? spec_port(ip) : 0;
}

static void look_at_output_vc(const struct spec_switch *sw, const struct spec_cycle *cycle, unsigned op, unsigned ovc) {
  struct requests bids = {.count = 0};
  EACH_INPUT_VC (sw, ip, ivc) {
    const struct spec_decision *decision = &cycle->vc[ip][ivc];
    if (decision->bids && decision->port == op && decision->vc == ovc)
      add_request(sw, ip, ivc, &bids);
  }
  const bool local_goes_first = sw->shape.local_first && bids.locals && bids.ports & ~bids.locals;
  count_if(sw, bids.count == 1, COVER_GRANT_ALONE);
  count_if(sw, bids.count == 2, COVER_GRANT_OF_TWO);
  count_if(sw, bids.count >= 3, COVER_GRANT_OF_THREE);
  count_if(sw, bids.count && spec_count_ports(bids.ports) + 1 >= sw->shape.pi, COVER_GRANT_OF_ALL_PORTS);
  count_if(sw, bids.lowest < bids.highest, COVER_RANK_DECIDES);
  count_if(sw, local_goes_first, COVER_LOCAL_GOES_FIRST);
}

static void look_at_crossbar_output(const struct spec_switch *sw, const struct spec_cycle *cycle, unsigned op) {
  struct requests requests = {.count = 0};
  EACH_INPUT_VC (sw, ip, ivc)
    if (cycle->vc[ip][ivc].requests && cycle->vc[ip][ivc].port == op)
      add_request(sw, ip, ivc, &requests);
  count_if(sw, requests.count == 2, COVER_CROSSBAR_OF_TWO);
  count_if(sw, requests.count >= 3, COVER_CROSSBAR_OF_THREE);
  count_if(sw, requests.count && spec_count_ports(requests.ports) + 1 >= sw->shape.pi, COVER_CROSSBAR_OF_ALL_PORTS);
}

static void look_at_input_port(const struct spec_switch *sw, const struct spec_cycle *cycle, unsigned ip) {
  unsigned request = 0, want_route = 0;
  for (unsigned ivc = 0; ivc < sw->shape.v; ivc++) {
    const struct spec_input_vc *vc = &sw->in[ip].vc[ivc];
    const bool head_has_come = vc->state == UT_VC_STATE_IDLE && vc->count && !spec_is_stray_tail(vc);
    request += cycle->vc[ip][ivc].requests;
    want_route += head_has_come || cycle->vc[ip][ivc].stale;
  }
  count_if(sw, want_route > 1, COVER_ROUTES_TWO_ASK);
  count_if(sw, request == 2, COVER_INPUT_OF_TWO);
  count_if(sw, sw->shape.v > 1 && request == sw->shape.v, COVER_INPUT_OF_ALL_VCS);
}

/* ---- buffers and credits of input VCs */

static bool accepts(const struct spec_switch *sw, const struct spec_inputs *in, unsigned ip, unsigned ivc) {
  return in->arrival[ip].valid && in->arrival[ip].vc == ivc && sw->in[ip].up && in->in_up >> ip & 1;
}

static bool holds_two_packets(const struct ut_shape *shape, const struct spec_input_vc *vc) {
  for (unsigned i = 1; i < vc->count; i++)
    if (vc->buffer[(vc->read + i) % shape->depth].head)
      return true;
  return false;
}

static void look_at_buffer(const struct spec_switch *sw, const struct spec_cycle *cycle, unsigned ip, unsigned ivc) {
  const struct spec_input_vc *vc = &sw->in[ip].vc[ivc];
  const struct spec_decision *decision = &cycle->vc[ip][ivc];
  const bool full = vc->count == sw->shape.depth, told = vc->pending_credits && sw->in[ip].up && !vc->cut;
  const bool active = vc->state == UT_VC_STATE_ACTIVE && vc->count && sw->out[vc->out_port].up;
  count_if(sw, full, COVER_BUFFER_FULL);
  count_if(sw, full && decision->leaves, COVER_BUFFER_FULL_LEAVES);
  count_if(sw, vc->count == 1 && decision->leaves && accepts(sw, cycle->in, ip, ivc), COVER_BUFFER_PASSED);
  count_if(sw, holds_two_packets(&sw->shape, vc), COVER_BUFFER_OF_TWO_PACKETS);
  count_if(sw, decision->leaves && spec_front_is_head(vc) && spec_front(vc)->tail, COVER_PACKET_OF_ONE_FLIT);
  count_if(sw, vc->credit, COVER_CREDIT_RETURNED);
  count_if(sw, told, COVER_CREDIT_PENDING);
  count_if(sw, told && decision->leaves, COVER_CREDIT_PENDING_IN_USE);
  count_if(sw, !sw->in[ip].up && spec_has_port(cycle->in->in_up, ip) && vc->count, COVER_CREDIT_PENDING_WITH_FLITS);
  count_if(sw, active && spec_free_places(sw, vc->out_port, vc->out_vc) == 0, COVER_CREDITS_NONE);
}

/* ---- output ports */

static void look_at_credits(const struct spec_switch *sw, const struct spec_cycle *cycle, unsigned op, unsigned ovc) {
  const struct spec_output_vc *vc = &sw->out[op].vc[ovc];
  const bool comes = cycle->in->credit[op][ovc], up = sw->out[op].up;
  const bool spent = sw->shape.output_depth ? cycle->transmits[op] == (int)ovc : cycle->sends[op][ovc];
  count_if(sw, comes && up && spent, COVER_CREDIT_SPENT_AND_BACK);
  count_if(sw, comes && up && !spent && vc->credits + 1 == sw->shape.depth, COVER_CREDITS_ALL);
  count_if(sw, comes && !up, COVER_CREDIT_LOST);
  if (!sw->shape.output_depth)
    return;
  count_if(sw, vc->count == sw->shape.output_depth, COVER_QUEUE_FULL);
  count_if(sw, vc->count && !up, COVER_QUEUE_LOST);
}

/* Returns whether a flit leaves through the port. */
static bool look_at_output(const struct spec_switch *sw, const struct spec_cycle *cycle, unsigned op) {
  unsigned queues = 0;
  bool sends = false;
  look_at_crossbar_output(sw, cycle, op);
  for (unsigned ovc = 0; ovc < sw->shape.v; ovc++) {
    look_at_output_vc(sw, cycle, op, ovc);
    look_at_credits(sw, cycle, op, ovc);
    queues += sw->out[op].vc[ovc].count > 0;
    sends |= cycle->sends[op][ovc];
  }
  count_if(sw, queues > 1, COVER_LINK_OF_TWO_QUEUES);
  return sends;
}

void spec_cover_cycle(const struct spec_switch *sw, const struct spec_cycle *cycle) {
  const struct events events = events_of(sw, cycle->in);
  bool all_full = true, all_send = true;
  EACH_INPUT_VC (sw, ip, ivc) {
    const struct spec_input_vc *vc = &sw->in[ip].vc[ivc];
    const struct spec_decision *decision = &cycle->vc[ip][ivc];
    look_at_state(sw, &events, ip, vc);
    look_at_cuts(sw, &events, ip, vc, decision);
    look_at_route(sw, vc, decision);
    look_at_u_turn(sw, ip, vc, decision);
    look_at_bid(sw, vc, decision);
    look_at_buffer(sw, cycle, ip, ivc);
    all_full &= vc->count == sw->shape.depth;
  }
  for (unsigned ip = 0; ip < sw->shape.pi; ip++)
    look_at_input_port(sw, cycle, ip);
  for (unsigned op = 0; op < sw->shape.po; op++)
    all_send &= look_at_output(sw, cycle, op);
  count_if(sw, all_full, COVER_BUFFERS_ALL_FULL);
  count_if(sw, all_send, COVER_ALL_OUTPUTS_SEND);
}

/* ---- registers of a routing family, before and after the cycle */

void spec_cover_reroute_vector(const struct spec_switch *sw, const struct spec_reroute_vector *old, uint64_t set) {
  const struct spec_reroute_vector *now = &sw->reroute;
  const unsigned k = sw->shape.po / 2, timeout = ut_level_strap_timeout(sw->straps);
  const bool restarts = old->vector && timeout && set, repair = ut_level_strap_repair(sw->straps);
  count_if(sw, now->vector & ~old->vector, COVER_VECTOR_SET);
  count_if(sw, set & (set - 1), COVER_VECTOR_SET_BY_TWO);
  count_if(sw, set & old->vector, COVER_VECTOR_SET_BEFORE);
  count_if(sw, spec_count_ports(now->vector) == k && spec_count_ports(old->vector) < k, COVER_VECTOR_ALL_SET);
  count_if(sw, now->timer > old->timer, COVER_TIMER_RUNS);
  count_if(sw, restarts && old->timer, COVER_TIMER_RESTARTS);
  count_if(sw, restarts && old->timer + 1 == timeout, COVER_TIMER_RESTARTS_AT_LAST);
  count_if(sw, repair && old->vector & ~old->neighbour, COVER_VECTOR_CLEARED_BY_REPORT);
  count_if(sw, repair && set & ~old->neighbour, COVER_VECTOR_NOT_SET);
  count_if(sw, now->neighbour & ~old->neighbour, COVER_NEIGHBOUR_REPORTS);
  count_if(sw, old->neighbour & ~now->neighbour, COVER_NEIGHBOUR_RECOVERS);
  count_if(sw, now->far && !old->far, COVER_FAR_REPORTED);
}

void spec_cover_node_states(const struct spec_switch *sw, const struct spec_node_states *old) {
  const struct spec_node_states *now = &sw->nodes;
  count_if(sw, now->bad & ~old->bad, COVER_NODE_BAD);
  count_if(sw, now->unsafe && !old->unsafe, COVER_NODE_UNSAFE);
  count_if(sw, !now->unsafe && old->unsafe, COVER_NODE_SAFE_AGAIN);
  count_if(sw, now->disabled && !old->disabled, COVER_NODE_DISABLED);
  count_if(sw, now->diagonal & ~old->diagonal, COVER_NODE_BAD_ACROSS);
  count_if(sw, now->border & ~old->border, COVER_NODE_AT_BORDER);
  count_if(sw, now->refuses && !old->refuses, COVER_ORDER_REFUSE);
  count_if(sw, !now->refuses && old->refuses, COVER_ORDER_ACCEPT);
  count_if(sw, now->restart && !old->restart, COVER_ORDER_RESTART);
  count_if(sw, !now->restart && old->restart, COVER_ORDER_RESUME);
  count_if(sw, now->purge, COVER_ORDER_PURGE);
}
