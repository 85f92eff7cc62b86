/* SPDX-License-Identifier: Apache-2.0 */
/* loads.c - see loads.h */
#include "loads.h"

#include <stdlib.h>

void ut_loads_window(struct ut_loads *loads, const struct ut_network *net, const uint64_t *at) {
  const struct ut_faults *faults = &net->faults;
  loads->from = net->terminals.window_start;
  loads->until = ut_network_planned(net->scenario);
  if (!at)
    return;
  if (*at < loads->from) {
    loads->until = loads->from;
    loads->from = 0;
  }
  for (size_t i = 0; i < faults->events; i++) {
    uint64_t cycle = faults->event[i].cycle;
    if (cycle <= *at && cycle > loads->from)
      loads->from = cycle;
    if (cycle > *at && cycle < loads->until)
      loads->until = cycle;
  }
}

bool ut_loads_take(struct ut_loads *loads, const struct ut_network *net) {
  const size_t ports = (size_t)net->topology->switches * net->topology->po;
  loads->load = calloc(ports, sizeof *loads->load);
  if (!loads->load)
    return false;
  if (net->cycle < loads->until) {
    loads->until = net->cycle;
    loads->from = loads->from < loads->until ? loads->from : loads->until;
  }
  for (size_t i = 0; net->link_flits && loads->until > loads->from && i < ports; i++)
    loads->load[i] = (double)net->link_flits[i] / (double)(loads->until - loads->from);
  return true;
}

struct ut_load_summary ut_loads_summarize(const struct ut_loads *loads, const struct ut_topology *topo, unsigned level,
                                          enum ut_load_side side, uint64_t ports) {
  struct ut_load_summary summary = {0};
  double sum = 0;
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    if (topo->level[sw] != level)
      continue;
    summary.switches++;
    const uint64_t up = ut_topology_up_ports(topo, sw);
    const uint64_t some = ports & (side == UT_LOADS_ALL ? ~UINT64_C(0) : side == UT_LOADS_UP ? up : ~up);
    for (unsigned port = 0; port < topo->po; port++) {
      size_t i = (size_t)sw * topo->po + port;
      if (!(some >> port & 1) || topo->peer[i].kind == UT_PEER_NONE)
        continue;
      summary.links++;
      sum += loads->load ? loads->load[i] : 0;
      if (loads->load && loads->load[i] > summary.most)
        summary.most = loads->load[i];
    }
  }
  summary.mean = summary.links ? sum / summary.links : 0;
  return summary;
}

unsigned ut_loads_busiest(const struct ut_loads *loads, const struct ut_topology *topo, size_t *port, unsigned most) {
  unsigned found = 0;
  for (size_t i = 0; i < (size_t)topo->switches * topo->po; i++) {
    if (topo->peer[i].kind != UT_PEER_SWITCH || loads->load[i] <= 0)
      continue;
    unsigned at = found < most ? found++ : most;
    if (at == most && loads->load[i] <= loads->load[port[--at]])
      continue;
    for (; at > 0 && loads->load[port[at - 1]] < loads->load[i]; at--)
      port[at] = port[at - 1];
    port[at] = i;
  }
  return found;
}
