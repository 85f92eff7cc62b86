/* SPDX-License-Identifier: Apache-2.0 */
/* route_table.c - routing by forwarding tables.  Twin: rtl/ut_route_table.v, which tells the algorithms and their
 * papers.
 */
#include "route_fattree.h"
#include "route_unit.h"

/* The output VC of that entry is offered with these ports. */
UT_INLINE void answer(const struct ut_group *group, struct ut_route_result *route, ut_mask ports, unsigned vc) {
  for (unsigned v = 0; v < group->shape.v; v++)
    route->cand[v] = v == vc ? ports : 0;
  route->discard = ports == 0;
  route->uses_state = false;
  route->set = 0;
}

/* Decodes an entry: its port, one-hot; 0: no route to the destination. */
UT_INLINE ut_mask look_up(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                          unsigned in_vc, unsigned *vc) {
  const unsigned bank = sw->banks >> in_port & 1;
  const unsigned entry = ut_table_of(group, (struct ut_switch *)sw, bank, in_vc)[ut_header_dst(header)];
  *vc = entry >> group->port_bits & ((1u << group->vc_bits) - 1);
  bool valid = entry >> (group->port_bits + group->vc_bits);
  return valid ? ut_bit(entry & ((1u << group->port_bits) - 1)) & group->all_out : 0;
}

UT_INLINE void table(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                     unsigned in_vc, struct ut_route_result *route) {
  unsigned vc;
  ut_mask port = look_up(group, sw, header, in_port, in_vc, &vc);
  answer(group, route, port & sw->out_up, vc);
}

/* A row of the VC map: that of the packet's layer, NULL: it has none; or that of its VC. */
UT_INLINE const ut_mask *layer_row(const struct ut_group *group, const struct ut_switch *sw, uint64_t header) {
  const unsigned layer = ut_rt_graph_layer(ut_header_rt(header));
  return layer < group->shape.vc_map ? ut_vc_row_of(group, (struct ut_switch *)sw, layer) : NULL;
}
UT_INLINE const ut_mask *vc_row(const struct ut_group *group, const struct ut_switch *sw, unsigned in_vc) {
  return ut_vc_row_of(group, (struct ut_switch *)sw, group->shape.vc_map + in_vc);
}

/* The ports of the next-hop group in a row of the table (ut_table_row()) whose links are up. */
UT_INLINE ut_mask next_hops(const struct ut_group *group, const struct ut_switch *sw, unsigned bank, unsigned in_vc,
                            unsigned dst) {
  const unsigned number = ut_table_of(group, (struct ut_switch *)sw, bank, in_vc)[dst];
  return number < group->shape.groups ? ut_groups_of(group, (struct ut_switch *)sw)[number] & sw->out_up : 0;
}

/* Adds the candidates at these ports: on any VC, or on those that a row of the VC map allows; NULL: on none.  Returns
 * those of all VCs. */
UT_INLINE ut_mask offer(const struct ut_group *group, ut_mask ports, const ut_mask *row,
                        struct ut_route_result *route) {
  ut_mask found = 0;
  for (unsigned v = 0; v < group->shape.v; v++) {
    const ut_mask some = !group->shape.vc_map ? ports : row ? ports & row[v] : 0;
    route->cand[v] |= some;
    found |= some;
  }
  return found;
}

/* VIA: offers the first phase, to the intermediate terminal.  Returns whether the packet has nothing else. */
UT_INLINE bool goes_via(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, bool begins,
                        unsigned in_vc, struct ut_route_result *route) {
  const unsigned via = ut_rt_graph_via(ut_header_rt(header)), layers = group->shape.vc_map;
  if (!(begins || in_vc < group->shape.via) || via >= group->shape.destinations)
    return false;
  const ut_mask *row = begins ? ut_vc_row_of(group, (struct ut_switch *)sw, layers - 1) : vc_row(group, sw, in_vc);
  return offer(group, next_hops(group, sw, 1, 0, via), row, route) && !(begins && group->shape.ugal);
}

/* Every port of the next-hop group whose link is up, on any VC, or on those that the VC map allows. */
UT_INLINE void forwarding(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                          unsigned in_vc, struct ut_route_result *route) {
  const bool begins = sw->begins >> in_port & 1, starts = begins || in_vc < group->shape.via;
  for (unsigned v = 0; v < group->shape.v; v++)
    route->cand[v] = 0;
  route->discard = false;
  route->uses_state = false;
  route->set = 0;
  if (group->shape.via && goes_via(group, sw, header, begins, in_vc, route))
    return;
  const ut_mask *row = !group->shape.vc_map ? NULL : starts ? layer_row(group, sw, header) : vc_row(group, sw, in_vc);
  offer(group, next_hops(group, sw, sw->banks >> in_port & 1, 0, ut_header_dst(header)), row, route);
  ut_mask found = 0;
  for (unsigned v = 0; v < group->shape.v; v++)
    found |= route->cand[v];
  route->discard = !found;
}

/* Every port of a group on any VC but the last one, which is preferred; every port of another group on the last one,
 * the escape VC.  Who is on it stays, and goes by the bank of its input port. */
UT_INLINE void forwarding_escape(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                                 unsigned in_port, unsigned in_vc, struct ut_route_result *route) {
  const unsigned last = group->shape.v - 1;
  const bool stays = in_vc == last && !(sw->begins >> in_port & 1);
  const unsigned dst = ut_header_dst(header);
  const ut_mask escape = next_hops(group, sw, stays && sw->banks >> in_port & 1, 0, dst);
  const ut_mask others = stays ? 0 : next_hops(group, sw, 0, 1, dst);
  for (unsigned v = 0; v < group->shape.v; v++) {
    route->cand[v] = v == last ? escape : others;
    route->preferred[v] = v == last ? 0 : others;
  }
  route->discard = !(escape | others);
  route->uses_state = false;
  route->set = 0;
}

/* If the entry's link is down, takes the port that reroute_det_link would take instead: REROUTE appendix B. */
static void table_reroute_det_link(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                                   unsigned in_port, unsigned in_vc, struct ut_route_result *route) {
  unsigned vc, k = group->k;
  ut_mask port = look_up(group, sw, header, in_port, in_vc, &vc), from = ut_bit(in_port);
  ut_mask below = sw->out_up & ~group->up_ports, above = sw->out_up & group->up_ports;
  unsigned first = port ? ut_first(port) : 0;
  const bool again = group->shape.v > 1 && in_vc == group->shape.v - 1; /* in the re-routing layer */
  if (port && first >= k && in_port >= k) /* a U-turn: the first port of the sequence from there on */
    answer(group, route, ut_mask_lowest(above & ~from & ~((again ? from : port) - 1)), vc);
  else if (!port || port & sw->out_up)
    answer(group, route, port, vc);
  else if (first >= k)
    answer(group, route, ut_mask_first_from(above, first), vc);
  else if (sw->stage.level == 0) /* links to terminals have no detour */
    answer(group, route, 0, vc);
  else
    answer(group, route, below & from ? from : ut_mask_first_from(below, first), vc);
}

/* If the entry's link is down, takes any port that reroute_adaptive_link would take: REROUTE VII.A.  Every U-turn,
 * which is an entry for a packet from above that leads up, goes by the re-route vector. */
static void table_reroute_adaptive_link(const struct ut_group *group, const struct ut_switch *sw, uint64_t header,
                                        unsigned in_port, unsigned in_vc, struct ut_route_result *route) {
  unsigned vc;
  ut_mask port = look_up(group, sw, header, in_port, in_vc, &vc), from = ut_bit(in_port), ports = port;
  ut_mask below = sw->out_up & ~group->up_ports, above = sw->out_up & group->up_ports;
  const bool up = port & group->up_ports, u_turn = up && in_port >= group->k;
  if (u_turn)
    ports = above & ~ut_tree_avoided(sw, from);
  else if (!(port & sw->out_up) && up)
    ports = above;
  else if (!(port & sw->out_up)) /* links to terminals have no detour */
    ports = !port || sw->stage.level == 0 ? 0 : below & from ? from : below;
  answer(group, route, ports, vc);
  route->uses_state = u_turn;
  route->set = u_turn ? from : 0;
}

/* Route computation: the algorithm of that shape, which is the group's. */
UT_INLINE void ut_route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *route, const struct ut_shape *shape) {
  ut_route_knows(group, shape);
  if (shape->algorithm == UT_TABLE_TABLE)
    table(group, sw, header, in_port, in_vc, route);
  else if (shape->algorithm == UT_TABLE_FORWARDING)
    forwarding(group, sw, header, in_port, in_vc, route);
  else if (shape->algorithm == UT_TABLE_FORWARDING_ESCAPE)
    forwarding_escape(group, sw, header, in_port, in_vc, route);
  else if (shape->algorithm == UT_TABLE_TABLE_REROUTE_ADAPTIVE_LINK)
    table_reroute_adaptive_link(group, sw, header, in_port, in_vc, route);
  else
    table_reroute_det_link(group, sw, header, in_port, in_vc, route);
}

static void route(const struct ut_group *group, const struct ut_switch *sw, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *result) {
  ut_route(group, sw, header, in_port, in_vc, result, &group->shape);
}

/* Those that go around faults do so as in a tree. */
static const char *rule(const struct ut_shape *shape) {
  if (shape->algorithm == UT_TABLE_FORWARDING_ESCAPE && shape->vc_map)
    return "vc_map_is_for_forwarding";
  if (shape->algorithm == UT_TABLE_FORWARDING || shape->algorithm == UT_TABLE_FORWARDING_ESCAPE)
    return shape->groups < 2 ? "forwarding_needs_2_next_hop_groups" : NULL;
  if (shape->groups)
    return "next_hop_groups_are_for_forwarding";
  if (shape->vc_map)
    return "vc_map_is_for_forwarding";
  return shape->algorithm == UT_TABLE_TABLE ? NULL : ut_tree_rule(shape);
}

static bool prepare(struct ut_group *group) {
  return group->shape.groups || ut_tree_prepare(group);
}

const struct ut_routing ut_routing_table = {.rule = rule, .prepare = prepare, .strap = ut_tree_strap, .route = route};
