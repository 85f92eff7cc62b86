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

/* Up: the next up port, as a ring; a U-turn takes the next one of the sequence D, which does not begin again. */
static unsigned around_up(const struct spec_route_query *q, unsigned port) {
  const unsigned k = q->shape->po / 2;
  const bool u_turn = q->in_port >= k;
  spec_cover(q->cover, u_turn ? COVER_TABLE_U_TURN : COVER_TABLE_AROUND_UP);
  if (!u_turn)
    return spec_first_in_ring(q->up, k, k, port - k);
  while (port < 2 * k && (!spec_has_port(q->up, port) || port == q->in_port))
    port++;
  return port < 2 * k ? port : SPEC_NO_PORT;
}

/* Down: back where a packet from below came from, else the next down port; links to terminals have no way around. */
static unsigned around_down(const struct spec_route_query *q, unsigned port) {
  const unsigned k = q->shape->po / 2;
  if (ut_level_strap_level(q->straps) == 0)
    return SPEC_NO_PORT;
  const bool back = q->in_port < k && spec_has_port(q->up, q->in_port);
  spec_cover(q->cover, back ? COVER_TABLE_BACK_DOWN : COVER_TABLE_AROUND_DOWN);
  if (back)
    return q->in_port;
  return spec_first_in_ring(q->up, 0, k, port);
}

void spec_route_table(const struct spec_route_query *q, struct spec_answer *a) {
  const struct spec_table_entry entry = q->table[ut_header_dst(q->header)];
  const bool valid = entry.valid && entry.port < q->shape->po;
  const bool works = valid && spec_has_port(q->up, entry.port);
  unsigned port = SPEC_NO_PORT;
  spec_cover(q->cover, !valid ? COVER_TABLE_NO_ENTRY : works ? COVER_TABLE_ENTRY : COVER_TABLE_LINK_DOWN);
  if (works)
    port = entry.port;
  else if (valid && q->shape->algorithm == UT_TABLE_TABLE_REROUTE_DET_LINK)
    port = entry.port < q->shape->po / 2 ? around_down(q, entry.port) : around_up(q, entry.port);
  if (entry.vc < q->shape->v)
    a->cand[entry.vc] = spec_port(port);
  a->discard = port == SPEC_NO_PORT;
}
