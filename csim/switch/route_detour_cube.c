/* SPDX-License-Identifier: Apache-2.0 */
/* route_detour_cube.c - routing in hypercubes with faulty nodes.  Twin: rtl/ut_route_detour_cube.v, which tells the
 * algorithms and where they stand in the paper (DETOUR).
 */
#include "detour_misroutes.h"
#include "node_states.h"
#include "route_unit.h"

/* Corrections of the printed text (docs/explanation/route_detour.md); algorithm detour applies them, detour_literal
 * does not; and what the variants of detour do besides. */
enum {
  SAFE_NEIGHBOURS = 1, /* step 3.3 offers no channel to a bad node */
  RESERVED = 2         /* dimension 0 has no VIN2 */
};

/* The first vin1_vcs VCs are VIN1, all others are VIN2. */
UT_INLINE void offer(const struct ut_group *group, struct ut_route_result *route, ut_mask first, ut_mask second) {
  for (unsigned i = 0; i < group->shape.v; i++)
    route->cand[i] |= i < group->shape.vin1_vcs ? first : second;
}
UT_INLINE void prefer(const struct ut_group *group, struct ut_route_result *route, ut_mask first, ut_mask second) {
  for (unsigned i = 0; i < group->shape.v; i++)
    route->preferred[i] |= i < group->shape.vin1_vcs ? first : second;
}

/* Returns the channels of VIN2 in these dimensions that are no detour: no neighbour in a lower dimension is bad. */
UT_INLINE ut_mask free_of_detours(ut_mask dimensions, ut_mask bad) {
  return bad ? dimensions & ut_mask_all(ut_first(bad) + 1) : dimensions;
}

/* Counts the last hop.  Returns the dimensions in which a packet may be misrouted. */
UT_INLINE ut_mask count_misroutes(const struct ut_group *group, uint64_t header, unsigned in_port, ut_mask left,
                                  struct ut_route_result *route) {
  if (!group->shape.misroute_hops)
    return 0;
  const struct ut_misroutes misroutes = ut_misroutes_of(group, header, group->shape.cube, ut_bit(in_port) & left);
  route->rt = misroutes.rt;
  if (!left)
    return 0;
  const ut_mask below = group->readings & READ_ABOVE ? ut_mask_all(ut_first(left)) : 0;
  return misroutes.may & ~below & ~left & ~ut_bit(in_port);
}

/* The lowest dimension in VIN1, others in VIN2; `astray`: misrouted hops in VIN2, behind the minimal ones. */
UT_INLINE void choose(const struct ut_group *group, struct ut_route_result *route, ut_mask lowest, ut_mask free,
                      ut_mask astray) {
  offer(group, route, lowest, free | astray);
  prefer(group, route, astray ? lowest : 0, free);
  route->escape_vcs = astray ? (unsigned)ut_mask_all(group->shape.vin1_vcs) : 0;
}

static void finish(const struct ut_group *group, const struct ut_switch *sw, struct ut_route_result *route) {
  ut_mask any = 0;
  for (unsigned i = 0; i < group->shape.v; i++) {
    route->cand[i] &= sw->out_up;
    route->preferred[i] &= sw->out_up;
    any |= route->cand[i];
  }
  route->discard = !any;
}

/* Begins an answer, and completes it if the packet is at its destination.  Returns the dimensions that are left. */
static ut_mask begin(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                     struct ut_route_result *route) {
  const unsigned links = group->shape.links, local = (group->shape.po - group->shape.cube) / links,
                 dst = ut_header_dst(header);
  const ut_mask left = dst / local ^ sw->node;
  *route = (struct ut_route_result){.uses_state = group->form.states};
  if (!left) {
    const ut_mask exit = ut_mask_all(links) << (group->shape.cube + dst % local * links);
    offer(group, route, exit, exit);
  }
  return left;
}

static void ecube(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *route) {
  const ut_mask left = begin(group, sw, header, route), one = ut_mask_lowest(left);
  (void)in_port, (void)in_vc;
  offer(group, route, one, one);
  route->rule = "3.2";
  finish(group, sw, route);
}

static void adaptive_vin(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                         unsigned in_vc, struct ut_route_result *route) {
  const ut_mask left = begin(group, sw, header, route), astray = count_misroutes(group, header, in_port, left, route);
  (void)in_vc;
  if (left)
    choose(group, route, ut_mask_lowest(left), left & ~(group->shape.misroute_hops ? ut_bit(in_port) : 0), astray);
  route->rule = "3.3";
  finish(group, sw, route);
}

/* Algorithm 4.1. */
static void detour(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                   unsigned in_vc, struct ut_route_result *route) {
  const struct ut_node_states *states = ut_node_states_of(group, sw);
  const ut_mask left = begin(group, sw, header, route), f1 = ut_mask_lowest(left), others = left & ~f1;
  const ut_mask safe = ut_mask_all(group->shape.cube) & ~states->bad;
  const ut_mask second = ~(ut_mask)(group->readings & RESERVED ? 1 : 0); /* dimensions that have a VIN2 */
  const ut_mask astray = count_misroutes(group, header, in_port, left, route) & safe;
  (void)in_vc;
  if (!left) {
    route->rule = "2";
  } else if (!others) { /* even a detour, even into an unsafe node */
    offer(group, route, f1, f1 & second);
    prefer(group, route, 0, f1 & second);
    route->rule = "3.1";
  } else if (states->unsafe) { /* minimal ones first */
    offer(group, route, safe, safe & second);
    prefer(group, route, safe & left, safe & left & second);
    route->escape_vcs = ~0u;
    route->rule = "3.2";
  } else if (f1 & safe) {
    ut_mask useful =
        free_of_detours(left, states->bad) & (group->readings & SAFE_NEIGHBOURS ? safe : ~(ut_mask)0) & second;
    if (group->shape.misroute_hops)
      useful &= ~ut_bit(in_port);
    choose(group, route, f1, useful, free_of_detours(astray, states->bad));
    route->rule = "3.3";
  } else {
    offer(group, route, 0, ut_mask_lowest(others));
    route->rt = ut_rt_of_detour(group, route->rt);
    route->rule = "3.4";
  }
  finish(group, sw, route);
}

static const char *rule(const struct ut_shape *shape) {
  if (shape->cube < 1 || shape->cube > UT_MAX_CUBE)
    return "cube_must_be_1_to_12";
  if (shape->pi != shape->po || shape->po > UT_MAX_PORTS || shape->po <= shape->cube)
    return "cube_needs_a_port_a_dimension_and_local_ones";
  if ((shape->po - shape->cube) % shape->links)
    return "local_ports_must_be_all_links_of_terminals";
  return NULL;
}

static bool prepare(struct ut_group *group) {
  switch (group->shape.algorithm) {
  case UT_DETOUR_CUBE_DETOUR: group->readings = SAFE_NEIGHBOURS; break;
  case UT_DETOUR_CUBE_DETOUR_RESERVED: group->readings = SAFE_NEIGHBOURS | RESERVED; break;
  default: group->readings = 0;
  }
  group->readings |= READ_MISROUTES;
  return true;
}

static void strap(const struct ut_group *group, struct ut_switch *sw, uint64_t straps) {
  sw->node = ut_cube_strap_node(straps);
  if (group->form.states)
    ut_node_states_of(group, sw)->exists = ut_mask_all(group->shape.cube);
}

/* Route computation, for the algorithm of the group's shape. */
UT_INLINE void ut_route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *route, const struct ut_shape *shape) {
  ut_route_knows(group, shape);
  switch (shape->algorithm) {
  case UT_DETOUR_CUBE_ECUBE: ecube(group, sw, header, in_port, in_vc, route); break;
  case UT_DETOUR_CUBE_ADAPTIVE_VIN: adaptive_vin(group, sw, header, in_port, in_vc, route); break;
  default: detour(group, sw, header, in_port, in_vc, route); /* or a variant: group->readings */
  }
}

static void route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *result) {
  ut_route(group, sw, header, in_port, in_vc, result, &group->shape);
}

const struct ut_routing ut_routing_detour_cube = {
    .cube = true, .direct = true, .rule = rule, .prepare = prepare, .strap = strap, .route = route};
