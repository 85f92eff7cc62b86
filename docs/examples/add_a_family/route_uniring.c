/* route_uniring.c - routing in the unidirectional ring, with a dateline.  Twin: rtl/ut_route_uniring.v, which tells the
 * rule and why nothing deadlocks.
 */
#include "route_unit.h"

enum { LOCAL = 0, NEXT = 1, PORTS = 2 };

UT_INLINE void dateline(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *route) {
  const unsigned dst = ut_header_dst(header), here = ut_uniring_strap_here(sw->straps), last = group->shape.v - 1;
  (void)in_port, (void)in_vc;
  route->discard = true;
  for (unsigned v = 0; v <= last; v++) {
    const bool on = v == last ? dst > here : dst < here;
    route->cand[v] = ((dst == here ? ut_bit(LOCAL) : 0) | (on ? ut_bit(NEXT) : 0)) & sw->out_up;
    route->discard &= route->cand[v] == 0;
  }
  route->uses_state = false;
  route->set = 0;
}

static const char *rule(const struct ut_shape *shape) {
  return shape->pi == PORTS && shape->po == PORTS ? NULL : "uniring_needs_two_ports_both_ways";
}

/* Route computation: the algorithm of that shape, which is the group's. */
UT_INLINE void ut_route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *route, const struct ut_shape *shape) {
  ut_route_knows(group, shape);
  dateline(group, sw, header, in_port, in_vc, route);
}

static void route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *result) {
  ut_route(group, sw, header, in_port, in_vc, result, &group->shape);
}

const struct ut_routing ut_routing_uniring = {.rule = rule, .route = route};
