/* route_uniring.c - routing in the unidirectional ring, with a dateline.  Twin: rtl/ut_route_uniring.v, which tells the
 * rule and why nothing deadlocks.
 */
#include "route_unit.h"

enum { LOCAL = 0, NEXT = 1, PORTS = 2 };

UT_INLINE void dateline(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *r) {
  const unsigned dst = ut_header_dst(header), here = ut_uniring_strap_here(s->straps), last = g->shape.v - 1;
  (void)in_port, (void)in_vc;
  r->discard = true;
  for (unsigned v = 0; v <= last; v++) {
    const bool on = v == last ? dst > here : dst < here;
    r->cand[v] = ((dst == here ? ut_bit(LOCAL) : 0) | (on ? ut_bit(NEXT) : 0)) & s->out_up;
    r->discard &= r->cand[v] == 0;
  }
  r->uses_state = false;
  r->set = 0;
}

static const char *rule(const struct ut_shape *p) {
  return p->pi == PORTS && p->po == PORTS ? NULL : "uniring_needs_two_ports_both_ways";
}

/* Route computation: the algorithm of that shape, which is the group's. */
UT_INLINE void ut_route(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *r, const struct ut_shape *p) {
  ut_route_knows(g, p);
  dateline(g, s, header, in_port, in_vc, r);
}

static void route(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *r) {
  ut_route(g, s, header, in_port, in_vc, r, &g->shape);
}

const struct ut_routing ut_routing_uniring = {.rule = rule, .route = route};
