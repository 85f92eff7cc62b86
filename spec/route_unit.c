/* SPDX-License-Identifier: Apache-2.0 */
/* route_unit.c - asks the routing family for the candidates of a head, and adds what is common to all families.
 * Twin: rtl/ut_route_unit.v */
#include "ports.h"
#include "steps.h"

typedef void route_function(const struct spec_route_query *q, struct spec_answer *a);

static route_function *const family[] = {
    [UT_ROUTE_FATTREE] = spec_route_fattree,
    [UT_ROUTE_TABLE] = spec_route_table,
    [UT_ROUTE_TORUS] = spec_route_torus,
    [UT_ROUTE_MESH] = spec_route_torus,
    [UT_ROUTE_RUFT] = spec_route_ruft,
    [UT_ROUTE_DETOUR_CUBE] = spec_route_detour_cube,
    [UT_ROUTE_DETOUR_MESH] = spec_route_detour_grid,
    [UT_ROUTE_DETOUR_TORUS] = spec_route_detour_grid,
};

static uint64_t ports_that_are_up(const struct spec_switch *sw) {
  uint64_t up = 0;
  for (unsigned op = 0; op < sw->shape.po; op++)
    if (sw->out[op].up)
      up |= spec_port(op);
  return up;
}

/* With an escape VC the bank matters to packets that are on it. */
static unsigned bank_of(const struct spec_switch *sw, unsigned ip, unsigned ivc) {
  const bool stays = ivc == sw->shape.v - 1 && !sw->begins[ip];
  return sw->bank[ip] && (!spec_has_escape_vc(&sw->shape) || stays);
}

void spec_route(const struct spec_switch *sw, uint64_t header, unsigned ip, unsigned ivc, struct spec_answer *answer) {
  const bool escape = spec_has_escape_vc(&sw->shape);
  const struct spec_route_query query = {
      .shape = &sw->shape,
      .straps = sw->straps,
      .header = header,
      .in_port = ip,
      .in_vc = ivc,
      .up = ports_that_are_up(sw),
      .reroute = &sw->reroute,
      .nodes = &sw->nodes,
      .table = sw->table ? spec_table(sw, bank_of(sw, ip, ivc), escape ? 0 : ivc) : NULL,
      .adaptive = escape && sw->table ? spec_table(sw, 0, 1) : NULL,
      .via = sw->table ? spec_table(sw, 1, ivc) : NULL,
      .group = sw->group,
      .vcs = sw->vcs,
      .begins = sw->begins[ip],
      .exclusion = sw->exclusion,
      .cover = sw->cover,
  };
  *answer = (struct spec_answer){.rt = 0};
  family[sw->shape.route](&query, answer);
  /* by order of the manager; only algorithms that keep node states obey orders */
  if (UT_ALG_STATES(sw->shape.route, sw->shape.algorithm) && sw->nodes.refuses &&
      sw->nodes.refused == ut_header_dst(header)) {
    spec_cover(sw->cover, COVER_PACKET_REFUSED);
    answer->discard = true;
  }
}
