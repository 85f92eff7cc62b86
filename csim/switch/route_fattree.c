/* SPDX-License-Identifier: Apache-2.0 */
/* route_fattree.c - routing in k-ary n-trees and m-port n-trees.  Twin: rtl/ut_route_fattree.v, which tells the
 * algorithms and their papers.
 */
#include "route_fattree.h"
#include "route_unit.h"

/* The digit of the destination at this switch's level, and whether the destination lies in the subtree below.  A root
 * of an m-port n-tree has a port down for each of 2k values of the digit. */
UT_INLINE bool mine(const struct ut_group *group, const struct ut_switch *sw, uint32_t dst, unsigned *digit) {
  const struct ut_stage *stage = &sw->stage;
  const unsigned values = group->shape.root ? 2 * group->k : group->k;
  if (group->digit_bits) {
    uint32_t differs = (dst ^ stage->base) >> stage->below;
    *digit = differs & (values - 1); /* base has a zero at this level, so this is the destination's digit */
    return differs < values;
  }
  uint32_t offset = dst - stage->base;
  bool below = dst >= stage->base && offset < values * stage->step;
  *digit = below ? offset / stage->step : dst / stage->step % group->k;
  return below;
}

UT_INLINE bool comes_from_above(const struct ut_group *group, unsigned in_port) {
  return group->up_ports >> in_port & 1;
}

UT_INLINE void answer(const struct ut_group *group, struct ut_route_result *route, ut_mask ports) {
  for (unsigned v = 0; v < group->shape.v; v++)
    route->cand[v] = ports;
  route->discard = ports == 0;
}

/* Returns the up ports with an exclusion interval that contains the destination. */
UT_INLINE ut_mask excluded(const struct ut_group *group, const struct ut_switch *sw, uint32_t dst) {
  ut_mask ports = 0;
  for (unsigned port = 0; port < group->k && group->shape.exclusions; port++) {
    const uint32_t *interval = ut_exclusions_of(group, (struct ut_switch *)(uintptr_t)sw, port);
    for (unsigned i = 0; i < group->shape.exclusions; i++)
      if (dst >= (interval[i] & 0xffff) && dst <= interval[i] >> 16)
        ports |= ut_bit(group->k + port);
  }
  return ports;
}

/* fta and destro: no U-turns; where the only link down has failed, or a packet from above is not for this subtree, it
 * is discarded. */
UT_INLINE void minimal(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                       struct ut_route_result *route, bool deterministic) {
  unsigned digit, k = group->k;
  ut_mask ports;
  if (mine(group, sw, ut_header_dst(header), &digit))
    ports = ut_bit(digit);
  else if (comes_from_above(group, in_port))
    ports = 0;
  else
    ports = group->up_ports & (deterministic ? ut_bit(k + digit) : ~excluded(group, sw, ut_header_dst(header)));
  route->set = 0;
  route->uses_state = false;
  answer(group, route, ports & sw->out_up);
}

UT_INLINE void fta(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                   unsigned in_vc, struct ut_route_result *route) {
  (void)in_vc;
  minimal(group, sw, header, in_port, route, false);
}

UT_INLINE void destro(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                      unsigned in_vc, struct ut_route_result *route) {
  (void)in_vc;
  minimal(group, sw, header, in_port, route, true);
}

/* reroute_adaptive_link: REROUTE sections V.C and VII.A, whose step numbers stand in the comments. */
UT_INLINE void reroute_adaptive_link(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                                     unsigned in_port, unsigned in_vc, struct ut_route_result *route) {
  (void)in_vc;
  unsigned digit;
  ut_mask down = sw->out_up & ~group->up_ports, above = sw->out_up & group->up_ports, from = ut_bit(in_port);
  bool from_above = comes_from_above(group, in_port), below = mine(group, sw, ut_header_dst(header), &digit);
  ut_mask ports;
  if (below && down & ut_bit(digit))
    ports = ut_bit(digit);
  else if (below) /* steps 2a, 2b; links to terminals have no detour */
    ports = sw->stage.level == 0 ? 0 : down & from ? from : down;
  else if (from_above) /* steps 3, 4: a U-turn */
    ports = above & ~ut_tree_avoided(sw, from);
  else /* step 1 */
    ports = above;
  route->uses_state = from_above && !below;
  route->set = route->uses_state ? from : 0;
  answer(group, route, ports); /* step 5: discarded when every port of the vector has been tried */
}

/* ---- virtual layers: each one behind the first has one VC, from the top; the first has the rest */

UT_INLINE unsigned layer_of(const struct ut_group *group, unsigned vc, unsigned layers) {
  unsigned first = group->shape.v - (layers - 1); /* VCs of the first layer */
  return vc < first ? 0 : vc - first + 1;
}

UT_INLINE void answer_in(const struct ut_group *group, struct ut_route_result *route, ut_mask ports, unsigned layer,
                         unsigned layers) {
  for (unsigned v = 0; v < group->shape.v; v++)
    route->cand[v] = layer_of(group, v, layers) == layer ? ports : 0;
  route->discard = ports == 0;
  route->uses_state = false;
  route->set = 0;
}

/* Returns the next up port of a U-turn in the sequence D, the order of the port numbers at all switches: the first port
 * other than the arrival port or, for a packet that has turned before, the first one after it.  Ports that are down are
 * skipped. */
UT_INLINE ut_mask in_sequence(ut_mask above, unsigned in_port, bool again) {
  ut_mask others = above & ~ut_bit(in_port);
  return ut_mask_lowest(again ? others & ~(ut_bit(in_port) - 1) : others);
}

/* The path down from an ancestor of the destination.  Around a faulty link: back, where a packet from below came from,
 * otherwise another down port; links to terminals have no detour. */
UT_INLINE ut_mask way_down(const struct ut_group *group, const struct ut_switch *sw, unsigned digit, unsigned in_port,
                           bool deterministic) {
  ut_mask down = sw->out_up & ~group->up_ports;
  if (down & ut_bit(digit))
    return ut_bit(digit);
  if (sw->stage.level == 0)
    return 0;
  if (down & ut_bit(in_port))
    return ut_bit(in_port);
  return deterministic ? ut_mask_first_from(down, digit) : down;
}

/* reroute_det_link: REROUTE section VI.A, readings 1 to 5.  Layers: 0 the normal layer, 1 the re-routing layer.  With
 * one VC every arrival is in the normal layer: the section's simpler version, for one fault. */
UT_INLINE void reroute_det_link(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                                unsigned in_port, unsigned in_vc, struct ut_route_result *route) {
  unsigned digit, k = group->k, layers = group->shape.v > 1 ? 2 : 1, in = layer_of(group, in_vc, layers), layer = 0;
  ut_mask above = sw->out_up & group->up_ports, ports;
  if (mine(group, sw, ut_header_dst(header), &digit)) { /* steps 2, 2a, 2b */
    ports = way_down(group, sw, digit, in_port, true);
    layer = comes_from_above(group, in_port) ? 0 : in;
  } else if (comes_from_above(group, in_port)) { /* step 3: a U-turn; 4: discarded behind the last port */
    ports = in_sequence(above, in_port, in > 0);
    layer = layers - 1;
  } else { /* step 1 */
    ports = ut_mask_first_from(above, k + digit);
  }
  answer_in(group, route, ports, layer, layers);
}

/* The bits of the port field that a switch with k ports down has: the last one is for more than 30 ports. */
UT_INLINE unsigned field_mask(unsigned k) {
  return k + UT_PORT_FIELD_FIRST > 32 ? 63 : 31;
}

/* reroute_det_switch: REROUTE section VI.B (deterministic), readings 2 to 8.  Layers: 0 the normal layer, 1 ML1, 2 ML2.
 * reroute_adaptive_switch: REROUTE section VII.B, reading 9.  Step numbers: deterministic / adaptive. */
UT_INLINE void switch_faults(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                             unsigned in_port, unsigned in_vc, struct ut_route_result *route, bool deterministic) {
  unsigned digit, k = group->k, in = layer_of(group, in_vc, 3), layer = 0;
  unsigned field = ut_rt_port_port(ut_header_rt(header)) & field_mask(k), next = UT_PORT_FIELD_NONE;
  ut_mask down = sw->out_up & ~group->up_ports, above = sw->out_up & group->up_ports, from = ut_bit(in_port), ports;
  bool from_above = comes_from_above(group, in_port), below = mine(group, sw, ut_header_dst(header), &digit),
       u_turn = false;
  if (below) { /* steps 2, 3 / 2, 3 */
    ports = way_down(group, sw, digit, in_port, deterministic);
    layer = from_above ? in - (in > 0) : in;
    if (!from_above && ports != ut_bit(digit))
      next = field;
  } else if (!from_above) { /* steps 1, 5 / 1, 6 */
    ports = deterministic ? ut_mask_first_from(above, k + digit) : above;
    if (field == UT_PORT_FIELD_TURN) {
      next = UT_PORT_FIELD_FIRST + in_port;
      layer = 2;
    }
  } else if (field == UT_PORT_FIELD_TURN || sw->stage.level == 0) { /* steps 4b / 4b, 4c, 5, 7: a U-turn */
    u_turn = true;
    /* i, ii; iii: discarded behind the last port */
    ports = deterministic ? in_sequence(above, in_port, in > 0) : above & ~ut_tree_avoided(sw, from);
    layer = 1;
    next = field == UT_PORT_FIELD_NONE ? UT_PORT_FIELD_NONE : UT_PORT_FIELD_TURN;
  } else { /* steps 4a, 4c / 4a, 4d */
    ut_mask back = field >= UT_PORT_FIELD_FIRST ? ut_bit(field - UT_PORT_FIELD_FIRST) & down : 0;
    ports = back ? back : deterministic ? ut_mask_first_from(down, digit) : down;
    layer = field != UT_PORT_FIELD_NONE;
    next = UT_PORT_FIELD_TURN;
  }
  if (deterministic) {
    answer_in(group, route, ports, layer, 3);
  } else {
    answer(group, route, ports);
    route->uses_state = u_turn;
    route->set = u_turn ? from : 0;
  }
  route->rt = (uint32_t)ut_rt_port_make((uint8_t)next);
}

UT_INLINE void reroute_det_switch(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                                  unsigned in_port, unsigned in_vc, struct ut_route_result *route) {
  switch_faults(group, sw, header, in_port, in_vc, route, true);
}

UT_INLINE void reroute_adaptive_switch(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                                       unsigned in_port, unsigned in_vc, struct ut_route_result *route) {
  switch_faults(group, sw, header, in_port, in_vc, route, false);
}

/* The four *_one_fault: REROUTE sections VI.A, VI.B, last paragraphs, and VII, second paragraph.  After a U-turn any up
 * port will do but the arrival port.  two_levels: a bit of the header tells the hop down the second level from that
 * down the first. */
UT_INLINE void one_fault(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                         struct ut_route_result *route, bool deterministic, bool two_levels) {
  unsigned digit;
  ut_mask above = sw->out_up & group->up_ports, down = sw->out_up & ~group->up_ports, ports;
  bool second = false;
  if (mine(group, sw, ut_header_dst(header), &digit)) { /* steps 2, 2a, 2b */
    ports = way_down(group, sw, digit, in_port, deterministic);
  } else if (!comes_from_above(group, in_port)) { /* step 1 */
    ports = deterministic ? ut_mask_first_from(above, group->k + digit) : above;
  } else if (two_levels && sw->stage.level && !ut_rt_tier_second(ut_header_rt(header))) { /* step 4a */
    ports = deterministic ? ut_mask_first_from(down, digit) : down;
    second = true;
  } else { /* a U-turn: VI.A step 3a; V.C step 4 */
    ports = deterministic ? in_sequence(above, in_port, false) : above & ~ut_bit(in_port);
  }
  answer(group, route, ports);
  route->uses_state = false;
  route->set = 0;
  route->rt = (uint32_t)ut_rt_tier_make(second);
}

/* misroute_header: MISROUTE section 3.1, whose step numbers stand in the comments. */
UT_INLINE void misroute_header(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                               unsigned in_port, unsigned in_vc, struct ut_route_result *route) {
  (void)in_vc;
  unsigned digit, k = group->k;
  ut_mask down = sw->out_up & ~group->up_ports, above = sw->out_up & group->up_ports, from = ut_bit(in_port);
  ut_mask vector = (ut_mask)ut_rt_misroute_vector(ut_header_rt(header)) & ut_mask_all(k), next = 0, ports;
  bool from_above = comes_from_above(group, in_port);
  if (mine(group, sw, ut_header_dst(header), &digit)) {
    ports = down & ut_bit(digit); /* step 2; step 5: the vector is reset */
    if (!ports && sw->stage.level != 0) {
      bool back = vector && down & from;
      ports = back ? from : down; /* step 5: back to the U-turn switch, with the vector; step 2: any other down port */
      next = back ? vector : 0;
    }
  } else if (from_above) { /* steps 3, 4, 6: a U-turn */
    next = vector | from >> k;
    ports = above & ~(next << k);
  } else { /* step 1 */
    ports = above;
  }
  answer(group, route, ports);
  route->uses_state = false;
  route->set = 0;
  route->rt = (uint32_t)ut_rt_misroute_make((uint32_t)next);
}

/* log2 k, or 0 where k is no power of two. */
UT_INLINE unsigned digit_bits(unsigned k) {
  return (k & (k - 1)) == 0 ? (unsigned)__builtin_ctz(k) : 0;
}
/* As ut_route_knows(): what ut_tree_prepare() makes of the shape. */
UT_INLINE void tree_knows(const struct ut_group *group, const struct ut_shape *shape) {
  const unsigned k = shape->po / 2;
  if (group->k != k || group->digit_bits != digit_bits(k) ||
      group->up_ports != (shape->root ? 0 : ut_mask_all(shape->po) & ~ut_mask_all(k)))
    __builtin_unreachable();
}

const char *ut_tree_rule(const struct ut_shape *shape) {
  return shape->pi != shape->po || shape->po < 4 || shape->po > UT_MAX_PORTS || shape->po % 2 != 0
             ? "fat_tree_needs_2k_ports_both_ways"
             : NULL;
}

bool ut_tree_prepare(struct ut_group *group) {
  group->k = group->shape.po / 2;
  group->digit_bits = digit_bits(group->k);
  group->up_ports = group->shape.root ? 0 : group->all_out & ~ut_mask_all(group->k);
  return true;
}

void ut_tree_strap(const struct ut_group *group, struct ut_switch *sw, uint64_t straps) {
  sw->stage = (struct ut_stage){
      .base = ut_level_strap_base(straps),
      .step = ut_level_strap_step(straps),
      .timeout = ut_level_strap_timeout(straps),
      .level = ut_level_strap_level(straps),
      .below = (uint8_t)(ut_level_strap_level(straps) * group->digit_bits),
      .repair = ut_level_strap_repair(straps),
  };
}

/* Route computation: the algorithm of that shape, which is the group's. */
UT_INLINE void ut_route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *route, const struct ut_shape *shape) {
  ut_route_knows(group, shape);
  tree_knows(group, shape);
  switch (shape->algorithm) {
  case UT_FATTREE_FTA: fta(group, sw, header, in_port, in_vc, route); break;
  case UT_FATTREE_DESTRO: destro(group, sw, header, in_port, in_vc, route); break;
  case UT_FATTREE_REROUTE_ADAPTIVE_LINK: reroute_adaptive_link(group, sw, header, in_port, in_vc, route); break;
  case UT_FATTREE_REROUTE_DET_LINK: reroute_det_link(group, sw, header, in_port, in_vc, route); break;
  case UT_FATTREE_REROUTE_DET_SWITCH: reroute_det_switch(group, sw, header, in_port, in_vc, route); break;
  case UT_FATTREE_REROUTE_ADAPTIVE_SWITCH: reroute_adaptive_switch(group, sw, header, in_port, in_vc, route); break;
  case UT_FATTREE_REROUTE_DET_LINK_ONE_FAULT: one_fault(group, sw, header, in_port, route, true, false); break;
  case UT_FATTREE_REROUTE_ADAPTIVE_LINK_ONE_FAULT: one_fault(group, sw, header, in_port, route, false, false); break;
  case UT_FATTREE_REROUTE_DET_SWITCH_ONE_FAULT: one_fault(group, sw, header, in_port, route, true, true); break;
  case UT_FATTREE_REROUTE_ADAPTIVE_SWITCH_ONE_FAULT: one_fault(group, sw, header, in_port, route, false, true); break;
  default: misroute_header(group, sw, header, in_port, in_vc, route);
  }
}

static void route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *result) {
  ut_route(group, sw, header, in_port, in_vc, result, &group->shape);
}

static const char *rule(const struct ut_shape *shape) {
  if (shape->algorithm == UT_FATTREE_MISROUTE_HEADER && shape->po / 2 > UT_RT_MISROUTE_VECTOR_WIDTH)
    return "misroute_vector_has_24_bits";
  return ut_tree_rule(shape);
}

static bool goes_around(const struct ut_shape *shape) {
  return shape->algorithm == UT_FATTREE_REROUTE_DET_LINK_ONE_FAULT ||
         shape->algorithm == UT_FATTREE_REROUTE_ADAPTIVE_LINK_ONE_FAULT;
}

const struct ut_routing ut_routing_fattree = {.roots = true,
                                              .goes_around = goes_around,
                                              .rule = rule,
                                              .prepare = ut_tree_prepare,
                                              .strap = ut_tree_strap,
                                              .route = route};
