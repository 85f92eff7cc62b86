/* SPDX-License-Identifier: Apache-2.0 */
/* loads.c - see loads.h */
#include "loads.h"

#include <stdlib.h>

void ut_loads_window(struct ut_loads *w, const struct ut_network *n, const uint64_t *at) {
  const struct ut_faults *f = &n->faults;
  w->from = n->terminals.window_start;
  w->until = ut_network_planned(n->scenario);
  if (!at)
    return;
  if (*at < w->from) {
    w->until = w->from;
    w->from = 0;
  }
  for (size_t i = 0; i < f->events; i++) {
    uint64_t cycle = f->event[i].cycle;
    if (cycle <= *at && cycle > w->from)
      w->from = cycle;
    if (cycle > *at && cycle < w->until)
      w->until = cycle;
  }
}

bool ut_loads_take(struct ut_loads *w, const struct ut_network *n) {
  const size_t ports = (size_t)n->topology.switches * n->topology.po;
  w->load = calloc(ports, sizeof *w->load);
  if (!w->load)
    return false;
  if (n->cycle < w->until) {
    w->until = n->cycle;
    w->from = w->from < w->until ? w->from : w->until;
  }
  for (size_t i = 0; n->link_flits && w->until > w->from && i < ports; i++)
    w->load[i] = (double)n->link_flits[i] / (double)(w->until - w->from);
  return true;
}

struct ut_load_summary ut_loads_summarize(const struct ut_loads *w, const struct ut_topology *t, unsigned level,
                                          uint64_t ports) {
  struct ut_load_summary s = {0};
  double sum = 0;
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    if (t->level[sw] != level)
      continue;
    s.switches++;
    for (unsigned port = 0; port < t->po; port++) {
      size_t i = (size_t)sw * t->po + port;
      if (!(ports >> port & 1) || t->peer[i].kind == UT_PEER_NONE)
        continue;
      s.links++;
      sum += w->load ? w->load[i] : 0;
      if (w->load && w->load[i] > s.most)
        s.most = w->load[i];
    }
  }
  s.mean = s.links ? sum / s.links : 0;
  return s;
}

unsigned ut_loads_busiest(const struct ut_loads *w, const struct ut_topology *t, size_t *port, unsigned most) {
  unsigned found = 0;
  for (size_t i = 0; i < (size_t)t->switches * t->po; i++) {
    if (t->peer[i].kind != UT_PEER_SWITCH || w->load[i] <= 0)
      continue;
    unsigned at = found < most ? found++ : most;
    if (at == most && w->load[i] <= w->load[port[--at]])
      continue;
    for (; at > 0 && w->load[port[at - 1]] < w->load[i]; at--)
      port[at] = port[at - 1];
    port[at] = i;
  }
  return found;
}
