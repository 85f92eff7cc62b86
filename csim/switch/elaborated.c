/* elaborated.c - the cycle of one shape: compiled on demand with the shape as constants, and loaded
 * (elaborate/elaborate.h).  The same source as the cycle of any shape in switch.c.
 *
 * UT_SHAPE: the parameters, an initializer of struct ut_shape; UT_FAMILY: the file of the routing family; UT_ROUTING:
 * its struct there.
 */
#include UT_FAMILY

#include "cycle.h"

__attribute__((visibility("default"))) uint64_t ut_elaborated_steps(const struct ut_group *g, const struct ut_cycle *c,
                                                                    uint32_t first, uint32_t count,
                                                                    struct ut_events *events) {
  const struct ut_shape shape = UT_SHAPE;
  return ut_steps(g, c, first, count, events, UT_ROUTING.route(&shape), ut_form_of(shape));
}
