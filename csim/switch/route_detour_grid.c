/* SPDX-License-Identifier: Apache-2.0 */
/* route_detour_grid.c - routing in meshes and k-ary n-cubes with faulty nodes.  Twin: rtl/ut_route_detour_grid.v, which
 * tells the algorithms and where they stand in the paper (DETOUR).
 *
 * Port 2d is +d, port 2d + 1 is -d; `p ^ 1` is the way back.  A packet that travels through port a arrives at a ^ 1.
 */
#include "detour_misroutes.h"
#include "grid_position.h"
#include "node_states.h"
#include "route_unit.h"

/* Corrections of the printed text (docs/explanation/route_detour.md); algorithm detour applies them all, detour_literal
 * none; and what the variants of detour do besides. */
enum ut_detour_reading {
  READ_SAFE = 1,      /* step 3.3 offers no channel to a bad node */
  READ_NO_RETURN = 2, /* ... nor the one back */
  READ_EXIT = 4,      /* a packet that leaves a detour takes the dimension that was blocked, and no other */
  READ_CORNER = 8,    /* the way back along dimension 0 begins at the corner, and is no free channel there */
  READ_AHEAD = 16,    /* step 3.4 does not turn back on a detour */
  READ_ESCAPE = 32,   /* the last hop of a detour along dimension 0 waits for the detour's channel */
  READ_ALL = 63,
  LOW_HIGH = 64, /* VIN2 of dimension 0 has a low and a high channel, and detours turn back at the border */
  RESERVED = 128 /* no channel of VIN2 in dimension 0 is free */
};

/* Returns the VCs of a virtual network, as a set.  Meshes: the first vin1_vcs are VIN1, all others are VIN2.  Tori:
 * VIN1 has vin1_vcs VCs of each class, which is the lowest bit of the VC. */
UT_INLINE unsigned first_of_vin2(const struct ut_group *group, bool wrap) {
  return wrap ? 2 * group->shape.vin1_vcs : group->shape.vin1_vcs;
}
UT_INLINE unsigned of_class(bool wrap, unsigned class) {
  return wrap ? 0x55u << class : ~0u;
}
UT_INLINE unsigned vin1_of(const struct ut_group *group, bool wrap, unsigned class) {
  return ut_mask_all(first_of_vin2(group, wrap)) & of_class(wrap, class);
}
UT_INLINE unsigned vin2(const struct ut_group *group, bool wrap) {
  return ut_mask_all(group->shape.v) & ~ut_mask_all(first_of_vin2(group, wrap));
}
UT_INLINE unsigned vin2_of(const struct ut_group *group, bool wrap, unsigned class) {
  return vin2(group, wrap) & of_class(wrap, class);
}

/* Low and high channels of VIN2 alternate. */
UT_INLINE bool is_high(const struct ut_group *group, unsigned vc) {
  return (vc - group->shape.vin1_vcs) & 1;
}

/* Returns the VCs of a detour along dimension 0 around a block in h: those of a class.  With low and high channels: a
 * packet leaves its column through the low one in the plus direction or, turned back at the border, through the high
 * one in the minus direction, and returns through the same one. */
UT_INLINE unsigned row_of(const struct ut_group *group, bool wrap, unsigned class, unsigned port, bool returns) {
  if (!(group->readings & LOW_HIGH))
    return vin2_of(group, wrap, class);
  return vin2(group, wrap) & 0x55u << ((group->shape.vin1_vcs + (port ^ returns)) & 1);
}

UT_INLINE void offer(const struct ut_group *group, struct ut_route_result *route, unsigned vcs, ut_mask ports,
                     bool escape) {
  for (unsigned i = 0; i < group->shape.v; i++)
    if (vcs >> i & 1) {
      route->cand[i] |= ports;
      if (escape)
        route->preferred[i] &= ~ports;
      else
        route->preferred[i] |= ports;
    }
}

static void finish(const struct ut_group *group, const struct ut_switch *sw, struct ut_route_result *route) {
  ut_mask any = 0;
  for (unsigned i = 0; i < group->shape.v; i++) {
    route->cand[i] &= sw->out_up;
    route->preferred[i] &= route->cand[i];
    any |= route->cand[i];
  }
  route->discard = !any;
}

/* Begins an answer, and completes it if the packet is at its destination.  Returns the directions that are left; of two
 * equally long ones the plus direction. */
UT_INLINE ut_mask begin(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                        struct ut_route_result *route) {
  const struct ut_position *to = &group->place[ut_header_dst(header)];
  const ut_mask minimal = ut_grid_minimal(group, sw, to), left = minimal & ~((minimal & 0x55555555) << 1);
  *route = (struct ut_route_result){.uses_state = group->form.states};
  if (!left)
    offer(group, route, ut_mask_all(group->shape.v), ut_grid_exits(group, to), true);
  return left;
}

/* Class of a direction's channel: 0 while the way in its dimension still crosses the wrap link. */
UT_INLINE unsigned class_of(const struct ut_switch *sw, const struct ut_position *to, unsigned port) {
  const unsigned d = port / 2;
  return port & 1 ? to->at[d] < sw->place[d] : to->at[d] > sw->place[d];
}

/* Returns the VCs of a class under e-cube: of an odd number the last one is of class 1, which has most hops. */
UT_INLINE unsigned ecube_class(unsigned vcs, unsigned class) {
  const unsigned ones = 0xaau | (vcs % 2 ? 1u << (vcs - 1) : 0);
  return class ? ones : ~ones;
}

UT_INLINE void ecube(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                     struct ut_route_result *route, bool wrap) {
  const ut_mask left = begin(group, sw, header, route), one = ut_mask_lowest(left);
  unsigned vcs = ut_mask_all(group->shape.v);
  if (left && wrap)
    vcs &= ecube_class(group->shape.v, class_of(sw, &group->place[ut_header_dst(header)], ut_first(one)));
  offer(group, route, vcs, one, true);
  route->rule = "3.2";
  finish(group, sw, route);
}

/* Counts the last hop.  Returns the directions in which a packet may be misrouted. */
UT_INLINE ut_mask count_misroutes(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                                  unsigned in_port, ut_mask left, struct ut_route_result *route) {
  if (!group->shape.misroute_hops)
    return 0;
  const ut_mask away = ut_bit(in_port) & left ? ut_bit(in_port / 2) : 0;
  const struct ut_misroutes misroutes = ut_misroutes_of(group, header, group->dimensions, away);
  ut_mask ports = 0;
  UT_FOR_EACH (d, misroutes.may)
    ports |= (ut_mask)3 << 2 * d;
  route->rt = misroutes.rt;
  if (!left)
    return 0;
  if (group->readings & READ_ABOVE)
    ports &= ~ut_mask_all(ut_first(left) / 2 * 2 + 2);
  return ports & ut_grid_links(&group->shape, sw->place, false) & ~left & ~ut_bit(in_port);
}

/* Offers misrouted hops in VIN2, behind the minimal ones: those in VIN1, through port f1, are preferred then, too. */
UT_INLINE void misroute(const struct ut_group *group, struct ut_route_result *route, unsigned f1, ut_mask astray) {
  if (!astray)
    return;
  offer(group, route, vin1_of(group, false, 0), ut_bit(f1), false);
  offer(group, route, vin2(group, false), astray, true);
  route->escape_vcs = vin1_of(group, false, 0);
}

UT_INLINE void adaptive(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                        struct ut_route_result *route, bool wrap) {
  const ut_mask left = begin(group, sw, header, route), one = ut_mask_lowest(left);
  const ut_mask astray = count_misroutes(group, sw, header, in_port, left, route);
  if (left) {
    offer(group, route,
          vin1_of(group, wrap, wrap ? class_of(sw, &group->place[ut_header_dst(header)], ut_first(one)) : 0), one,
          true);
    offer(group, route, vin2(group, wrap), left & ~(group->shape.misroute_hops ? ut_bit(in_port) : 0), false);
    misroute(group, route, ut_first(one), astray);
  }
  route->rule = "3.3";
  finish(group, sw, route);
}

/* Whether one hop through a port leads to that coordinate. */
UT_INLINE bool is_next(const struct ut_group *group, const struct ut_switch *sw, const struct ut_position *to,
                       unsigned port) {
  const unsigned d = port / 2, size = group->shape.size[d];
  return (sw->place[d] + (port & 1 ? size - 1 : 1)) % size == to->at[d];
}

/* A packet on its way around blocks. */
struct trip {
  ut_mask left; /* directions to the destination */
  unsigned f1;  /* the lowest of them, as a port */
  unsigned h;   /* the highest dimension */
  unsigned a;   /* direction in which it travels; NONE: injected, or from a bad node */
  bool second;  /* arrived through VIN2 */
  bool high;    /* ... and there through a high channel; only with LOW_HIGH */
};
enum { NONE = 32 };

/* On side `side` of dimension h (0: plus) a detour along dimension 0 begins with this direction: away from the right
 * border if the block reaches it (figure 10). */
UT_INLINE unsigned around(unsigned borders, unsigned side) {
  return borders >> side & 1;
}

/* Whether a channel of VIN2 through port p is a detour. */
UT_INLINE bool is_detour(const struct ut_group *group, const struct ut_node_states *states, unsigned p, unsigned h) {
  const unsigned d = p / 2;
  if (d > 0)
    return states->bad & ut_mask_all(2 * d);
  if (group->readings & RESERVED || states->bad >> 2 * h & 3)
    return true;
  if (!(group->readings & READ_CORNER) || ut_is_bad(states, p))
    return false;
  for (unsigned side = 0; side < 2; side++)
    if (ut_is_bad_across(states, p, 2 * h + side) &&
        (group->readings & LOW_HIGH || (p & 1) != around(states->corner >> 2 * p, side)))
      return true;
  return false;
}

/* Whether the packet returns along dimension 0 next to the block that it went around. */
UT_INLINE bool returns(const struct ut_group *group, const struct ut_node_states *states, const struct trip *trip) {
  if (trip->a > 1 || !trip->second || !(trip->left >> trip->a & 1))
    return false;
  if (group->readings & LOW_HIGH)
    return states->bad >> 2 * trip->h & 3 && trip->high != (trip->a & 1);
  for (unsigned side = 0; side < 2; side++)
    if (ut_is_bad(states, 2 * trip->h + side) && trip->a != around(states->border, side))
      return true;
  return false;
}

/* Whether the packet has left its column around a block and not passed it yet: it goes away from its column or, turned
 * back at the border, towards it through the high channel. */
UT_INLINE bool goes_away(const struct ut_group *group, const struct ut_node_states *states, const struct trip *trip) {
  const ut_mask up = trip->left >> 2 * trip->h & 3;
  if (trip->a > 1 || !up)
    return false;
  if (trip->left >> (trip->a ^ 1) & 1)
    return true;
  return group->readings & LOW_HIGH && trip->a == 1 && trip->high && ut_is_bad(states, 2 * trip->h + (up >> 1));
}

/* A detour along dimension 0, begun or continued in direction `way`; with low and high channels it turns back at the
 * border. */
UT_INLINE void leave_column(const struct ut_group *group, const struct ut_node_states *states,
                            struct ut_route_result *route, bool wrap, unsigned class, unsigned way) {
  if (group->readings & LOW_HIGH && !(states->exists >> way & 1))
    way ^= 1;
  offer(group, route, row_of(group, wrap, class, way, false), ut_bit(way), true);
}

/* Step 3.3: VIN1 in the lowest dimension, and the free channels of VIN2. */
UT_INLINE void go_on(const struct ut_group *group, const struct ut_node_states *states, const struct trip *trip,
                     struct ut_route_result *route, bool wrap, unsigned class, ut_mask astray) {
  ut_mask free = trip->left;
  if (group->readings & READ_SAFE)
    free &= ~states->bad;
  if (trip->a != NONE && group->readings & READ_NO_RETURN)
    free &= ~ut_bit(trip->a ^ 1);
  if (trip->a != NONE && trip->second && trip->a / 2 > trip->f1 / 2 &&
      ut_is_bad_across(states, trip->a ^ 1, trip->f1) && group->readings & READ_EXIT)
    free &= ut_bit(trip->f1);
  astray &= ~states->bad;
  UT_FOR_EACH (p, free | astray)
    if (is_detour(group, states, p, trip->h))
      free &= ~ut_bit(p), astray &= ~ut_bit(p);
  offer(group, route, vin2(group, wrap), free, false);
  offer(group, route, vin1_of(group, wrap, class), ut_bit(trip->f1), true);
  misroute(group, route, trip->f1, astray);
  route->rule = "3.3";
}

/* Step 3.5: a detour through any higher dimension, continued in the dimension that was begun. */
UT_INLINE ut_mask higher(const struct ut_node_states *states, const struct trip *trip) {
  const unsigned m = trip->f1 / 2;
  ut_mask ports = states->exists & ~ut_mask_all(2 * m + 2);
  if (trip->a == NONE || trip->a / 2 <= m)
    return ports;
  const unsigned on = states->exists >> trip->a & 1 ? trip->a : trip->a ^ 1;
  return (ports & ~ut_mask_all(trip->a / 2 * 2 + 2)) | ut_bit(on);
}

/* Algorithm 4.2: one hop left; unsafe; around along dimension 0; the lowest dimension is free; around through a higher
 * one. */
UT_INLINE void detour(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                      unsigned in_vc, struct ut_route_result *route, bool wrap) {
  const struct ut_node_states *states = ut_node_states_of(group, sw);
  const struct ut_position *to = &group->place[ut_header_dst(header)];
  struct trip trip = {.left = begin(group, sw, header, route), .h = group->dimensions - 1, .a = NONE};
  const ut_mask astray = count_misroutes(group, sw, header, in_port, trip.left, route);
  trip.second = in_vc >= first_of_vin2(group, wrap);
  trip.high = trip.second && is_high(group, in_vc);
  if (states->disabled && in_port >= 2 * group->dimensions) { /* as if it were faulty */
    for (unsigned i = 0; i < group->shape.v; i++)
      route->cand[i] = 0;
    route->discard = true;
    route->rule = "disabled";
    return;
  }
  if (!trip.left) {
    route->rule = "2";
    finish(group, sw, route);
    return;
  }
  const ut_mask others = trip.left & (trip.left - 1);
  trip.f1 = ut_first(trip.left);
  if (!states->unsafe && in_port < 2 * group->dimensions && !ut_is_bad(states, in_port))
    trip.a = in_port ^ 1;
  const unsigned m = trip.f1 / 2;
  const ut_mask along = trip.left & 3,
                up = trip.left >> 2 * trip.h & 3; /* directions in dimension 0 and in h, of two bits */
  const bool climb = trip.a != NONE && trip.a / 2 == trip.h && !trip.second && along;
  const bool away = goes_away(group, states, &trip);
  const bool back = returns(group, states, &trip);
  const bool adjacent = !others && is_next(group, sw, to, trip.f1);
  const unsigned low = wrap ? class_of(sw, to, trip.f1) : 0;
  /* class of a detour along dimension 0: that of dimension h, 1 once the destination's row is passed */
  unsigned high = wrap && up ? class_of(sw, to, 2 * trip.h + (up >> 1)) : 1;
  if (climb && !(trip.left >> trip.a & 1))
    high = 1;
  if (back && up && ut_is_bad(states, 2 * trip.h + (up >> 1)))
    high = 1;
  if (adjacent) {
    const bool last = (climb || back) && !ut_is_bad(states, trip.f1) && group->readings & READ_ESCAPE;
    if (m > 0 || !(group->readings & RESERVED))
      offer(group, route, vin2(group, wrap), ut_bit(trip.f1), false);
    offer(group, route, vin1_of(group, wrap, low), ut_bit(trip.f1), !last);
    if (last)
      offer(group, route, row_of(group, wrap, high, trip.f1, true), ut_bit(trip.f1), true);
    route->rule = "3.1";
  } else if (states->unsafe) {
    offer(group, route, ut_mask_all(first_of_vin2(group, wrap)), states->exists & ~states->bad, true);
    offer(group, route, vin2(group, wrap), states->exists & ~states->bad & ~(group->readings & RESERVED ? 3u : 0),
          true);
    route->rule = "3.2";
  } else if (away) {
    const unsigned ahead = 2 * trip.h + (up >> 1);
    if (ut_is_bad(states, ahead))
      leave_column(group, states, route, wrap, high, trip.a);
    else
      offer(group, route, vin1_of(group, wrap, high), ut_bit(ahead), true);
    route->rule = "3.6 away";
  } else if (climb) {
    const unsigned home = along >> 1;
    if (ut_is_bad(states, home))
      offer(group, route, vin1_of(group, wrap, high), ut_bit(trip.a), true);
    else
      offer(group, route, row_of(group, wrap, high, home, true), ut_bit(home), true);
    route->rule = "3.6 climb";
  } else if (back) {
    offer(group, route, row_of(group, wrap, high, trip.a, true), ut_bit(trip.a), true);
    route->rule = "3.6 back";
  } else if (!ut_is_bad(states, trip.f1)) {
    go_on(group, states, &trip, route, wrap, low, astray);
  } else if (others) {
    unsigned q = ut_first(others);
    if (trip.a != NONE && q == (trip.a ^ 1) && states->exists >> trip.a & 1 && group->readings & READ_AHEAD)
      q = trip.a;
    offer(group, route, vin2_of(group, wrap, low), ut_bit(q), true);
    route->rt = ut_rt_of_detour(group, route->rt);
    route->rule = "3.4";
  } else if (m < trip.h) {
    offer(group, route, vin2_of(group, wrap, low), higher(states, &trip), true);
    route->rt = ut_rt_of_detour(group, route->rt);
    route->rule = "3.5";
  } else {
    const unsigned way = around(states->border, trip.f1 & 1);
    leave_column(group, states, route, wrap, high, way);
    route->rt = ut_rt_of_detour(group, route->rt);
    route->rule = way ? "3.7" : "3.6";
  }
  finish(group, sw, route);
}

/* Route computation: the algorithm of that shape, which is the group's.  The codes are the same in both. */
UT_INLINE void ut_route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *route, const struct ut_shape *shape) {
  ut_route_knows(group, shape);
  const bool wrap = shape->route == UT_ROUTE_DETOUR_TORUS;
  switch (shape->algorithm) {
  case UT_DETOUR_MESH_ECUBE: ecube(group, sw, header, route, wrap); break;
  case UT_DETOUR_MESH_ADAPTIVE_VIN: adaptive(group, sw, header, in_port, route, wrap); break;
  default: detour(group, sw, header, in_port, in_vc, route, wrap); /* or a variant: group->readings */
  }
}

static void route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *result) {
  ut_route(group, sw, header, in_port, in_vc, result, &group->shape);
}

static const char *rule(const struct ut_shape *shape) {
  const char *broken = ut_grid_rule(shape);
  return broken                                                             ? broken
         : UT_ALG_STATES(shape->route, shape->algorithm) && !shape->size[1] ? "detours_need_two_dimensions"
                                                                            : NULL;
}

static bool prepare(struct ut_group *group) {
  switch (group->shape.algorithm) {
  case UT_DETOUR_MESH_DETOUR: group->readings = READ_ALL; break;
  case UT_DETOUR_MESH_DETOUR_LOW_HIGH: group->readings = READ_ALL | LOW_HIGH; break;
  case UT_DETOUR_MESH_DETOUR_RESERVED: group->readings = READ_ALL | RESERVED; break;
  default: group->readings = 0;
  }
  group->readings |= READ_MISROUTES;
  return ut_grid_prepare(group, group->shape.route == UT_ROUTE_DETOUR_TORUS);
}

static void strap(const struct ut_group *group, struct ut_switch *sw, uint64_t straps) {
  const bool wrap = group->shape.route == UT_ROUTE_DETOUR_TORUS;
  ut_grid_strap(group, sw, straps);
  if (!group->form.states)
    return;
  struct ut_node_states *states = ut_node_states_of(group, sw);
  states->exists = ut_grid_links(&group->shape, sw->place, wrap);
  states->edge = !wrap && sw->place[0] + 1u == group->shape.size[0] ? 3 : 0;
}

const struct ut_routing ut_routing_detour_mesh = {.file = "route_detour_grid.c",
                                                  .sizes = true,
                                                  .direct = true,
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
