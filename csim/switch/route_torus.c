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

/* Whether an escape VC belongs to the sub-path; VCs before the last `escapes` ones belong to the first. */
UT_INLINE bool is_of_sub_path(const struct orders *orders, unsigned vc, unsigned vcs) {
  unsigned first = vcs - orders->escapes;
  return orders->escapes == 1 || orders->sub_path == (vc > first ? vc - first : 0);
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
  unsigned v = group->shape.v, adaptive = algorithm == UT_TORUS_DUATO ? v - orders.escapes : 0;
  for (unsigned i = 0; i < v; i++) {
    bool escape = i >= adaptive;
    ut_mask cand = !escape ? any : is_of_sub_path(&orders, i, v) ? one : 0;
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

/* Route computation: the algorithm of that shape, which is the group's.  The codes are the same in both; of
 * dor_without_bubble the switch ignores the bubble set. */
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
