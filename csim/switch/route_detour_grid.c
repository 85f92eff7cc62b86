/* SPDX-License-Identifier: Apache-2.0 */
/* route_detour_grid.c - routing in meshes and k-ary n-cubes with faulty nodes.  Twin: rtl/ut_route_detour_grid.v, which
 * tells the algorithms and where they stand in the paper (DETOUR).
 *
 * Port 2d is +d, port 2d + 1 is -d; `p ^ 1` is the way back.  A packet that travels through port a arrives at a ^ 1.
 */
#include "grid_position.h"
#include "node_states.h"
#include "route_unit.h"

/* Corrections of the printed text (docs/explanation/route_detour.md); algorithm detour has them all, detour_literal has
 * none. */
enum ut_detour_reading {
  READ_SAFE = 1,      /* step 3.3 offers no channel to a bad node */
  READ_NO_RETURN = 2, /* ... nor the one back */
  READ_EXIT = 4,      /* a packet that leaves a detour takes the dimension that was blocked, and no other */
  READ_CORNER = 8,    /* the way back along dimension 0 begins at the corner, and is no free channel there */
  READ_AHEAD = 16,    /* step 3.4 does not turn back on a detour */
  READ_ESCAPE = 32,   /* the last hop of a detour along dimension 0 waits for the detour's channel */
  READ_ALL = 63
};

/* The VCs of a virtual network, as a set.  Meshes: the first vin1_vcs are VIN1, all others are VIN2.  Tori: so many of
 * each class, which is the lowest bit of the VC. */
UT_INLINE unsigned first_of_vin2(const struct ut_group *g, bool wrap) {
  return wrap ? 2 * g->shape.vin1_vcs : g->shape.vin1_vcs;
}
UT_INLINE unsigned of_class(bool wrap, unsigned class) {
  return wrap ? 0x55u << class : ~0u;
}
UT_INLINE unsigned vin1_of(const struct ut_group *g, bool wrap, unsigned class) {
  return ut_mask_all(first_of_vin2(g, wrap)) & of_class(wrap, class);
}
UT_INLINE unsigned vin2(const struct ut_group *g, bool wrap) {
  return ut_mask_all(g->shape.v) & ~ut_mask_all(first_of_vin2(g, wrap));
}
UT_INLINE unsigned vin2_of(const struct ut_group *g, bool wrap, unsigned class) {
  return vin2(g, wrap) & of_class(wrap, class);
}

UT_INLINE void offer(const struct ut_group *g, struct ut_route_result *r, unsigned vcs, ut_mask ports, bool escape) {
  for (unsigned i = 0; i < g->shape.v; i++)
    if (vcs >> i & 1) {
      r->cand[i] |= ports;
      if (escape)
        r->preferred[i] &= ~ports;
      else
        r->preferred[i] |= ports;
    }
}

static void finish(const struct ut_group *g, const struct ut_switch *s, struct ut_route_result *r) {
  ut_mask any = 0;
  for (unsigned i = 0; i < g->shape.v; i++) {
    r->cand[i] &= s->out_up;
    r->preferred[i] &= r->cand[i];
    any |= r->cand[i];
  }
  r->discard = !any;
}

/* Starts an answer, and completes it for a packet that is at its destination.  Returns the directions that are left;
 * of two that are as long the plus direction. */
UT_INLINE ut_mask begin(const struct ut_group *g, const struct ut_switch *s, uint64_t header,
                        struct ut_route_result *r) {
  const struct ut_position *to = &g->place[ut_header_dst(header)];
  const ut_mask minimal = ut_grid_minimal(g, s, to), left = minimal & ~((minimal & 0x55555555) << 1);
  *r = (struct ut_route_result){.uses_state = g->form.states};
  if (!left)
    offer(g, r, ut_mask_all(g->shape.v), ut_grid_exits(g, to), true);
  return left;
}

/* Class of a direction's channel: 0 while the way in its dimension still crosses the wrap link. */
UT_INLINE unsigned class_of(const struct ut_switch *s, const struct ut_position *to, unsigned port) {
  const unsigned d = port / 2;
  return port & 1 ? to->at[d] < s->place[d] : to->at[d] > s->place[d];
}

UT_INLINE void ecube(const struct ut_group *g, const struct ut_switch *s, uint64_t header, struct ut_route_result *r,
                     bool wrap) {
  const ut_mask left = begin(g, s, header, r), one = ut_mask_lowest(left);
  unsigned vcs = ut_mask_all(g->shape.v);
  if (left && wrap)
    vcs &= 0x55u << class_of(s, &g->place[ut_header_dst(header)], ut_first(one));
  offer(g, r, vcs, one, true);
  r->rule = "3.2";
  finish(g, s, r);
}

UT_INLINE void adaptive(const struct ut_group *g, const struct ut_switch *s, uint64_t header, struct ut_route_result *r,
                        bool wrap) {
  const ut_mask left = begin(g, s, header, r), one = ut_mask_lowest(left);
  if (left) {
    offer(g, r, vin1_of(g, wrap, wrap ? class_of(s, &g->place[ut_header_dst(header)], ut_first(one)) : 0), one, true);
    offer(g, r, vin2(g, wrap), left, false);
  }
  r->rule = "3.3";
  finish(g, s, r);
}

/* One hop through a port leads to that coordinate. */
UT_INLINE bool is_next(const struct ut_group *g, const struct ut_switch *s, const struct ut_position *to,
                       unsigned port) {
  const unsigned d = port / 2, size = g->shape.size[d];
  return (s->place[d] + (port & 1 ? size - 1 : 1)) % size == to->at[d];
}

/* A packet on its way around blocks. */
struct trip {
  ut_mask left; /* directions to the destination */
  unsigned f1;  /* the lowest of them, as a port */
  unsigned h;   /* the highest dimension */
  unsigned a;   /* travels so; NONE: injected, or from a bad node */
  bool second;  /* arrived through VIN2 */
};
enum { NONE = 32 };

/* On the side `side` of dimension h (0: plus) a detour along dimension 0 begins with this direction: away from the
 * right border if the block reaches it (figure 10). */
UT_INLINE unsigned around(unsigned borders, unsigned side) {
  return borders >> side & 1;
}

/* A channel of VIN2 through port p is a detour. */
UT_INLINE bool is_detour(const struct ut_group *g, const struct ut_node_states *n, unsigned p, unsigned h) {
  const unsigned d = p / 2;
  if (d > 0)
    return n->bad & ut_mask_all(2 * d);
  if (n->bad >> 2 * h & 3)
    return true;
  if (!(g->readings & READ_CORNER) || ut_is_bad(n, p))
    return false;
  for (unsigned side = 0; side < 2; side++)
    if (ut_is_bad_across(n, p, 2 * h + side) && (p & 1) != around(n->corner >> 2 * p, side))
      return true;
  return false;
}

/* Returns along dimension 0 beside the block that it went around. */
UT_INLINE bool returns(const struct ut_node_states *n, const struct trip *t) {
  if (t->a > 1 || !t->second || !(t->left >> t->a & 1))
    return false;
  for (unsigned side = 0; side < 2; side++)
    if (ut_is_bad(n, 2 * t->h + side) && t->a != around(n->border, side))
      return true;
  return false;
}

/* Step 3.3: VIN1 in the lowest dimension, and the free channels of VIN2. */
UT_INLINE void go_on(const struct ut_group *g, const struct ut_node_states *n, const struct trip *t,
                     struct ut_route_result *r, bool wrap, unsigned class) {
  ut_mask free = t->left;
  if (g->readings & READ_SAFE)
    free &= ~n->bad;
  if (t->a != NONE && g->readings & READ_NO_RETURN)
    free &= ~ut_bit(t->a ^ 1);
  if (t->a != NONE && t->second && t->a / 2 > t->f1 / 2 && ut_is_bad_across(n, t->a ^ 1, t->f1) &&
      g->readings & READ_EXIT)
    free &= ut_bit(t->f1);
  UT_FOR_EACH (p, free)
    if (is_detour(g, n, p, t->h))
      free &= ~ut_bit(p);
  offer(g, r, vin2(g, wrap), free, false);
  offer(g, r, vin1_of(g, wrap, class), ut_bit(t->f1), true);
  r->rule = "3.3";
}

/* Step 3.5: a detour through any higher dimension, and on in the one that was begun. */
UT_INLINE ut_mask higher(const struct ut_node_states *n, const struct trip *t) {
  const unsigned m = t->f1 / 2;
  ut_mask ports = n->exists & ~ut_mask_all(2 * m + 2);
  if (t->a == NONE || t->a / 2 <= m)
    return ports;
  const unsigned on = n->exists >> t->a & 1 ? t->a : t->a ^ 1;
  return (ports & ~ut_mask_all(t->a / 2 * 2 + 2)) | ut_bit(on);
}

/* Algorithm 4.2: one hop left; unsafe; around along dimension 0; the lowest dimension is free; around through a higher
 * one. */
UT_INLINE void detour(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                      unsigned in_vc, struct ut_route_result *r, bool wrap) {
  const struct ut_node_states *n = ut_node_states_of(g, s);
  const struct ut_position *to = &g->place[ut_header_dst(header)];
  struct trip t = {.left = begin(g, s, header, r), .h = g->dimensions - 1, .a = NONE};
  t.second = in_vc >= first_of_vin2(g, wrap);
  if (n->disabled && in_port >= 2 * g->dimensions) { /* as if it were faulty */
    for (unsigned i = 0; i < g->shape.v; i++)
      r->cand[i] = 0;
    r->discard = true;
    r->rule = "disabled";
    return;
  }
  if (!t.left) {
    r->rule = "2";
    finish(g, s, r);
    return;
  }
  const ut_mask others = t.left & (t.left - 1);
  t.f1 = ut_first(t.left);
  if (!n->unsafe && in_port < 2 * g->dimensions && !ut_is_bad(n, in_port))
    t.a = in_port ^ 1;
  const unsigned m = t.f1 / 2;
  const ut_mask along = t.left & 3, up = t.left >> 2 * t.h & 3; /* directions in dimension 0 and in h, of two bits */
  const bool climb = t.a != NONE && t.a / 2 == t.h && !t.second && along;
  const bool away = t.a < 2 && along >> (t.a ^ 1) & 1 && up;
  const bool back = returns(n, &t);
  const bool adjacent = !others && is_next(g, s, to, t.f1);
  const unsigned low = wrap ? class_of(s, to, t.f1) : 0;
  /* class of a detour along dimension 0: that of dimension h, 1 once the destination's row is passed */
  unsigned high = wrap && up ? class_of(s, to, 2 * t.h + (up >> 1)) : 1;
  if (climb && !(t.left >> t.a & 1))
    high = 1;
  if (back && up && ut_is_bad(n, 2 * t.h + (up >> 1)))
    high = 1;
  if (adjacent) {
    const bool last = (climb || back) && !ut_is_bad(n, t.f1) && g->readings & READ_ESCAPE;
    offer(g, r, vin2(g, wrap), ut_bit(t.f1), false);
    offer(g, r, vin1_of(g, wrap, low), ut_bit(t.f1), !last);
    if (last)
      offer(g, r, vin2_of(g, wrap, high), ut_bit(t.f1), true);
    r->rule = "3.1";
  } else if (n->unsafe) {
    offer(g, r, ut_mask_all(g->shape.v), n->exists & ~n->bad, true);
    r->rule = "3.2";
  } else if (away) {
    const unsigned ahead = 2 * t.h + (up >> 1);
    if (ut_is_bad(n, ahead))
      offer(g, r, vin2_of(g, wrap, high), ut_bit(t.a), true);
    else
      offer(g, r, vin1_of(g, wrap, high), ut_bit(ahead), true);
    r->rule = "3.6 away";
  } else if (climb) {
    const unsigned home = along >> 1;
    if (ut_is_bad(n, home))
      offer(g, r, vin1_of(g, wrap, high), ut_bit(t.a), true);
    else
      offer(g, r, vin2_of(g, wrap, high), ut_bit(home), true);
    r->rule = "3.6 climb";
  } else if (back) {
    offer(g, r, vin2_of(g, wrap, high), ut_bit(t.a), true);
    r->rule = "3.6 back";
  } else if (!ut_is_bad(n, t.f1)) {
    go_on(g, n, &t, r, wrap, low);
  } else if (others) {
    unsigned q = ut_first(others);
    if (t.a != NONE && q == (t.a ^ 1) && n->exists >> t.a & 1 && g->readings & READ_AHEAD)
      q = t.a;
    offer(g, r, vin2_of(g, wrap, low), ut_bit(q), true);
    r->rule = "3.4";
  } else if (m < t.h) {
    offer(g, r, vin2_of(g, wrap, low), higher(n, &t), true);
    r->rule = "3.5";
  } else {
    const unsigned way = around(n->border, t.f1 & 1);
    offer(g, r, vin2_of(g, wrap, high), ut_bit(way), true);
    r->rule = way ? "3.7" : "3.6";
  }
  finish(g, s, r);
}

/* Route computation: the algorithm of that shape, which is the group's.  The codes are the same in both. */
UT_INLINE void ut_route(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *r, const struct ut_shape *p) {
  ut_route_knows(g, p);
  const bool wrap = p->route == UT_ROUTE_DETOUR_TORUS;
  switch (p->algorithm) {
  case UT_DETOUR_MESH_ECUBE: ecube(g, s, header, r, wrap); break;
  case UT_DETOUR_MESH_ADAPTIVE_VIN: adaptive(g, s, header, r, wrap); break;
  default: detour(g, s, header, in_port, in_vc, r, wrap); /* or detour_literal: g->readings */
  }
}

static void route(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *r) {
  ut_route(g, s, header, in_port, in_vc, r, &g->shape);
}

static const char *rule(const struct ut_shape *p) {
  const char *broken = ut_grid_rule(p);
  return broken ? broken : UT_ALG_STATES(p->route, p->algorithm) && !p->size[1] ? "detours_need_two_dimensions" : NULL;
}

static bool prepare(struct ut_group *g) {
  g->readings = g->shape.algorithm == UT_DETOUR_MESH_DETOUR ? READ_ALL : 0;
  return ut_grid_prepare(g, g->shape.route == UT_ROUTE_DETOUR_TORUS);
}

static void strap(const struct ut_group *g, struct ut_switch *s, uint64_t straps) {
  const bool wrap = g->shape.route == UT_ROUTE_DETOUR_TORUS;
  ut_grid_strap(g, s, straps);
  if (!g->form.states)
    return;
  struct ut_node_states *n = ut_node_states_of(g, s);
  n->exists = ut_grid_links(&g->shape, s->place, wrap);
  n->edge = !wrap && s->place[0] + 1u == g->shape.size[0] ? 3 : 0;
}

const struct ut_routing ut_routing_detour_mesh = {.file = "route_detour_grid.c",
                                                  .sizes = true,
                                                  .direct = true,
                                                  .borders = true,
                                                  .rule = rule,
                                                  .prepare = prepare,
                                                  .strap = strap,
                                                  .route = route};
const struct ut_routing ut_routing_detour_torus = {.file = "route_detour_grid.c",
                                                   .sizes = true,
                                                   .direct = true,
                                                   .rule = rule,
                                                   .prepare = prepare,
                                                   .strap = strap,
                                                   .route = route};
