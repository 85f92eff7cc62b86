/* SPDX-License-Identifier: Apache-2.0 */
/* questions.c - what a switch answers to a header in the current fault set, by the route function itself: see
 * explorer.h */
#include "explorer.h"

#include <string.h>

#include "route_unit.h"

void ut_explorer_ask_header(struct ut_explorer *x, uint32_t channel, uint64_t header, ut_mask vector,
                            struct ut_route_result *r) {
  const struct ut_channel *c = &x->channel[channel];
  const struct ut_group *g = ut_explorer_group(x, c->sw);
  struct ut_switch *s = ut_switch_of(g, c->sw);
  s->out_up = x->up[c->sw];
  s->neighbour = x->neighbour[c->sw];
  s->vector = vector;
  memset(r, 0, sizeof *r);
  g->route(g, s, header, c->port, c->vc, r);
  if (!x->group[0].form.rewrites)
    r->rt = ut_header_rt(header);
}

void ut_explorer_ask(struct ut_explorer *x, uint32_t channel, uint32_t dst, uint32_t rt, ut_mask vector,
                     struct ut_route_result *r) {
  uint16_t src = (uint16_t)((dst + 1) % x->topology->terminals);
  ut_explorer_ask_header(x, channel, ut_header_make((uint16_t)dst, src, 0, rt), vector, r);
}
