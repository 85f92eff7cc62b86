/* SPDX-License-Identifier: Apache-2.0 */
/* exercise.c - see exercise.h */
#include "exercise.h"

#include <stdarg.h>
#include <stdio.h>

#include "fault_entry.h"
#include "registers.h"

static bool some_buffer_is_full(const struct ut_network *net, uint32_t sw) {
  const struct ut_group *group = ut_network_group(net, sw);
  const struct ut_switch *golden = ut_network_switch(net, sw);
  for (unsigned ip = 0; ip < group->shape.pi; ip++)
    for (unsigned v = 0; v < net->v; v++)
      if (ut_reg_count(group, golden, ip, v) == group->shape.depth)
        return true;
  return false;
}

void ut_exercise_look(struct ut_exercise *exercise, const struct ut_network *net) {
  for (uint32_t sw = 0; sw < net->topology->switches && !exercise->full; sw++)
    exercise->full = some_buffer_is_full(net, sw);
}

/* ---- what has not been exercised */

struct list {
  char (*text)[UT_EXERCISE_SIZE];
  unsigned count;
};

/* Adds a line if something possible has not happened. */
static void miss(struct list *list, bool could, bool has, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void miss(struct list *list, bool could, bool has, const char *format, ...) {
  va_list args;
  if (!could || has || list->count == UT_EXERCISES)
    return;
  va_start(args, format);
  vsnprintf(list->text[list->count++], UT_EXERCISE_SIZE, format, args);
  va_end(args);
}

/* Faults of the scenario: those that have come, and what they are. */
struct happened {
  size_t faults, come;
  bool switches, repairs, repaired;
};

static struct happened happened_of(const struct ut_faults *faults) {
  struct happened happened = {0};
  for (size_t i = 0; i < faults->events; i++) {
    const struct ut_fault_event *event = &faults->event[i];
    const bool come = i < faults->next;
    happened.faults += !event->up;
    happened.come += !event->up && come;
    happened.switches |= come && event->what.kind == UT_FAULT_SWITCH;
    happened.repairs |= event->up;
    happened.repaired |= event->up && come;
  }
  return happened;
}

/* Of a network whose switches keep re-route vectors. */
static bool has_timer(const struct ut_network *net) {
  bool timed = false;
  for (uint32_t sw = 0; sw < net->topology->switches && net->form[0].vector; sw++)
    timed |= ut_network_switch(net, sw)->stage.timeout != 0;
  return timed;
}

unsigned ut_exercise_missing(const struct ut_exercise *exercise, const struct ut_network *net,
                             char text[UT_EXERCISES][UT_EXERCISE_SIZE]) {
  const uint64_t *discarded = net->terminals.accounts.discarded;
  const struct happened happened = happened_of(&net->faults);
  struct list list = {text, 0};
  miss(&list, happened.faults, happened.come == happened.faults, "%zu of %zu faults come after its end",
       happened.faults - happened.come, happened.faults);
  miss(&list, happened.come && happened.repairs, happened.repaired, "nothing that has failed comes back");
  miss(&list, happened.come, discarded[UT_DISCARD_CUT_BY_FAULT], "no packet was cut by a fault");
  miss(&list, happened.switches, discarded[UT_DISCARD_IN_FAILED_SWITCH], "no packet was in a switch that failed");
  miss(&list, happened.come && net->form[0].vector, ut_network_u_turns(net), "no U-turn");
  miss(&list, happened.come && has_timer(net), ut_network_expiries(net), "no re-route timer expired");
  miss(&list, true, exercise->full, "no buffer was full (looked at every %uth cycle)", (unsigned)UT_EXERCISE_EVERY);
  return list.count;
}
