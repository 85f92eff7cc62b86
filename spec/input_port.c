/* SPDX-License-Identifier: Apache-2.0 */
/* input_port.c - step 1: each input port has one route unit, which its VCs share.  Twin: rtl/ut_input_port.v */
#include "steps.h"

/* Whether the candidates of a packet that has been routed and waits may be out of date ("Stale candidate sets"). */
static bool is_stale(const struct spec_switch *sw, const struct spec_input_vc *vc) {
  const bool has_candidates = vc->state == UT_VC_STATE_ROUTING || vc->state == UT_VC_STATE_WAITING;
  const bool on_nodes = UT_ALG_STATES(sw->shape.route, sw->shape.algorithm) && sw->nodes.stale;
  const bool on_vector = vc->answer.uses_state && sw->reroute.stale;
  return has_candidates && (sw->stale_link || on_nodes || on_vector);
}

/* Returns the VC that gets the route unit of a port; -1: no VC asks. */
static int choose_vc(struct spec_switch *sw, struct spec_cycle *cycle, unsigned ip) {
  bool wants[SPEC_VCS];
  for (unsigned ivc = 0; ivc < sw->shape.v; ivc++) {
    const struct spec_input_vc *vc = &sw->in[ip].vc[ivc];
    struct spec_decision *decision = &cycle->vc[ip][ivc];
    decision->stale = is_stale(sw, vc);
    decision->purged = sw->nodes.purge && vc->old && vc->state == UT_VC_STATE_WAITING && !decision->stale;
    const bool head_has_come = vc->state == UT_VC_STATE_IDLE && vc->count && !spec_is_stray_tail(vc);
    wants[ivc] = head_has_come || decision->stale;
  }
  return spec_round_robin(wants, sw->shape.v, sw->in[ip].route_pointer);
}

void spec_route_heads(struct spec_switch *sw, struct spec_cycle *cycle) {
  for (unsigned ip = 0; ip < sw->shape.pi; ip++) {
    const int ivc = choose_vc(sw, cycle, ip);
    if (ivc < 0)
      continue;
    const struct spec_input_vc *vc = &sw->in[ip].vc[ivc];
    struct spec_decision *decision = &cycle->vc[ip][ivc];
    sw->in[ip].route_pointer = (unsigned)ivc + 1;
    decision->routed = true;
    spec_route(sw, spec_front(vc)->word[0], ip, (unsigned)ivc, &decision->answer);
    decision->strips = decision->answer.strip && vc->count > 1; /* else it asks again until the next flit is there */
  }
}

void spec_update_input(struct spec_switch *sw, struct spec_cycle *cycle, unsigned ip) {
  sw->in[ip].discard = false;
  for (unsigned ivc = 0; ivc < sw->shape.v; ivc++)
    spec_update_input_vc(sw, cycle, ip, ivc);
  sw->in[ip].up = cycle->in->in_up >> ip & 1;
}
