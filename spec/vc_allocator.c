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

/* The candidates that can take the packet: up, free, with room. */
static struct output_vcs with_room(const struct spec_switch *s, const struct spec_answer *a) {
  struct output_vcs fit = {{{false}}};
  for (unsigned op = 0; op < s->shape.po; op++)
    for (unsigned ovc = 0; ovc < s->shape.v; ovc++) {
      const struct spec_output_vc *o = &s->out[op].vc[ovc];
      const bool candidate = a->cand[ovc] >> op & 1, enters_ring = a->bubble[ovc] >> op & 1;
      fit.has[op][ovc] = candidate && s->out[op].up && !o->owned && spec_can_take(s, op, ovc, false) &&
                         (!enters_ring || spec_can_take(s, op, ovc, true));
    }
  return fit;
}

/* Keeps those of the preferred class, if there are any. */
static void keep_preferred(const struct spec_switch *s, const struct spec_answer *a, struct output_vcs *fit) {
  bool any = false;
  for (unsigned op = 0; op < s->shape.po; op++)
    for (unsigned ovc = 0; ovc < s->shape.v; ovc++)
      any |= fit->has[op][ovc] && a->preferred[ovc] >> op & 1;
  for (unsigned op = 0; any && op < s->shape.po; op++)
    for (unsigned ovc = 0; ovc < s->shape.v; ovc++)
      fit->has[op][ovc] &= a->preferred[ovc] >> op & 1;
}

/* What the selection policy compares. */
static unsigned amount(const struct spec_switch *s, unsigned op, unsigned ovc) {
  switch (spec_selections[s->shape.selection].compares) {
  case SPEC_COMPARES_CREDITS: return s->out[op].vc[ovc].credits;
  case SPEC_COMPARES_OUTPUT_SPACE: return spec_free_places(s, op, ovc);
  default: return 0;
  }
}

/* Keeps those with most of it. */
static void keep_most(const struct spec_switch *s, struct output_vcs *fit) {
  unsigned most = 0;
  for (unsigned op = 0; op < s->shape.po; op++)
    for (unsigned ovc = 0; ovc < s->shape.v; ovc++)
      if (fit->has[op][ovc] && amount(s, op, ovc) > most)
        most = amount(s, op, ovc);
  for (unsigned op = 0; op < s->shape.po; op++)
    for (unsigned ovc = 0; ovc < s->shape.v; ovc++)
      fit->has[op][ovc] &= amount(s, op, ovc) == most;
}

/* The output port that is looked at first, of packets at input port ip. */
static unsigned first_port(const struct spec_switch *s, unsigned ip) {
  const struct spec_selection *policy = &spec_selections[s->shape.selection];
  return policy->start ? policy->start(s, ip) : s->in[ip].select_pointer;
}
/* A packet at input port ip that had a choice has been granted that output port. */
static void move_first_port(struct spec_switch *s, unsigned ip, unsigned port) {
  const struct spec_selection *policy = &spec_selections[s->shape.selection];
  if (policy->next)
    s->in[ip].policy = policy->next(s, ip, port);
  else
    s->in[ip].select_pointer = port + 1;
}

/* The output VC that a packet at input port ip bids for, into d.  false: none has room. */
static bool select_output(const struct spec_switch *s, unsigned ip, const struct spec_answer *a,
                          struct spec_decision *d) {
  bool port[SPEC_PORTS] = {false};
  struct output_vcs fit = with_room(s, a);
  keep_preferred(s, a, &fit);
  keep_most(s, &fit);
  for (unsigned op = 0; op < s->shape.po; op++)
    for (unsigned ovc = 0; ovc < s->shape.v; ovc++)
      port[op] |= fit.has[op][ovc];
  const int op = spec_round_robin(port, s->shape.po, first_port(s, ip));
  if (op < 0)
    return false;
  d->port = (unsigned)op;
  for (d->vc = 0; !fit.has[op][d->vc];)
    d->vc++;
  return true;
}

const struct spec_answer *spec_bids_with(const struct spec_switch *s, const struct spec_input_vc *vc,
                                         const struct spec_decision *d) {
  if (s->shape.route_cycles == 0 && d->routed)
    return d->answer.strip || d->answer.discard ? NULL : &d->answer;
  return vc->state == UT_VC_STATE_WAITING && !d->stale && !d->purged ? &vc->answer : NULL;
}

/* Each output VC grants one bid, round-robin over all input VCs in the order (VC, port). */
static void grant(struct spec_switch *s, struct spec_cycle *c, unsigned op, unsigned ovc) {
  const unsigned pi = s->shape.pi, lines = pi * s->shape.v;
  bool request[SPEC_PORTS * SPEC_VCS] = {false};
  unsigned rank[SPEC_PORTS * SPEC_VCS] = {0};
  EACH_INPUT_VC (s, ip, ivc) {
    const struct spec_decision *d = &c->vc[ip][ivc];
    request[ivc * pi + ip] = d->bids && d->port == op && d->vc == ovc;
    rank[ivc * pi + ip] = spec_rank(s, ip, ivc);
  }
  spec_local_first(&s->shape, request, lines);
  spec_highest_rank_first(request, rank, lines);
  const int line = spec_round_robin(request, lines, s->out[op].vc[ovc].pointer);
  if (line < 0)
    return;
  s->out[op].vc[ovc].pointer = (unsigned)line + 1;
  c->vc[(unsigned)line % pi][(unsigned)line / pi].granted = true;
}

/* A packet with candidates at several ports. */
static bool has_choice(const struct spec_switch *s, const struct spec_answer *a) {
  uint32_t ports = 0;
  for (unsigned ovc = 0; ovc < s->shape.v; ovc++)
    ports |= a->cand[ovc];
  return (ports & (ports - 1)) != 0;
}

void spec_allocate_vcs(struct spec_switch *s, struct spec_cycle *c) {
  bool chose[SPEC_PORTS][SPEC_VCS] = {{false}};
  EACH_INPUT_VC (s, ip, ivc) {
    struct spec_decision *d = &c->vc[ip][ivc];
    const struct spec_answer *a = spec_bids_with(s, &s->in[ip].vc[ivc], d);
    d->bids = a && select_output(s, ip, a, d);
    chose[ip][ivc] = d->bids && has_choice(s, a);
  }
  for (unsigned op = 0; op < s->shape.po; op++)
    for (unsigned ovc = 0; ovc < s->shape.v; ovc++)
      grant(s, c, op, ovc);
  for (unsigned ip = 0; ip < s->shape.pi; ip++)
    for (unsigned ivc = 0; ivc < s->shape.v; ivc++)
      if (c->vc[ip][ivc].granted && chose[ip][ivc]) {
        move_first_port(s, ip, c->vc[ip][ivc].port);
        break; /* of several VCs of a port the lowest one moves it */
      }
}
