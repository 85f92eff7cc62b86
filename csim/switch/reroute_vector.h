/* SPDX-License-Identifier: Apache-2.0 */
/* reroute_vector.h - re-route vector, its timer, neighbours' reports.  Twin: rtl/ut_reroute_vector.v (REROUTE section
 * VII.A) */
#ifndef UT_REROUTE_VECTOR_H
#define UT_REROUTE_VECTOR_H

#include "switch.h"

/* Bits of a switch's report: one of its down links is down; a switch above it has reported that. */
enum { UT_REPORT_FAULT, UT_REPORT_FAR };

/* Updates the vector at the end of a cycle, before the link states are updated.  set: bits that U-turns of this cycle
 * set. Returns whether anything except the timer has changed, so that the next cycle may change something, too. */
UT_INLINE bool ut_reroute_vector_update(const struct ut_group *group, struct ut_switch *sw,
                                        const struct ut_switch_in *in, ut_mask set) {
  ut_mask down = group->all_out & ~group->up_ports;
  bool fault = (in->out_up & down) != down;
  const struct ut_stage *stage = &sw->stage;
  bool running = sw->vector && stage->timeout;
  bool expired = running && !set && (uint16_t)(sw->timer + 1) == stage->timeout;
  ut_mask live = in->out_up & sw->out_up & ~down, own = in->report[UT_REPORT_FAULT] & live;
  ut_mask neighbour = group->form.far ? (in->report[UT_REPORT_FAR] & live) | (stage->level == 0 ? own : 0) : own;
  ut_mask vector = ((expired ? 0 : sw->vector) | set) & (stage->repair ? sw->neighbour : ~(ut_mask)0);
  sw->stale_state = vector != sw->vector || (stage->repair && neighbour != sw->neighbour);
  const bool changed =
      sw->stale_state || neighbour != sw->neighbour || fault != sw->fault || (group->form.far && own) != sw->far;
  sw->expiries += expired;
  sw->timer = set || !running || expired ? 0 : (uint16_t)(sw->timer + 1);
  sw->vector = vector;
  sw->neighbour = neighbour;
  sw->fault = fault;
  sw->far = group->form.far && own;
  return changed;
}

/* Whether the timer runs. */
UT_INLINE bool ut_reroute_vector_is_timed(const struct ut_switch *sw) {
  return sw->vector && sw->stage.timeout;
}

/* Does the same if nothing has changed in the last cycle, nor outside, and no U-turn sets a bit.  Returns false if the
 * timer expires; nothing has been done then. */
UT_INLINE bool ut_reroute_vector_wait(struct ut_switch *sw) {
  if ((uint16_t)(sw->timer + 1) == sw->stage.timeout)
    return false;
  sw->timer++;
  return true;
}

#endif
