/* SPDX-License-Identifier: Apache-2.0 */
/* reroute_vector.h - re-route vector, its timer, neighbours' reports.  Twin: rtl/ut_reroute_vector.v (REROUTE section
 * VII.A) */
#ifndef UT_REROUTE_VECTOR_H
#define UT_REROUTE_VECTOR_H

#include "switch.h"

/* Bits of the word that a switch reports: a down link is down; one of a switch above it. */
enum { UT_REPORT_FAULT, UT_REPORT_FAR };

/* End of the cycle; before the link states are updated.  set: bits that U-turns of this cycle set.  Returns whether
 * anything but the timer has changed, so that the next cycle, too, may change something. */
UT_INLINE bool ut_reroute_vector_update(const struct ut_group *g, struct ut_switch *s, const struct ut_switch_in *in,
                                        ut_mask set) {
  ut_mask down = ut_mask_all(g->k);
  bool fault = (in->out_up & down) != down;
  const struct ut_stage *f = &s->stage;
  bool running = s->vector && f->timeout;
  bool expired = running && !set && (uint16_t)(s->timer + 1) == f->timeout;
  ut_mask live = in->out_up & s->out_up & ~down, own = in->report[UT_REPORT_FAULT] & live;
  ut_mask neighbour = g->form.far ? (in->report[UT_REPORT_FAR] & live) | (f->level == 0 ? own : 0) : own;
  ut_mask vector = ((expired ? 0 : s->vector) | set) & (f->repair ? s->neighbour : ~(ut_mask)0);
  s->stale_state = vector != s->vector || (f->repair && neighbour != s->neighbour);
  const bool changed =
      s->stale_state || neighbour != s->neighbour || fault != s->fault || (g->form.far && own) != s->far;
  s->expiries += expired;
  s->timer = set || !running || expired ? 0 : (uint16_t)(s->timer + 1);
  s->vector = vector;
  s->neighbour = neighbour;
  s->fault = fault;
  s->far = g->form.far && own;
  return changed;
}

/* Whether the timer runs. */
UT_INLINE bool ut_reroute_vector_is_timed(const struct ut_switch *s) {
  return s->vector && s->stage.timeout;
}

/* The same end of a cycle where nothing has changed in the last one, nor outside, and no U-turn sets a bit.  false: the
 * timer expires, and nothing has been done. */
UT_INLINE bool ut_reroute_vector_wait(struct ut_switch *s) {
  if ((uint16_t)(s->timer + 1) == s->stage.timeout)
    return false;
  s->timer++;
  return true;
}

#endif
