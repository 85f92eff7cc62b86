/* SPDX-License-Identifier: Apache-2.0 */
/* reroute_vector.c - the re-route vector of a switch, its inactivity timer, and what the neighbours report (REROUTE
 * section VII.A; docs/explanation/reroute_vector.md).  Twin: rtl/ut_reroute_vector.v */
#include "ports.h"
#include "reports.h"
#include "steps.h"

/* Returns the bits that U-turns of this cycle set. */
static uint64_t bits_of_u_turns(const struct spec_switch *sw, const struct spec_cycle *cycle) {
  uint64_t set = 0;
  EACH_INPUT_VC (sw, ip, ivc)
    if (cycle->vc[ip][ivc].routed)
      set |= cycle->vc[ip][ivc].answer.set;
  return set;
}

/* Returns the up ports whose switch reports a fault.  Where U-turns go over two levels, this is a fault of a switch two
 * levels up; for a leaf switch also one of the switch behind the port. */
static uint64_t faults_that_matter(const struct spec_switch *sw, const struct spec_inputs *in, uint64_t live) {
  if (!UT_ALG_FAR(sw->shape.route, sw->shape.algorithm))
    return in->report[SPEC_REPORT_FAULT] & live;
  const bool leaf = ut_level_strap_level(sw->straps) == 0;
  return (in->report[SPEC_REPORT_FAR] | (leaf ? in->report[SPEC_REPORT_FAULT] : 0)) & live;
}

void spec_update_reroute_vector(struct spec_switch *sw, const struct spec_cycle *cycle) {
  const struct spec_reroute_vector old = sw->reroute;
  const unsigned down = sw->shape.root ? sw->shape.po : sw->shape.po / 2, timeout = ut_level_strap_timeout(sw->straps);
  const bool repair = ut_level_strap_repair(sw->straps);
  const uint64_t set = bits_of_u_turns(sw, cycle);
  const bool runs = old.vector && timeout;
  const bool expires = runs && !set && old.timer + 1 == timeout;
  uint64_t live = 0; /* up ports whose link is up and was up in the last cycle */
  bool fault = false;
  for (unsigned port = 0; port < down; port++)
    fault |= !spec_has_port(cycle->in->out_up, port);
  for (unsigned port = down; port < sw->shape.po; port++)
    if (spec_has_port(cycle->in->out_up, port) && sw->out[port].up)
      live |= spec_port(port);

  if (expires)
    spec_cover(sw->cover, COVER_TIMER_EXPIRES);
  struct spec_reroute_vector *vector = &sw->reroute;
  vector->vector = (expires ? 0 : old.vector) | set;
  if (repair) /* a bit is kept only while the switch behind the port reports a fault */
    vector->vector &= old.neighbour;
  vector->neighbour = faults_that_matter(sw, cycle->in, live);
  vector->timer = runs && !set && !expires ? old.timer + 1 : 0;
  vector->fault = fault;
  vector->far = UT_ALG_FAR(sw->shape.route, sw->shape.algorithm) && (cycle->in->report[SPEC_REPORT_FAULT] & live);
  vector->stale = vector->vector != old.vector || (repair && vector->neighbour != old.neighbour);
  if (sw->cover)
    spec_cover_reroute_vector(sw, &old, set);
}
