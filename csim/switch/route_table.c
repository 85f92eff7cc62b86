/* SPDX-License-Identifier: Apache-2.0 */
/* route_table.c - routing by forwarding tables.  Twin: rtl/ut_route_table.v, which tells the algorithms and their
 * papers.
 */
#include "route_fattree.h"
#include "route_unit.h"

/* The output VC of that entry is offered with these ports. */
UT_INLINE void answer(const struct ut_group *g, struct ut_route_result *r, ut_mask ports, unsigned vc) {
  for (unsigned v = 0; v < g->shape.v; v++)
    r->cand[v] = v == vc ? ports : 0;
  r->discard = ports == 0;
  r->uses_state = false;
  r->set = 0;
}

/* Takes an entry apart: its port, one-hot, or 0: nothing leads to the destination. */
UT_INLINE ut_mask look_up(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                          unsigned in_vc, unsigned *vc) {
  unsigned entry = ut_table_of(g, (struct ut_switch *)s, in_port, in_vc)[ut_header_dst(header)];
  *vc = entry >> g->port_bits & ((1u << g->vc_bits) - 1);
  bool valid = entry >> (g->port_bits + g->vc_bits);
  return valid ? ut_bit(entry & ((1u << g->port_bits) - 1)) & g->all_out : 0;
}

UT_INLINE void table(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                     unsigned in_vc, struct ut_route_result *r) {
  unsigned vc;
  ut_mask port = look_up(g, s, header, in_port, in_vc, &vc);
  answer(g, r, port & s->out_up, vc);
}

/* Where the entry's link is down, the port that reroute_det_link would take instead: REROUTE appendix B. */
static void table_reroute_det_link(const struct ut_group *g, const struct ut_switch *s, uint64_t header,
                                   unsigned in_port, unsigned in_vc, struct ut_route_result *r) {
  unsigned vc, k = g->k;
  ut_mask port = look_up(g, s, header, in_port, in_vc, &vc), from = ut_bit(in_port);
  ut_mask below = s->out_up & ~g->up_ports, above = s->out_up & g->up_ports;
  unsigned first = port ? (unsigned)__builtin_ctz(port) : 0;
  if (!port || port & s->out_up)
    answer(g, r, port, vc);
  else if (first >= k && in_port >= k) /* a U-turn: on in the sequence, without beginning again */
    answer(g, r, ut_mask_lowest(above & ~from & ~(port - 1)), vc);
  else if (first >= k)
    answer(g, r, ut_mask_first_from(above, first), vc);
  else if (s->stage.level == 0) /* links to terminals have no detour */
    answer(g, r, 0, vc);
  else
    answer(g, r, below & from ? from : ut_mask_first_from(below, first), vc);
}

/* Route computation: the algorithm of that shape, which is the group's. */
UT_INLINE void ut_route(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                        unsigned in_vc, struct ut_route_result *r, const struct ut_shape *p) {
  ut_route_knows(g, p);
  if (p->algorithm == UT_TABLE_TABLE)
    table(g, s, header, in_port, in_vc, r);
  else
    table_reroute_det_link(g, s, header, in_port, in_vc, r);
}

static void route(const struct ut_group *g, const struct ut_switch *s, uint64_t header, unsigned in_port,
                  unsigned in_vc, struct ut_route_result *r) {
  ut_route(g, s, header, in_port, in_vc, r, &g->shape);
}

const struct ut_routing ut_routing_table = {
    .rule = ut_tree_rule, .prepare = ut_tree_prepare, .strap = ut_tree_strap, .route = route};
