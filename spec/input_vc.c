/* SPDX-License-Identifier: Apache-2.0 */
/* input_vc.c - an input VC: the state of its packet, its buffer, the credits that go back.
 * Twins: rtl/ut_input_vc.v, rtl/ut_fifo.v
 *
 * Every function reads the state of the VC in cycle t from `old` and writes the registers of t+1.
 */
#include "policies.h"
#include "steps.h"

/* ---- the state of the packet at the front */

static unsigned next_state(const struct spec_switch *sw, const struct spec_input_vc *old,
                           const struct spec_decision *decision) {
  const bool tail_leaves = decision->pops && spec_front(old)->tail;
  if (old->state == UT_VC_STATE_DRAIN)
    return tail_leaves ? UT_VC_STATE_IDLE : UT_VC_STATE_DRAIN;
  if (spec_is_cut_off(sw, old)) /* the packet is routed again if no flit has left; otherwise its rest is discarded */
    return old->count && spec_front_is_head(old) ? UT_VC_STATE_IDLE : UT_VC_STATE_DRAIN;
  if (old->state == UT_VC_STATE_ACTIVE || decision->granted)
    return tail_leaves ? UT_VC_STATE_IDLE : UT_VC_STATE_ACTIVE;
  if (decision->purged)
    return UT_VC_STATE_DRAIN;
  if (decision->routed && decision->answer.strip)
    return UT_VC_STATE_IDLE;
  if (decision->routed && decision->answer.discard)
    return UT_VC_STATE_DRAIN;
  if (decision->routed)
    return sw->shape.route_cycles > 1 ? UT_VC_STATE_ROUTING : UT_VC_STATE_WAITING;
  if (decision->stale) /* the route unit served another VC */
    return UT_VC_STATE_IDLE;
  if (old->state == UT_VC_STATE_ROUTING && old->wait == 0)
    return UT_VC_STATE_WAITING;
  return old->state;
}

/* Updates the route of the packet: the answer of the route unit, or the output VC that was granted. */
static void update_route(const struct ut_shape *shape, const struct spec_input_vc *old,
                         const struct spec_decision *decision, struct spec_input_vc *vc) {
  if (decision->routed) {
    vc->answer = decision->answer;
    vc->wait = shape->route_cycles > 2 ? shape->route_cycles - 2 : 0;
  } else if (old->state == UT_VC_STATE_ROUTING && old->wait) {
    vc->wait = old->wait - 1;
  }
  if (!decision->granted)
    return;
  vc->out_port = decision->port;
  vc->out_vc = decision->vc;
  for (unsigned ovc = 0; ovc < shape->v; ovc++) /* of the candidates only the output VC that it owns is left */
    vc->answer.cand[ovc] = ovc == decision->vc ? UINT64_C(1) << decision->port : 0;
}

/* Reports packets that are discarded, with the reason, to the accounts. */
static void report_discard(struct spec_switch *sw, unsigned ip, unsigned ivc, const struct spec_input_vc *old,
                           const struct spec_decision *decision) {
  const struct spec_flit *behind = &old->buffer[(old->read + 1) % sw->shape.depth];
  const bool unreachable = decision->routed && decision->answer.discard;
  sw->in[ip].discard |= unreachable || decision->purged;
  if (unreachable || decision->purged || (decision->strips && behind->bad))
    sw->discard[sw->discards++] = (struct spec_discard){.reason = decision->purged ? SPEC_PURGED
                                                                  : unreachable    ? SPEC_UNREACHABLE
                                                                                   : SPEC_CUT,
                                                        .port = ip,
                                                        .vc = ivc,
                                                        .header = spec_front(old)->word[0]};
}

/* ---- the buffer */

/* Whether the flit on the wire is accepted: the link is up in this cycle and was up in the last one. */
static bool accepts(const struct spec_switch *sw, const struct spec_inputs *in, unsigned ip, unsigned ivc) {
  return in->arrival[ip].valid && in->arrival[ip].vc == ivc && sw->in[ip].up && in->in_up >> ip & 1;
}

static void push(struct spec_input_vc *vc, unsigned depth, const struct spec_flit *flit) {
  vc->buffer[(vc->read + vc->count) % depth] = *flit;
  vc->count++;
  vc->open = (vc->open || flit->head) && !flit->tail;
}

/* Returns how many flits have arrived. */
static unsigned update_buffer(const struct spec_switch *sw, const struct spec_cycle *cycle, unsigned ip, unsigned ivc,
                              bool dead, struct spec_input_vc *vc) {
  static const struct spec_flit bad_tail = {.tail = true, .bad = true};
  const struct ut_shape *shape = &sw->shape;
  const struct spec_decision *decision = &cycle->vc[ip][ivc];
  const bool comes = accepts(sw, cycle->in, ip, ivc);
  const bool cut_in_middle = dead && vc->open;
  const bool ends = cut_in_middle && (shape->switching == UT_VCT || vc->count < shape->depth);
  if (decision->pops) {
    vc->read = (vc->read + 1) % shape->depth;
    vc->count--;
    vc->stripped = decision->strips;
  }
  if (comes)
    push(vc, shape->depth, &cycle->in->arrival[ip].flit);
  if (ends)
    push(vc, shape->depth, &bad_tail);
  vc->cut = cut_in_middle && !ends;
  return comes + ends;
}

/* ---- credits: each place that becomes free is advertised once; none while the link is down or a bad tail waits */

static void update_credits(const struct ut_shape *shape, const struct spec_input_vc *old,
                           const struct spec_decision *decision, bool dead, unsigned came, struct spec_input_vc *vc) {
  vc->credit = !dead && (decision->pops || old->pending_credits);
  if (dead)
    vc->pending_credits = shape->depth - old->count - came + decision->pops;
  else if (old->pending_credits && !decision->pops)
    vc->pending_credits = old->pending_credits - 1;
}

void spec_update_input_vc(struct spec_switch *sw, struct spec_cycle *cycle, unsigned ip, unsigned ivc) {
  struct spec_input_vc *vc = &sw->in[ip].vc[ivc];
  struct spec_decision *decision = &cycle->vc[ip][ivc];
  const struct spec_input_vc old = *vc;
  const bool dead = !sw->in[ip].up || old.cut;
  const bool drains = (old.state == UT_VC_STATE_DRAIN && old.count) || spec_is_stray_tail(&old);
  decision->pops = decision->leaves || decision->strips || drains;
  report_discard(sw, ip, ivc, &old, decision);
  vc->state = next_state(sw, &old, decision);
  update_route(&sw->shape, &old, decision, vc);
  vc->old = old.state == UT_VC_STATE_WAITING && (sw->nodes.purge || old.old);
  vc->cross = sw->shape.xbar_cycles && decision->wins;
  if (spec_arbitrations[sw->shape.arbitration].next)
    vc->policy = spec_arbitrations[sw->shape.arbitration].next(&old, decision->pops && spec_front(&old)->tail);
  const unsigned came = update_buffer(sw, cycle, ip, ivc, dead, vc);
  update_credits(&sw->shape, &old, decision, dead, came, vc);
}
