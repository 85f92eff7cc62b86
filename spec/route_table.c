/* SPDX-License-Identifier: Apache-2.0 */
/* route_table.c - routing by forwarding tables: (destination, input port, input VC) to (output port, output VC).
 * Twin: rtl/ut_route_table.v
 *
 *   table                   the entry; written anew for the surviving network it is DDRC (REROUTE section VIII)
 *   table_reroute_det_link  the entry; where its link is down the port that reroute_det_link would take instead
 *                           (REROUTE appendix B), in a fat tree: ports 0..k-1 lead down, k..2k-1 up
 */
#include "ports.h"
#include "steps.h"

/* Up: the next up port, taken as a ring.  A U-turn takes the next one of the sequence D, which does not start again. */
static unsigned around_up(const struct spec_route_query *query, unsigned port) {
  const unsigned k = query->shape->po / 2;
  const bool u_turn = query->in_port >= k;
  spec_cover(query->cover, u_turn ? COVER_TABLE_U_TURN : COVER_TABLE_AROUND_UP);
  if (!u_turn)
    return spec_first_in_ring(query->up, k, k, port - k);
  while (port < 2 * k && (!spec_has_port(query->up, port) || port == query->in_port))
    port++;
  return port < 2 * k ? port : SPEC_NO_PORT;
}

/* Down: back, where a packet from below came from, otherwise the next down port; links to terminals have no detour. */
static unsigned around_down(const struct spec_route_query *query, unsigned port) {
  const unsigned k = query->shape->po / 2;
  if (ut_level_strap_level(query->straps) == 0)
    return SPEC_NO_PORT;
  const bool back = query->in_port < k && spec_has_port(query->up, query->in_port);
  spec_cover(query->cover, back ? COVER_TABLE_BACK_DOWN : COVER_TABLE_AROUND_DOWN);
  if (back)
    return query->in_port;
  return spec_first_in_ring(query->up, 0, k, port);
}

void spec_route_table(const struct spec_route_query *query, struct spec_answer *answer) {
  const struct spec_table_entry entry = query->table[ut_header_dst(query->header)];
  const bool valid = entry.valid && entry.port < query->shape->po;
  const bool works = valid && spec_has_port(query->up, entry.port);
  unsigned port = SPEC_NO_PORT;
  spec_cover(query->cover, !valid ? COVER_TABLE_NO_ENTRY : works ? COVER_TABLE_ENTRY : COVER_TABLE_LINK_DOWN);
  if (works)
    port = entry.port;
  else if (valid && query->shape->algorithm == UT_TABLE_TABLE_REROUTE_DET_LINK)
    port = entry.port < query->shape->po / 2 ? around_down(query, entry.port) : around_up(query, entry.port);
  if (entry.vc < query->shape->v)
    answer->cand[entry.vc] = spec_port(port);
  answer->discard = port == SPEC_NO_PORT;
}
