/* SPDX-License-Identifier: Apache-2.0 */
/* questions.c - asks the route function for the answer of a switch to a header, under the present fault set: see
 * explorer.h */
#include "explorer.h"

#include <string.h>

#include "route_unit.h"

void ut_explorer_ask_header(struct ut_explorer *explorer, uint32_t channel, uint64_t header, ut_mask vector,
                            struct ut_route_result *route) {
  const struct ut_channel *chan = &explorer->channel[channel];
  const struct ut_group *group = ut_explorer_group(explorer, chan->sw);
  struct ut_switch *sw = ut_switch_of(group, chan->sw);
  sw->out_up = explorer->up[chan->sw];
  sw->neighbour = explorer->neighbour[chan->sw];
  sw->vector = vector;
  memset(route, 0, sizeof *route);
  group->route(group, sw, header, chan->port, chan->vc, route);
  if (!explorer->group[0].form.rewrites)
    route->rt = ut_header_rt(header);
}

void ut_explorer_ask(struct ut_explorer *explorer, uint32_t channel, uint32_t dst, uint32_t rt, ut_mask vector,
                     struct ut_route_result *route) {
  uint16_t src = (uint16_t)((dst + 1) % explorer->topology->terminals);
  ut_explorer_ask_header(explorer, channel, ut_header_make((uint16_t)dst, src, 0, rt), vector, route);
}
