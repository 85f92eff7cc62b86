/* SPDX-License-Identifier: Apache-2.0 */
/* any_shape.h - the cycle of a shape that is not a constant, as the two files have it that compile it: any_shape.c for
 * switches of up to 256 lanes, any_shape_many.c for those of more, whose sets have more words (measured:
 * docs/explanation/speed.md).
 *
 * UT_LOCAL_WORDS: the words of a set of the lanes of one switch; UT_ANY_STEPS: the name of the function.
 */
#ifndef UT_ANY_SHAPE_H
#define UT_ANY_SHAPE_H

#include "cycle.h"

static uint64_t step_slow_path(const struct ut_group *group, struct ut_block *block, const struct ut_cycle *cycle,
                               struct ut_events *events) {
  return ut_step_slow_path(group, block, cycle, events, group->route, group->form);
}

uint64_t UT_ANY_STEPS(const struct ut_group *group, const struct ut_cycle *cycle, uint32_t first, uint32_t count,
                      struct ut_events *events) {
  return ut_steps(group, cycle, first, count, events, group->route, step_slow_path, group->form);
}

#endif
