/* SPDX-License-Identifier: Apache-2.0 */
/* elaborated.c - the cycle of one shape: compiled on demand with the shape as constants, and loaded
 * (elaborate/elaborate.h).  The same source as the cycle of any shape (any_shape.h).
 *
 * UT_SHAPE: the parameters, an initializer of struct ut_shape; UT_FORM: what ut_form_of() makes of them, which the
 * compiler would find out too late to keep a cycle's variables in registers; UT_FAMILY: the file of the routing family;
 * UT_LOCAL_WORDS: the words of a set of the lanes of one switch.
 */
#include UT_FAMILY

#include "cycle.h"

static const struct ut_shape shape = UT_SHAPE;
static const struct ut_form form = UT_FORM;

static __attribute__((noinline, cold)) uint64_t step_slow_path(const struct ut_group *group, struct ut_block *block,
                                                               const struct ut_cycle *cycle, struct ut_events *events) {
  return ut_step_slow_path(group, block, cycle, events, group->route, form);
}

UT_INLINE void elaborated_route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                                unsigned in_port, unsigned in_vc, struct ut_route_result *route) {
  ut_route(group, sw, header, in_port, in_vc, route, &shape);
}

__attribute__((visibility("default"))) uint64_t ut_elaborated_steps(const struct ut_group *group,
                                                                    const struct ut_cycle *cycle, uint32_t first,
                                                                    uint32_t count, struct ut_events *events) {
  return ut_steps(group, cycle, first, count, events, elaborated_route, step_slow_path, form);
}
