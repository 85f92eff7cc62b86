/* SPDX-License-Identifier: Apache-2.0 */
/* reroute_vector.c - the re-route vector of a switch, its inactivity timer, and what the neighbours report (REROUTE
 * section VII.A; docs/explanation/reroute_vector.md).  Twin: rtl/ut_reroute_vector.v */
#include "ports.h"
#include "reports.h"
#include "steps.h"

/* The bits that U-turns of this cycle set. */
static uint32_t bits_of_u_turns(const struct spec_switch *s, const struct spec_cycle *c) {
  uint32_t set = 0;
  EACH_INPUT_VC (s, ip, ivc)
    if (c->vc[ip][ivc].routed)
      set |= c->vc[ip][ivc].answer.set;
  return set;
}

/* The up ports whose switch reports a fault.  Where U-turns go over two levels: one of a switch two levels up, and to a
 * leaf switch one of the switch behind the port, too. */
static uint32_t faults_that_matter(const struct spec_switch *s, const struct spec_inputs *in, uint32_t live) {
  if (!UT_ALG_FAR(s->shape.route, s->shape.algorithm))
    return in->report[SPEC_REPORT_FAULT] & live;
  const bool leaf = ut_level_strap_level(s->straps) == 0;
  return (in->report[SPEC_REPORT_FAR] | (leaf ? in->report[SPEC_REPORT_FAULT] : 0)) & live;
}

void spec_update_reroute_vector(struct spec_switch *s, const struct spec_cycle *c) {
  const struct spec_reroute_vector old = s->reroute;
  const unsigned k = s->shape.po / 2, timeout = ut_level_strap_timeout(s->straps);
  const bool repair = ut_level_strap_repair(s->straps);
  const uint32_t set = bits_of_u_turns(s, c);
  const bool runs = old.vector && timeout;
  const bool expires = runs && !set && old.timer + 1 == timeout;
  uint32_t live = 0; /* up ports whose link is up, and was */
  bool fault = false;
  for (unsigned port = 0; port < k; port++)
    fault |= !spec_has_port(c->in->out_up, port);
  for (unsigned port = k; port < 2 * k; port++)
    if (spec_has_port(c->in->out_up, port) && s->out[port].up)
      live |= spec_port(port);

  if (expires)
    spec_cover(s->cover, COVER_TIMER_EXPIRES);
  struct spec_reroute_vector *r = &s->reroute;
  r->vector = (expires ? 0 : old.vector) | set;
  if (repair) /* a bit holds only while the switch behind the port reports a fault */
    r->vector &= old.neighbour;
  r->neighbour = faults_that_matter(s, c->in, live);
  r->timer = runs && !set && !expires ? old.timer + 1 : 0;
  r->fault = fault;
  r->far = UT_ALG_FAR(s->shape.route, s->shape.algorithm) && (c->in->report[SPEC_REPORT_FAULT] & live);
  r->stale = r->vector != old.vector || (repair && r->neighbour != old.neighbour);
  if (s->cover)
    spec_cover_reroute_vector(s, &old, set);
}
