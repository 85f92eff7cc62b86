/* SPDX-License-Identifier: Apache-2.0 */
/* route_ruft.c - routing in RUFT, RUFT-PL, FT-RUFT-212 and FT-RUFT-222.  Twin: rtl/ut_route_ruft.v, which tells the
 * rules and where they stand in the paper.
 */
#include "route_unit.h"

/* Whether a switch of that shape can be of the first level, or of the last one: ports tell, where they differ. */
UT_INLINE bool may_be_first(const struct ut_shape *p) {
  return p->pi >= p->po && p->pi > p->radix;
}
UT_INLINE bool may_be_last(const struct ut_shape *p) {
  return p->po >= p->pi && p->po > p->radix;
}

/* The output ports of a digit: by half, side by side with static selection `half` is the one. */
UT_INLINE ut_mask side_by_side(const struct ut_shape *p, ut_mask digit, unsigned half) {
  switch (p->parallel) {
  case UT_PARALLEL_NONE: return digit;
  case UT_PARALLEL_STATIC: return digit << (half ? p->radix : 0);
  default: return digit | digit << p->radix;
  }
}

UT_INLINE void ruft(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                    unsigned in_vc, struct ut_route_result *r) {
  const struct ut_shape *p = &g->shape;
  const struct ut_stage *at = &s->stage;
  const unsigned k = p->radix, dst = ut_header_dst(header), rest = dst >> at->below, digit = rest & (k - 1);
  const unsigned choices = (unsigned)ut_rt_ruft_choices(ut_header_rt(header));
  ut_mask ports = ut_bit(digit);
  (void)in_vc;
  if (may_be_last(p) && at->last) { /* the terminal's link from this switch, or both of them */
    if (p->dual_homed)
      ports <<= ((at->low ^ dst) & (k - 1)) ? k : 0;
    else
      ports |= ports << k;
  } else {
    if (p->dual_homed && may_be_first(p) && at->first) /* the ways to both ejection links begin here */
      ports = (choices & 1 ? ports : 0) | (choices & 2 ? ut_bit(digit ^ 1) : 0);
    ports = side_by_side(p, ports, rest >> g->digit_bits & 1);
  }
  if (p->half_crossbar) /* ports d and k + d serve digit d, and k is even */
    ports &= in_port >= k ? (ut_mask)0xaaaaaaaa : (ut_mask)0x55555555;
  ports &= s->out_up;
  for (unsigned v = 0; v < p->v; v++)
    r->cand[v] = ports;
  r->discard = ports == 0;
  r->uses_state = false;
  r->set = 0;
}

static const char *rule(const struct ut_shape *p) {
  const unsigned k = p->radix;
  if (k < 2 || k > UT_MAX_PORTS / 2 || (k & (k - 1)))
    return "ruft_needs_a_radix_of_2_4_8_or_16";
  if ((p->pi != k && p->pi != 2 * k) || (p->po != k && p->po != 2 * k))
    return "ruft_needs_k_or_2k_ports_each_way";
  if (p->parallel != UT_PARALLEL_NONE && (p->pi != 2 * k || p->po != 2 * k))
    return "links_side_by_side_need_2k_ports_both_ways";
  if (p->parallel > UT_PARALLEL_DYNAMIC || (p->half_crossbar && p->parallel != UT_PARALLEL_STATIC))
    return "half_crossbar_is_for_static_selection";
  return NULL;
}

static bool prepare(struct ut_group *g) {
  g->k = g->shape.radix;
  g->digit_bits = (unsigned)__builtin_ctz(g->k);
  return true;
}

static void strap(const struct ut_group *g, struct ut_switch *s, uint64_t straps) {
  (void)g;
  s->stage = (struct ut_stage){.below = ut_ruft_strap_shift(straps),
                               .low = ut_ruft_strap_low(straps),
                               .first = ut_ruft_strap_first(straps),
                               .last = ut_ruft_strap_last(straps)};
}

/* Route computation: the algorithm of that shape, which is the group's. */
UT_INLINE void ut_route(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *r, const struct ut_shape *p) {
  ut_route_knows(g, p);
  ruft(g, s, header, in_port, in_vc, r);
}

static void route(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *r) {
  ut_route(g, s, header, in_port, in_vc, r, &g->shape);
}

const struct ut_routing ut_routing_ruft = {
    .digits = true, .rule = rule, .prepare = prepare, .strap = strap, .route = route};
