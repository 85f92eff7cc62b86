/* SPDX-License-Identifier: Apache-2.0 */
/* hunt_plan.c - see hunt_plan.h */
#include "hunt_plan.h"

#include <stdlib.h>

/* Returns the next shape of a family from *at on; ut_hunt_shape_count: there is none. */
static unsigned next_of(unsigned family, unsigned *at) {
  while (*at < ut_hunt_shape_count && ut_hunt_shapes[*at].family != family)
    ++*at;
  return *at < ut_hunt_shape_count ? (*at)++ : ut_hunt_shape_count;
}

/* Orders the shapes with the families in turn, so that the first minutes cover all of them. */
static void put_in_order(struct ut_hunt_plan *plan) {
  unsigned at[UT_HUNT_FAMILIES] = {0}, ended = 0;
  for (unsigned i = 0; ended < UT_HUNT_FAMILY_ORDER; i++) {
    const unsigned f = ut_hunt_family_order[i % UT_HUNT_FAMILY_ORDER];
    const unsigned shape = plan->families >> f & 1 ? next_of(f, &at[f]) : ut_hunt_shape_count;
    ended = shape == ut_hunt_shape_count ? ended + 1 : 0;
    if (shape < ut_hunt_shape_count)
      plan->order[plan->shapes++] = shape;
  }
}

enum { AT_ONCE = 8 }; /* a model of the RTL takes as long as some ten */

bool ut_hunt_plan_start(struct ut_hunt_plan *plan, unsigned families, unsigned beside, unsigned most, unsigned each) {
  *plan = (struct ut_hunt_plan){.families = families, .beside = beside, .at_once = each ? each : AT_ONCE, .once = each};
  plan->order = malloc(ut_hunt_shape_count * sizeof *plan->order);
  plan->left_out = calloc(ut_hunt_shape_count, sizeof *plan->left_out);
  if (!plan->order || !plan->left_out) {
    ut_hunt_plan_end(plan);
    return false;
  }
  put_in_order(plan);
  if (most && most < plan->shapes)
    plan->shapes = most;
  return true;
}

void ut_hunt_plan_end(struct ut_hunt_plan *plan) {
  free(plan->order);
  free(plan->left_out);
  *plan = (struct ut_hunt_plan){0};
}

/* Shapes come in groups of `beside`: one scenario of each, then the next one of each. */
static struct ut_hunt_ticket ticket(const struct ut_hunt_plan *plan, uint64_t number) {
  const uint64_t a_round = (uint64_t)plan->shapes * plan->at_once, within = number % a_round;
  const unsigned first = (unsigned)(within / (plan->beside * plan->at_once)) * plan->beside;
  const unsigned block = plan->shapes - first < plan->beside ? plan->shapes - first : plan->beside;
  const unsigned of_block = (unsigned)(within - (uint64_t)first * plan->at_once);
  return (struct ut_hunt_ticket){.shape = plan->order[first + of_block % block],
                                 .number = (unsigned)(number / a_round) * plan->at_once + of_block / block};
}

bool ut_hunt_plan_next(struct ut_hunt_plan *plan, struct ut_hunt_ticket *hunt_ticket) {
  const uint64_t a_round = (uint64_t)plan->shapes * plan->at_once;
  for (uint64_t i = 0; i < a_round && !(plan->once && plan->next == a_round); i++) {
    *hunt_ticket = ticket(plan, plan->next++);
    if (!plan->left_out[hunt_ticket->shape])
      return true;
  }
  return false;
}

void ut_hunt_plan_leave_out(struct ut_hunt_plan *plan, unsigned shape) {
  plan->left_out[shape] = true;
}
