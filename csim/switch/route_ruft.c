/* SPDX-License-Identifier: Apache-2.0 */
/* route_ruft.c - routing in RUFT, RUFT-PL, FT-RUFT-212 and FT-RUFT-222.  Twin: rtl/ut_route_ruft.v, which tells the
 * rules and where they stand in the paper.
 */
#include "route_unit.h"

/* Whether a switch of that shape can be at the first level, or at the last one: the ports tell, if the levels
 * differ. */
UT_INLINE bool may_be_first(const struct ut_shape *shape) {
  return shape->pi >= shape->po && shape->pi > shape->radix;
}
UT_INLINE bool may_be_last(const struct ut_shape *shape) {
  return shape->po >= shape->pi && shape->po > shape->radix;
}

/* Returns the output ports of a digit: by half; of parallel links with static selection, `half` selects one. */
UT_INLINE ut_mask side_by_side(const struct ut_shape *shape, ut_mask digit, unsigned half) {
  switch (shape->parallel) {
  case UT_PARALLEL_NONE: return digit;
  case UT_PARALLEL_STATIC: return digit << (half ? shape->radix : 0);
  default: return digit | digit << shape->radix;
  }
}

UT_INLINE void ruft(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                    unsigned in_vc, struct ut_route_result *route) {
  const struct ut_shape *shape = &group->shape;
  const struct ut_stage *at = &sw->stage;
  const unsigned k = shape->radix, dst = ut_header_dst(header), rest = dst >> at->below, digit = rest & (k - 1);
  const unsigned choices = (unsigned)ut_rt_ruft_choices(ut_header_rt(header));
  ut_mask ports = ut_bit(digit);
  (void)in_vc;
  if (may_be_last(shape) && at->last) { /* the terminal's link from this switch, or both of them */
    if (shape->dual_homed)
      ports <<= ((at->low ^ dst) & (k - 1)) ? k : 0;
    else
      ports |= ports << k;
  } else {
    if (shape->dual_homed && may_be_first(shape) && at->first) /* here the paths to both ejection links begin */
      ports = (choices & 1 ? ports : 0) | (choices & 2 ? ut_bit(digit ^ 1) : 0);
    ports = side_by_side(shape, ports, rest >> group->digit_bits & 1);
  }
  const ut_mask odd = UINT64_C(0xaaaaaaaaaaaaaaaa) & ut_mask_all(shape->po);
  if (shape->half_crossbar) /* ports d and k + d serve digit d, and k is even */
    ports &= in_port >= k ? odd : ~odd;
  ports &= sw->out_up;
  for (unsigned v = 0; v < shape->v; v++)
    route->cand[v] = ports;
  route->discard = ports == 0;
  route->uses_state = false;
  route->set = 0;
}

static const char *rule(const struct ut_shape *shape) {
  const unsigned k = shape->radix;
  if (k < 2 || k > UT_MAX_PORTS / 2 || (k & (k - 1)))
    return "ruft_needs_a_radix_of_2_4_8_16_or_32";
  if ((shape->pi != k && shape->pi != 2 * k) || (shape->po != k && shape->po != 2 * k))
    return "ruft_needs_k_or_2k_ports_each_way";
  if (shape->parallel != UT_PARALLEL_NONE && (shape->pi != 2 * k || shape->po != 2 * k))
    return "links_side_by_side_need_2k_ports_both_ways";
  if (shape->parallel > UT_PARALLEL_DYNAMIC || (shape->half_crossbar && shape->parallel != UT_PARALLEL_STATIC))
    return "half_crossbar_is_for_static_selection";
  return NULL;
}

static bool prepare(struct ut_group *group) {
  group->k = group->shape.radix;
  group->digit_bits = (unsigned)__builtin_ctz(group->k);
  return true;
}

static void strap(const struct ut_group *group, struct ut_switch *sw, uint64_t straps) {
  (void)group;
  sw->stage = (struct ut_stage){.below = ut_ruft_strap_shift(straps),
                                .low = ut_ruft_strap_low(straps),
                                .first = ut_ruft_strap_first(straps),
                                .last = ut_ruft_strap_last(straps)};
}

/* Route computation: the algorithm of that shape, which is the group's. */
UT_INLINE void ut_route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *route, const struct ut_shape *shape) {
  ut_route_knows(group, shape);
  ruft(group, sw, header, in_port, in_vc, route);
}

static void route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *result) {
  ut_route(group, sw, header, in_port, in_vc, result, &group->shape);
}

const struct ut_routing ut_routing_ruft = {
    .digits = true, .rule = rule, .prepare = prepare, .strap = strap, .route = route};
