/* SPDX-License-Identifier: Apache-2.0 */
/* input_port.c - step 1: each input port has one route unit, which its VCs share.  Twin: rtl/ut_input_port.v */
#include "steps.h"

/* The candidates of a packet that has been routed and waits may have become wrong ("Stale candidate sets"). */
static bool is_stale(const struct spec_switch *s, const struct spec_input_vc *vc) {
  const bool has_candidates = vc->state == UT_VC_STATE_ROUTING || vc->state == UT_VC_STATE_WAITING;
  const bool on_nodes = UT_ALG_STATES(s->shape.route, s->shape.algorithm) && s->nodes.stale;
  const bool on_vector = vc->answer.uses_state && s->reroute.stale;
  return has_candidates && (s->stale_link || on_nodes || on_vector);
}

/* Which VC has the route unit of a port; -1: none wants it. */
static int choose_vc(struct spec_switch *s, struct spec_cycle *c, unsigned ip) {
  bool wants[SPEC_VCS];
  for (unsigned ivc = 0; ivc < s->shape.v; ivc++) {
    const struct spec_input_vc *vc = &s->in[ip].vc[ivc];
    struct spec_decision *d = &c->vc[ip][ivc];
    d->stale = is_stale(s, vc);
    d->purged = s->nodes.purge && vc->old && vc->state == UT_VC_STATE_WAITING && !d->stale;
    const bool head_has_come = vc->state == UT_VC_STATE_IDLE && vc->count && !spec_is_stray_tail(vc);
    wants[ivc] = head_has_come || d->stale;
  }
  return spec_round_robin(wants, s->shape.v, s->in[ip].route_pointer);
}

void spec_route_heads(struct spec_switch *s, struct spec_cycle *c) {
  for (unsigned ip = 0; ip < s->shape.pi; ip++) {
    const int ivc = choose_vc(s, c, ip);
    if (ivc < 0)
      continue;
    const struct spec_input_vc *vc = &s->in[ip].vc[ivc];
    struct spec_decision *d = &c->vc[ip][ivc];
    s->in[ip].route_pointer = (unsigned)ivc + 1;
    d->routed = true;
    spec_route(s, spec_front(vc)->word[0], ip, (unsigned)ivc, &d->answer);
    d->strips = d->answer.strip && vc->count > 1; /* else it asks again until the next flit is there */
  }
}

void spec_update_input(struct spec_switch *s, struct spec_cycle *c, unsigned ip) {
  s->in[ip].discard = false;
  for (unsigned ivc = 0; ivc < s->shape.v; ivc++)
    spec_update_input_vc(s, c, ip, ivc);
  s->in[ip].up = c->in->in_up >> ip & 1;
}
