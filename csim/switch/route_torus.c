/* SPDX-License-Identifier: Apache-2.0 */
/* route_torus.c - routing in tori and meshes.  Twin: rtl/ut_route_torus.v, which tells the algorithms and their papers.
 */
#include "grid_position.h"
#include "route_unit.h"

/* Returns the output port that continues in the ring of an input port. */
UT_INLINE ut_mask straight_on(const struct ut_group *group, unsigned in_port) {
  return in_port < 2 * group->dimensions ? ut_bit(in_port ^ 1) : 0;
}

/* The effect of the mechanisms of INTERMEDIATE on a packet. */
struct orders {
  bool misrouting, deterministic, direction_order;
  unsigned sub_path, escapes;
};

/* Datelines: the wrap links.  Returns the classes of VCs that a packet may take in its ring, as a set of two bits: 0
 * while its way still crosses the wrap link, then 1.  `both`: a packet that has not crossed it and need not may take
 * any of them.  Such a packet enters the ring here, or comes in class 0 and not through the wrap link. */
UT_INLINE unsigned classes_of(const struct ut_group *group, const struct ut_switch *sw, const struct ut_position *to,
                              unsigned port, unsigned in_port, unsigned in_vc, bool both) {
  const unsigned d = port / 2, here = sw->place[d], behind = port & 1 ? group->shape.size[d] - 1 : 0;
  if (port & 1 ? to->at[d] > here : to->at[d] < here)
    return 1;
  const bool stays = in_port == (port ^ 1);
  return both && !(stays && (in_vc & 1 || here == behind)) ? 3 : 2;
}

UT_INLINE struct orders orders_of(const struct ut_group *group, uint32_t rt) {
  return (struct orders){.misrouting = group->shape.misroute && ut_rt_path_misroutes(rt),
                         .deterministic = group->shape.deterministic && ut_rt_path_deterministic(rt),
                         .direction_order = group->shape.misroute,
                         .sub_path = ut_rt_path_sub_path(rt),
                         .escapes = group->shape.escapes};
}

/* Returns rt after a misrouted hop. */
UT_INLINE uint32_t after_misroute(uint32_t rt) {
  if (ut_rt_path_hops(rt))
    return (uint32_t)ut_rt_path_set_hops(rt, ut_rt_path_hops(rt) - 1);
  return (uint32_t)ut_rt_path_make(ut_rt_path_sub_path(rt), ut_rt_path_more(rt), ut_rt_path_deterministic(rt),
                                   ut_rt_path_misroutes(rt) - 1, ut_rt_path_later(rt) & 7,
                                   ut_rt_path_later(rt) >> 3 & 7, ut_rt_path_later(rt) >> 6);
}

/* Whether an escape VC belongs to the sub-path; `channels` of one or two VCs: the last ones; VCs before them belong to
 * the first sub-path. */
UT_INLINE bool is_of_sub_path(const struct orders *orders, unsigned vc, unsigned vcs, unsigned each) {
  unsigned first = vcs - orders->escapes * each;
  return orders->escapes == 1 || orders->sub_path == (vc > first ? (vc - first) / each : 0);
}

UT_INLINE void minimal(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                       unsigned in_vc, struct ut_route_result *route, bool wrap, unsigned algorithm, bool mechanisms) {
  const ut_mask plus = 0x55555555, network = ut_mask_all(2 * group->dimensions);
  const struct ut_position *to = &group->place[ut_header_dst(header)];
  const uint32_t rt = ut_header_rt(header);
  const struct orders orders = mechanisms ? orders_of(group, rt) : (struct orders){.escapes = 1};
  ut_mask any = ut_grid_minimal(group, sw, to), one;
  const bool arrived = !any && !orders.misrouting;
  if (orders.misrouting)
    one = ut_bit(ut_rt_path_direction(rt)) & network;
  else if (arrived)
    any = one = ut_grid_exits(group, to);
  else
    one = ut_mask_lowest((algorithm == UT_TORUS_DIRECTION_ORDER || orders.direction_order) && any & plus ? any & plus
                                                                                                         : any);
  if (orders.misrouting || orders.deterministic)
    any = one;
  any &= sw->out_up;
  one &= sw->out_up;
  const bool dateline = wrap && (algorithm == UT_TORUS_DOR_DATELINE || algorithm == UT_TORUS_DUATO_DATELINE);
  const bool preferred = algorithm == UT_TORUS_DUATO || algorithm == UT_TORUS_DUATO_DATELINE;
  unsigned v = group->shape.v, each = dateline ? 2 : 1, adaptive = preferred ? v - orders.escapes * each : 0;
  const unsigned classes =
      dateline && !arrived && one ? classes_of(group, sw, to, ut_first(one), in_port, in_vc, !preferred) : 3;
  for (unsigned i = 0; i < v; i++) {
    bool escape = i >= adaptive;
    bool of_class = classes >> ((i - adaptive) & 1) & 1;
    ut_mask cand = !escape ? any : is_of_sub_path(&orders, i, v, each) && of_class ? one : 0;
    route->cand[i] = cand;
    route->preferred[i] = escape ? 0 : any;
    route->bubble[i] = escape && wrap ? cand & network & ~(in_vc == i ? straight_on(group, in_port) : 0) : 0;
  }
  route->rt = orders.misrouting ? after_misroute(rt) : rt;
  route->strip = mechanisms && orders.escapes > 1 && arrived && ut_rt_path_more(rt);
  route->discard = !route->strip && (adaptive ? any : one) == 0;
  route->uses_state = false;
  route->set = 0;
}

/* Route computation: the algorithm of that shape, which is the group's.  The codes are the same in both; the
 * switch ignores the bubble set of algorithms without the rule. */
UT_INLINE void ut_route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *route, const struct ut_shape *shape) {
  ut_route_knows(group, shape);
  const bool mechanisms = shape->escapes > 1 || shape->deterministic || shape->misroute;
  minimal(group, sw, header, in_port, in_vc, route, shape->route == UT_ROUTE_TORUS, shape->algorithm, mechanisms);
}

static void route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *result) {
  ut_route(group, sw, header, in_port, in_vc, result, &group->shape);
}

static bool prepare_torus(struct ut_group *group) {
  return ut_grid_prepare(group, true);
}

static bool prepare_mesh(struct ut_group *group) {
  return ut_grid_prepare(group, false);
}

const struct ut_routing ut_routing_torus = {.sizes = true,
                                            .direct = true,
                                            .rule = ut_grid_rule,
                                            .prepare = prepare_torus,
                                            .strap = ut_grid_strap,
                                            .route = route};
const struct ut_routing ut_routing_mesh = {.file = "route_torus.c",
                                           .sizes = true,
                                           .direct = true,
                                           .rule = ut_grid_rule,
                                           .prepare = prepare_mesh,
                                           .strap = ut_grid_strap,
                                           .route = route};
