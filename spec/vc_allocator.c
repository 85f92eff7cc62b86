/* SPDX-License-Identifier: Apache-2.0 */
/* vc_allocator.c - step 2: each waiting packet picks one output VC, each output VC grants one bid.
 * Twins: rtl/ut_vc_allocator.v, rtl/ut_vc_select.v, rtl/ut_selection_policy.v
 */
#include <stddef.h>

#include "policies.h"
#include "steps.h"

struct output_vcs {
  bool has[SPEC_PORTS][SPEC_VCS];
};

/* The candidates that can take the packet: up, free, with space. */
static struct output_vcs with_space(const struct spec_switch *sw, const struct spec_answer *answer) {
  struct output_vcs fit = {{{false}}};
  for (unsigned op = 0; op < sw->shape.po; op++)
    for (unsigned ovc = 0; ovc < sw->shape.v; ovc++) {
      const struct spec_output_vc *vc = &sw->out[op].vc[ovc];
      const bool candidate = answer->cand[ovc] >> op & 1, enters_ring = answer->bubble[ovc] >> op & 1;
      fit.has[op][ovc] = candidate && sw->out[op].up && !vc->owned && spec_can_take(sw, op, ovc, false) &&
                         (!enters_ring || spec_can_take(sw, op, ovc, true));
    }
  return fit;
}

/* Keeps the candidates of the preferred class, if there are any. */
static void keep_preferred(const struct spec_switch *sw, const struct spec_answer *answer, struct output_vcs *fit) {
  bool any = false;
  for (unsigned op = 0; op < sw->shape.po; op++)
    for (unsigned ovc = 0; ovc < sw->shape.v; ovc++)
      any |= fit->has[op][ovc] && answer->preferred[ovc] >> op & 1;
  for (unsigned op = 0; any && op < sw->shape.po; op++)
    for (unsigned ovc = 0; ovc < sw->shape.v; ovc++)
      fit->has[op][ovc] &= answer->preferred[ovc] >> op & 1;
}

/* Returns the amount that the selection policy compares. */
static unsigned amount(const struct spec_switch *sw, unsigned op, unsigned ovc) {
  switch (spec_selections[sw->shape.selection].compares) {
  case SPEC_COMPARES_CREDITS: return sw->out[op].vc[ovc].credits;
  case SPEC_COMPARES_OUTPUT_SPACE: return spec_free_places(sw, op, ovc);
  default: return 0;
  }
}

/* UGAL: a packet with candidates on minimal paths, which have the VCs behind the first ones, and on the way to an
 * intermediate terminal keeps the former if one of them has enough credits, else the latter. */
static void keep_way(const struct spec_switch *sw, const struct spec_answer *answer, struct output_vcs *fit) {
  bool minimal = false, other = false, enough = false;
  for (unsigned op = 0; op < sw->shape.po; op++)
    for (unsigned ovc = 0; ovc < sw->shape.v; ovc++) {
      const bool candidate = answer->cand[ovc] >> op & 1, behind = ovc >= sw->shape.via;
      minimal |= candidate && behind;
      other |= candidate && !behind;
      enough |= candidate && behind && amount(sw, op, ovc) >= sw->shape.ugal;
    }
  if (!minimal || !other)
    return;
  spec_cover(sw->cover, enough ? COVER_UGAL_MINIMAL : COVER_UGAL_OTHER);
  for (unsigned op = 0; op < sw->shape.po; op++)
    for (unsigned ovc = 0; ovc < sw->shape.v; ovc++)
      fit->has[op][ovc] &= (ovc >= sw->shape.via) == enough;
}

/* Keeps the candidates with the largest amount. */
static void keep_most(const struct spec_switch *sw, struct output_vcs *fit) {
  unsigned most = 0;
  for (unsigned op = 0; op < sw->shape.po; op++)
    for (unsigned ovc = 0; ovc < sw->shape.v; ovc++)
      if (fit->has[op][ovc] && amount(sw, op, ovc) > most)
        most = amount(sw, op, ovc);
  for (unsigned op = 0; op < sw->shape.po; op++)
    for (unsigned ovc = 0; ovc < sw->shape.v; ovc++)
      fit->has[op][ovc] &= amount(sw, op, ovc) == most;
}

/* Returns the output port that packets at input port ip prefer among equals. */
static unsigned first_port(const struct spec_switch *sw, unsigned ip) {
  const struct spec_selection *policy = &spec_selections[sw->shape.selection];
  return policy->start ? policy->start(sw, ip) : sw->in[ip].select_pointer;
}
/* Moves that preference: a packet at input port ip that had a choice has been granted that output port. */
static void move_first_port(struct spec_switch *sw, unsigned ip, unsigned port) {
  const struct spec_selection *policy = &spec_selections[sw->shape.selection];
  if (policy->next)
    sw->in[ip].policy = policy->next(sw, ip, port);
  else
    sw->in[ip].select_pointer = port + 1;
}

/* Selects the output VC that a packet at input port ip bids for, into *decision.  Returns false if none has space. */
static bool select_output(const struct spec_switch *sw, unsigned ip, const struct spec_answer *answer,
                          struct spec_decision *decision) {
  bool port[SPEC_PORTS] = {false};
  struct output_vcs fit = with_space(sw, answer);
  if (sw->shape.ugal)
    keep_way(sw, answer, &fit);
  keep_preferred(sw, answer, &fit);
  keep_most(sw, &fit);
  for (unsigned op = 0; op < sw->shape.po; op++)
    for (unsigned ovc = 0; ovc < sw->shape.v; ovc++)
      port[op] |= fit.has[op][ovc];
  const int op = spec_round_robin(port, sw->shape.po, first_port(sw, ip));
  if (op < 0)
    return false;
  decision->port = (unsigned)op;
  for (decision->vc = 0; !fit.has[op][decision->vc];)
    decision->vc++;
  return true;
}

const struct spec_answer *spec_bids_with(const struct spec_switch *sw, const struct spec_input_vc *vc,
                                         const struct spec_decision *decision) {
  if (sw->shape.route_cycles == 0 && decision->routed)
    return decision->answer.strip || decision->answer.discard ? NULL : &decision->answer;
  return vc->state == UT_VC_STATE_WAITING && !decision->stale && !decision->purged ? &vc->answer : NULL;
}

/* Each output VC grants one bid, round-robin over all input VCs in the order (VC, port). */
static void grant(struct spec_switch *sw, struct spec_cycle *cycle, unsigned op, unsigned ovc) {
  const unsigned pi = sw->shape.pi, lines = pi * sw->shape.v;
  bool request[SPEC_PORTS * SPEC_VCS] = {false};
  unsigned rank[SPEC_PORTS * SPEC_VCS] = {0};
  EACH_INPUT_VC (sw, ip, ivc) {
    const struct spec_decision *decision = &cycle->vc[ip][ivc];
    request[ivc * pi + ip] = decision->bids && decision->port == op && decision->vc == ovc;
    rank[ivc * pi + ip] = spec_rank(sw, ip, ivc);
  }
  spec_local_first(&sw->shape, request, lines);
  spec_highest_rank_first(request, rank, lines);
  const int line = spec_round_robin(request, lines, sw->out[op].vc[ovc].pointer);
  if (line < 0)
    return;
  sw->out[op].vc[ovc].pointer = (unsigned)line + 1;
  cycle->vc[(unsigned)line % pi][(unsigned)line / pi].granted = true;
}

/* Whether a packet has candidates at several ports. */
static bool has_choice(const struct spec_switch *sw, const struct spec_answer *answer) {
  uint64_t ports = 0;
  for (unsigned ovc = 0; ovc < sw->shape.v; ovc++)
    ports |= answer->cand[ovc];
  return (ports & (ports - 1)) != 0;
}

void spec_allocate_vcs(struct spec_switch *sw, struct spec_cycle *cycle) {
  bool chose[SPEC_PORTS][SPEC_VCS] = {{false}};
  EACH_INPUT_VC (sw, ip, ivc) {
    struct spec_decision *decision = &cycle->vc[ip][ivc];
    const struct spec_answer *answer = spec_bids_with(sw, &sw->in[ip].vc[ivc], decision);
    decision->bids = answer && select_output(sw, ip, answer, decision);
    chose[ip][ivc] = decision->bids && has_choice(sw, answer);
  }
  for (unsigned op = 0; op < sw->shape.po; op++)
    for (unsigned ovc = 0; ovc < sw->shape.v; ovc++)
      grant(sw, cycle, op, ovc);
  for (unsigned ip = 0; ip < sw->shape.pi; ip++)
    for (unsigned ivc = 0; ivc < sw->shape.v; ivc++)
      if (cycle->vc[ip][ivc].granted && chose[ip][ivc]) {
        move_first_port(sw, ip, cycle->vc[ip][ivc].port);
        break; /* of several VCs of a port the lowest one moves it */
      }
}
