/* SPDX-License-Identifier: Apache-2.0 */
/* exercise.c - see exercise.h */
#include "exercise.h"

#include <stdarg.h>
#include <stdio.h>

#include "registers.h"
#include "scenario.h"

static bool some_buffer_is_full(const struct ut_network *n, uint32_t sw) {
  const struct ut_group *g = ut_network_group(n, sw);
  const struct ut_switch *s = ut_network_switch(n, sw);
  for (unsigned ip = 0; ip < g->shape.pi; ip++)
    for (unsigned v = 0; v < n->v; v++)
      if (ut_reg_count(g, s, ip, v) == g->shape.depth)
        return true;
  return false;
}

void ut_exercise_look(struct ut_exercise *x, const struct ut_network *n) {
  for (uint32_t sw = 0; sw < n->topology.switches && !x->full; sw++)
    x->full = some_buffer_is_full(n, sw);
}

/* ---- what is missing */

struct list {
  char (*text)[UT_EXERCISE_SIZE];
  unsigned count;
};

/* Adds a line if what could happen has not. */
static void miss(struct list *l, bool could, bool has, const char *format, ...) __attribute__((format(printf, 4, 5)));
static void miss(struct list *l, bool could, bool has, const char *format, ...) {
  va_list args;
  if (!could || has || l->count == UT_EXERCISES)
    return;
  va_start(args, format);
  vsnprintf(l->text[l->count++], UT_EXERCISE_SIZE, format, args);
  va_end(args);
}

/* Faults of the scenario: those that have come, and what they are. */
struct happened {
  size_t faults, come;
  bool switches, repairs, repaired;
};

static struct happened happened_of(const struct ut_faults *f) {
  struct happened h = {0};
  for (size_t i = 0; i < f->events; i++) {
    const struct ut_fault_event *e = &f->event[i];
    const bool come = i < f->next;
    h.faults += !e->up;
    h.come += !e->up && come;
    h.switches |= come && e->what.kind == UT_FAULT_SWITCH;
    h.repairs |= e->up;
    h.repaired |= e->up && come;
  }
  return h;
}

/* Of a network whose switches keep re-route vectors. */
static bool has_timer(const struct ut_network *n) {
  bool timed = false;
  for (uint32_t sw = 0; sw < n->topology.switches && n->form[0].vector; sw++)
    timed |= ut_network_switch(n, sw)->stage.timeout != 0;
  return timed;
}

unsigned ut_exercise_missing(const struct ut_exercise *x, const struct ut_network *n,
                             char text[UT_EXERCISES][UT_EXERCISE_SIZE]) {
  const uint64_t *discarded = n->terminals.accounts.discarded;
  const struct happened h = happened_of(&n->faults);
  struct list l = {text, 0};
  miss(&l, h.faults, h.come == h.faults, "%zu of %zu faults come after its end", h.faults - h.come, h.faults);
  miss(&l, h.come && h.repairs, h.repaired, "nothing that has failed comes back");
  miss(&l, h.come, discarded[UT_DISCARD_CUT_BY_FAULT], "no packet was cut by a fault");
  miss(&l, h.switches, discarded[UT_DISCARD_IN_FAILED_SWITCH], "no packet was in a switch that failed");
  miss(&l, h.come && n->form[0].vector, ut_network_u_turns(n), "no U-turn");
  miss(&l, h.come && has_timer(n), ut_network_expiries(n), "no re-route timer expired");
  miss(&l, true, x->full, "no buffer was full (looked at every %uth cycle)", (unsigned)UT_EXERCISE_EVERY);
  return l.count;
}
