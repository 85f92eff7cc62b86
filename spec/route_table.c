/* SPDX-License-Identifier: Apache-2.0 */
/* route_table.c - routing by forwarding tables: (bank of the input port, input VC, destination) to (output port, output
 * VC).
 * Twin: rtl/ut_route_table.v
 *
 *   table                   the entry; written anew for the surviving network it is DDRC (REROUTE section VIII)
 *   table_reroute_det_link  the entry; where its link is down the port that reroute_det_link would take instead
 *                           (REROUTE appendix B), in a fat tree: ports 0..k-1 lead down, k..2k-1 up
 *   table_reroute_adaptive_link
 *                           the entry; where its link is down any port that reroute_adaptive_link would take, and
 *                           every U-turn by the re-route vector (REROUTE section VII.A)
 *   forwarding              every port of the next-hop group that the entry names, on any VC, or on those that the VC
 *                           map allows; with VIA first towards an intermediate terminal
 *   forwarding_escape       the same; and every port of another group on the last VC
 */
#include "ports.h"
#include "steps.h"

static bool adaptive(const struct spec_route_query *query) {
  return query->shape->algorithm == UT_TABLE_TABLE_REROUTE_ADAPTIVE_LINK;
}

static uint64_t up_side(const struct spec_route_query *query) {
  const unsigned k = query->shape->po / 2;
  return query->up & spec_first_ports(k) << k;
}

/* An adaptive U-turn, REROUTE VII.A steps 3 to 5: every up port but those known to lead to a fault; with strap `repair`
 * those whose switch reports one. */
static uint64_t untried(const struct spec_route_query *query) {
  const uint64_t known = ut_level_strap_repair(query->straps) ? query->reroute->neighbour : UINT64_MAX;
  const uint64_t left = up_side(query) & ~((query->reroute->vector | spec_port(query->in_port)) & known);
  spec_cover(query->cover, COVER_TABLE_U_TURN);
  if (up_side(query) & query->reroute->vector & ~left & ~spec_port(query->in_port))
    spec_cover(query->cover, COVER_VECTOR_AVOIDED);
  return left;
}

/* Up: the next up port, taken as a ring, or any.  A U-turn takes the first port of the sequence D from the entry's on,
 * but the arrival port, and in the re-routing layer from the arrival port on; the sequence does not start again. */
static uint64_t around_up(const struct spec_route_query *query, unsigned port) {
  const unsigned k = query->shape->po / 2;
  const bool u_turn = query->in_port >= k;
  spec_cover(query->cover, u_turn ? COVER_TABLE_U_TURN : COVER_TABLE_AROUND_UP);
  if (!u_turn)
    return adaptive(query) ? up_side(query) : spec_port(spec_first_in_ring(query->up, k, k, port - k));
  if (query->shape->v > 1 && query->in_vc == query->shape->v - 1)
    port = query->in_port;
  while (port < 2 * k && (!spec_has_port(query->up, port) || port == query->in_port))
    port++;
  return port < 2 * k ? spec_port(port) : 0;
}

/* Down: back, where a packet from below came from, otherwise the next down port, or any; links to terminals have no
 * detour. */
static uint64_t around_down(const struct spec_route_query *query, unsigned port) {
  const unsigned k = query->shape->po / 2;
  if (ut_level_strap_level(query->straps) == 0)
    return 0;
  const bool back = query->in_port < k && spec_has_port(query->up, query->in_port);
  spec_cover(query->cover, back ? COVER_TABLE_BACK_DOWN : COVER_TABLE_AROUND_DOWN);
  if (back)
    return spec_port(query->in_port);
  return adaptive(query) ? query->up & ~up_side(query) : spec_port(spec_first_in_ring(query->up, 0, k, port));
}

/* Where the entry's link is down, and every U-turn. */
static uint64_t local_ports(const struct spec_route_query *query, unsigned port, bool u_turn) {
  if (query->shape->algorithm == UT_TABLE_TABLE)
    return 0;
  if (u_turn && adaptive(query))
    return untried(query);
  return port < query->shape->po / 2 ? around_down(query, port) : around_up(query, port);
}

/* A row of the VC map: that of a layer, or of the packet's VC. */
static const uint64_t *layer_row(const struct spec_route_query *query) {
  const unsigned layer = ut_rt_graph_layer(ut_header_rt(query->header));
  return layer < query->shape->vc_map ? query->vcs[layer] : NULL;
}
static const uint64_t *vc_row(const struct spec_route_query *query) {
  return query->vcs[query->shape->vc_map + query->in_vc];
}

/* Fills in the candidates at these ports: every VC whose link is up, or those that a row of the VC map allows; NULL:
 * none.  Returns whether there are any. */
static bool fill(const struct spec_route_query *query, uint64_t ports, const uint64_t *row,
                 struct spec_answer *answer) {
  uint64_t found = 0;
  for (unsigned vc = 0; vc < query->shape->v; vc++) {
    const uint64_t allowed = !query->shape->vc_map ? UINT64_MAX : row ? row[vc] : 0;
    answer->cand[vc] |= ports & query->up & allowed;
    found |= ports & query->up & allowed;
  }
  return found;
}

static uint64_t ports_of(const struct spec_route_query *query, const struct spec_table_entry *entry) {
  return entry->group < query->shape->groups ? query->group[entry->group] : 0;
}

/* VIA: fills in the candidates of the first phase, to the intermediate terminal.  Returns whether the packet has no
 * other ones: the phase has not ended, and the packet does not begin with a choice (UGAL). */
static bool goes_via(const struct spec_route_query *query, struct spec_answer *answer) {
  const struct ut_shape *shape = query->shape;
  const unsigned via = ut_rt_graph_via(ut_header_rt(query->header));
  const uint64_t *row = query->begins ? query->vcs[shape->vc_map - 1] : vc_row(query);
  if (!shape->via || via >= shape->destinations || !(query->begins || query->in_vc < shape->via))
    return false;
  const bool some = fill(query, ports_of(query, &query->via[via]), row, answer);
  spec_cover(query->cover, some ? COVER_VIA_GOES_ON : COVER_VIA_ENDS);
  return some && !(query->begins && shape->ugal);
}

/* Every port of the group whose link is up, on any VC or on those that the VC map allows. */
static void next_hops(const struct spec_route_query *query, struct spec_answer *answer) {
  const uint64_t ports = ports_of(query, &query->table[ut_header_dst(query->header)]), works = ports & query->up;
  const bool starts = query->begins || query->in_vc < query->shape->via;
  if (goes_via(query, answer))
    return;
  spec_cover(query->cover, !ports           ? COVER_TABLE_NO_ENTRY
                           : !works         ? COVER_TABLE_LINK_DOWN
                           : works == ports ? COVER_TABLE_ENTRY
                                            : COVER_GROUP_LINK_DOWN);
  if (!fill(query, ports, starts ? layer_row(query) : vc_row(query), answer) && works)
    spec_cover(query->cover, COVER_VC_MAP_NO_VC);
  answer->discard = true;
  for (unsigned vc = 0; vc < query->shape->v; vc++)
    answer->discard &= !answer->cand[vc];
}

/* The last VC is the escape VC: who is on it stays; others prefer the other VCs. */
static void next_hops_or_escape(const struct spec_route_query *query, struct spec_answer *answer) {
  const unsigned dst = ut_header_dst(query->header), last = query->shape->v - 1;
  const bool stays = query->in_vc == last && !query->begins;
  const uint64_t hops = ports_of(query, &query->table[dst]) & query->up;
  const uint64_t others = stays ? 0 : ports_of(query, &query->adaptive[dst]) & query->up;
  spec_cover(query->cover, hops | others ? COVER_TABLE_ENTRY : COVER_TABLE_NO_ENTRY);
  for (unsigned vc = 0; vc < last; vc++)
    answer->cand[vc] = answer->preferred[vc] = others;
  answer->cand[last] = hops;
  answer->discard = !(hops | others);
}

void spec_route_table(const struct spec_route_query *query, struct spec_answer *answer) {
  if (query->shape->algorithm == UT_TABLE_FORWARDING_ESCAPE) {
    next_hops_or_escape(query, answer);
    return;
  }
  if (query->shape->algorithm == UT_TABLE_FORWARDING) {
    next_hops(query, answer);
    return;
  }
  const struct spec_table_entry entry = query->table[ut_header_dst(query->header)];
  const bool valid = entry.valid && entry.port < query->shape->po;
  const unsigned k = query->shape->po / 2;
  const bool local = query->shape->algorithm != UT_TABLE_TABLE;
  const bool u_turn = valid && local && query->in_port >= k && entry.port >= k;
  const bool works = valid && spec_has_port(query->up, entry.port);
  spec_cover(query->cover, !valid ? COVER_TABLE_NO_ENTRY : works ? COVER_TABLE_ENTRY : COVER_TABLE_LINK_DOWN);
  const uint64_t ports = !valid ? 0 : works && !u_turn ? spec_port(entry.port) : local_ports(query, entry.port, u_turn);
  if (entry.vc < query->shape->v)
    answer->cand[entry.vc] = ports;
  answer->discard = !ports;
  answer->uses_state = u_turn && adaptive(query);
  answer->set = answer->uses_state ? spec_port(query->in_port) : 0;
}
