/* SPDX-License-Identifier: Apache-2.0 */
/* route_detour_cube.c - routing in hypercubes with faulty nodes.  Twin: rtl/ut_route_detour_cube.v, which tells the
 * algorithms and where they stand in the paper (DETOUR).
 */
#include "node_states.h"
#include "route_unit.h"

/* Corrections of the printed text (docs/explanation/route_detour.md); algorithm detour has them, detour_literal has
 * none. */
enum { SAFE_NEIGHBOURS = 1 }; /* step 3.3 offers no channel to a bad node */

/* The first vin1_vcs VCs are VIN1, all others are VIN2. */
UT_INLINE void offer(const struct ut_group *g, struct ut_route_result *r, ut_mask first, ut_mask second) {
  for (unsigned i = 0; i < g->shape.v; i++)
    r->cand[i] |= i < g->shape.vin1_vcs ? first : second;
}
UT_INLINE void prefer(const struct ut_group *g, struct ut_route_result *r, ut_mask first, ut_mask second) {
  for (unsigned i = 0; i < g->shape.v; i++)
    r->preferred[i] |= i < g->shape.vin1_vcs ? first : second;
}

/* Channels of VIN2 in these dimensions that are not a detour: no neighbour in a lower dimension is bad. */
UT_INLINE ut_mask free_of_detours(ut_mask dimensions, ut_mask bad) {
  return bad ? dimensions & ut_mask_all(ut_first(bad) + 1) : dimensions;
}

static void finish(const struct ut_group *g, const struct ut_switch *s, struct ut_route_result *r) {
  ut_mask any = 0;
  for (unsigned i = 0; i < g->shape.v; i++) {
    r->cand[i] &= s->out_up;
    r->preferred[i] &= s->out_up;
    any |= r->cand[i];
  }
  r->discard = !any;
}

/* Starts an answer, and completes it for a packet that is at its destination.  Returns the dimensions that are left. */
static ut_mask begin(const struct ut_group *g, const struct ut_switch *s, uint64_t header, struct ut_route_result *r) {
  const unsigned links = g->shape.links, local = (g->shape.po - g->shape.cube) / links, dst = ut_header_dst(header);
  const ut_mask left = dst / local ^ s->node;
  *r = (struct ut_route_result){.uses_state = g->form.states};
  if (!left) {
    const ut_mask exit = ut_mask_all(links) << (g->shape.cube + dst % local * links);
    offer(g, r, exit, exit);
  }
  return left;
}

static void ecube(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *r) {
  const ut_mask left = begin(g, s, header, r), one = ut_mask_lowest(left);
  (void)in_port, (void)in_vc;
  offer(g, r, one, one);
  r->rule = "3.2";
  finish(g, s, r);
}

static void adaptive_vin(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                         unsigned in_vc, struct ut_route_result *r) {
  const ut_mask left = begin(g, s, header, r);
  (void)in_port, (void)in_vc;
  offer(g, r, ut_mask_lowest(left), left);
  prefer(g, r, 0, left);
  r->rule = "3.3";
  finish(g, s, r);
}

/* Algorithm 4.1. */
static void detour(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                   unsigned in_vc, struct ut_route_result *r) {
  const struct ut_node_states *n = ut_node_states_of(g, s);
  const ut_mask left = begin(g, s, header, r), f1 = ut_mask_lowest(left), others = left & ~f1;
  const ut_mask safe = ut_mask_all(g->shape.cube) & ~n->bad;
  (void)in_port, (void)in_vc;
  if (!left) {
    r->rule = "2";
  } else if (!others) { /* even a detour, even into an unsafe node */
    offer(g, r, f1, f1);
    prefer(g, r, 0, f1);
    r->rule = "3.1";
  } else if (n->unsafe) { /* minimal ones first */
    offer(g, r, safe, safe);
    prefer(g, r, safe & left, safe & left);
    r->all_escape = true;
    r->rule = "3.2";
  } else if (f1 & safe) {
    const ut_mask useful = free_of_detours(left, n->bad) & (g->readings & SAFE_NEIGHBOURS ? safe : ~(ut_mask)0);
    offer(g, r, f1, useful);
    prefer(g, r, 0, useful);
    r->rule = "3.3";
  } else {
    offer(g, r, 0, ut_mask_lowest(others));
    r->rule = "3.4";
  }
  finish(g, s, r);
}

static const char *rule(const struct ut_shape *p) {
  if (p->cube < 1 || p->cube > UT_MAX_CUBE)
    return "cube_must_be_1_to_12";
  if (p->pi != p->po || p->po > UT_MAX_PORTS || p->po <= p->cube)
    return "cube_needs_a_port_a_dimension_and_local_ones";
  if ((p->po - p->cube) % p->links)
    return "local_ports_must_be_all_links_of_terminals";
  return NULL;
}

static bool prepare(struct ut_group *g) {
  g->readings = g->shape.algorithm == UT_DETOUR_CUBE_DETOUR ? SAFE_NEIGHBOURS : 0;
  return true;
}

static void strap(const struct ut_group *g, struct ut_switch *s, uint64_t straps) {
  s->node = ut_cube_strap_node(straps);
  if (g->form.states)
    ut_node_states_of(g, s)->exists = ut_mask_all(g->shape.cube);
}

/* Route computation: the algorithm of that shape, which is the group's. */
UT_INLINE void ut_route(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *r, const struct ut_shape *p) {
  ut_route_knows(g, p);
  switch (p->algorithm) {
  case UT_DETOUR_CUBE_ECUBE: ecube(g, s, header, in_port, in_vc, r); break;
  case UT_DETOUR_CUBE_ADAPTIVE_VIN: adaptive_vin(g, s, header, in_port, in_vc, r); break;
  default: detour(g, s, header, in_port, in_vc, r); /* or detour_literal: g->readings */
  }
}

static void route(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *r) {
  ut_route(g, s, header, in_port, in_vc, r, &g->shape);
}

const struct ut_routing ut_routing_detour_cube = {
    .cube = true, .direct = true, .rule = rule, .prepare = prepare, .strap = strap, .route = route};
