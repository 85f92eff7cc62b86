/* route_torus.c - routing in tori and meshes.  Twin: rtl/route_torus.v, which tells the algorithms and their papers.
 */
#include "route_unit.h"

/* The minimal directions as ports, 0 at the destination's node. */
UT_INLINE ut_mask minimal_ports(const struct ut_group *g, const struct ut_switch *s, const struct ut_position *to,
                                bool wrap) {
  ut_mask ports = 0;
  for (unsigned d = 0; d < g->dimensions; d++) {
    unsigned at = to->at[d], own = s->place[d], size = g->shape.size[d];
    if (at == own)
      continue;
    if (!wrap) {
      ports |= ut_bit(2 * d + (at < own));
      continue;
    }
    unsigned ahead = at + (at < own ? size : 0) - own; /* hops in the plus direction */
    ports |= (ut_mask)((2 * ahead <= size) | (2 * ahead >= size) << 1) << 2 * d;
  }
  return ports;
}

/* The output port that goes on in the ring of an input port. */
UT_INLINE ut_mask straight_on(const struct ut_group *g, unsigned in_port) {
  return in_port < 2 * g->dimensions ? ut_bit(in_port ^ 1) : 0;
}

UT_INLINE void route(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                     unsigned in_vc, struct ut_route_result *r, bool wrap, unsigned algorithm) {
  const ut_mask plus = 0x55555555, network = ut_mask_all(2 * g->dimensions);
  const struct ut_position *to = &g->place[ut_header_dst(header)];
  ut_mask any = minimal_ports(g, s, to, wrap), one;
  if (!any)
    any = one = ut_bit(2 * g->dimensions + to->terminal);
  else
    one = ut_mask_lowest(algorithm == UT_TORUS_DIRECTION_ORDER && any & plus ? any & plus : any);
  any &= s->out_up;
  one &= s->out_up;
  unsigned v = g->shape.v, adaptive = algorithm == UT_TORUS_DUATO ? v - 1 : 0;
  for (unsigned i = 0; i < v; i++) {
    bool escape = i >= adaptive;
    r->cand[i] = escape ? one : any;
    r->preferred[i] = escape ? 0 : any;
    r->bubble[i] = escape && wrap ? one & network & ~(in_vc == i ? straight_on(g, in_port) : 0) : 0;
  }
  r->discard = (adaptive ? any : one) == 0;
  r->uses_state = false;
  r->set = 0;
}

#define ROUTE(name, wrap, algorithm)                                                                                   \
  static void name(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,             \
                   unsigned in_vc, struct ut_route_result *r) {                                                        \
    route(g, s, header, in_port, in_vc, r, wrap, algorithm);                                                           \
  }
ROUTE(torus_dor, true, UT_TORUS_DOR)
ROUTE(torus_direction_order, true, UT_TORUS_DIRECTION_ORDER)
ROUTE(torus_duato, true, UT_TORUS_DUATO)
ROUTE(mesh_dor, false, UT_TORUS_DOR)
ROUTE(mesh_direction_order, false, UT_TORUS_DIRECTION_ORDER)
ROUTE(mesh_duato, false, UT_TORUS_DUATO)

ut_route_function *ut_route_torus(unsigned algorithm) {
  switch (algorithm) {
  case UT_TORUS_DOR:
  case UT_TORUS_DOR_WITHOUT_BUBBLE: return torus_dor; /* of this one the switch ignores the bubble set */
  case UT_TORUS_DIRECTION_ORDER: return torus_direction_order;
  case UT_TORUS_DUATO: return torus_duato;
  default: return NULL;
  }
}

ut_route_function *ut_route_mesh(unsigned algorithm) {
  switch (algorithm) {
  case UT_MESH_DOR: return mesh_dor;
  case UT_MESH_DIRECTION_ORDER: return mesh_direction_order;
  case UT_MESH_DUATO: return mesh_duato;
  default: return NULL;
  }
}
