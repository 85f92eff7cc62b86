/* SPDX-License-Identifier: Apache-2.0 */
/* outages.c - see outages.h */
#include "outages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault_entry.h"
#include "ways.h"

static bool same(const struct ut_fault_event *a, const struct ut_fault_event *b) {
  return a->what.kind == b->what.kind && a->what.sw == b->what.sw && a->what.channel == b->what.channel &&
         a->what.both == b->what.both;
}

/* Returns the faults of the component of event i just before it. */
static unsigned faults_before(const struct ut_faults *fault_state, size_t i) {
  unsigned faults = 0;
  for (size_t j = 0; j < i; j++)
    if (same(&fault_state->event[j], &fault_state->event[i]))
      faults += fault_state->event[j].up ? -1U : 1U;
  return faults;
}

/* Returns the cycle in which the component of event i, which breaks it, works again. */
static uint64_t repaired(const struct ut_faults *fault_state, size_t i) {
  unsigned faults = 0;
  for (size_t j = i; j < fault_state->events; j++)
    if (same(&fault_state->event[j], &fault_state->event[i])) {
      faults += fault_state->event[j].up ? -1U : 1U;
      if (!faults)
        return fault_state->event[j].cycle;
    }
  return UINT64_MAX;
}

bool ut_outages_find(const struct ut_faults *faults, uint64_t first, uint64_t last, struct ut_outage **list,
                     size_t *count) {
  *list = NULL;
  *count = 0;
  for (size_t i = 0; i < faults->events && faults->event[i].cycle <= last; i++) {
    const struct ut_fault_event *event = &faults->event[i];
    if (event->up || faults_before(faults, i))
      continue;
    uint64_t until = repaired(faults, i);
    if (until <= first)
      continue;
    if (!*list && !(*list = malloc(faults->events * sizeof **list)))
      return false;
    const struct ut_component *component = &event->what;
    (*list)[(*count)++] = (struct ut_outage){.from = event->cycle,
                                             .until = until,
                                             .sw = component->sw,
                                             .port = component->port,
                                             .channel = component->channel,
                                             .both = component->both,
                                             .kind = component->kind};
  }
  return true;
}

/* A link from a terminal, where that direction is a link of its own. */
static void name_injection(const struct ut_topology *topo, uint32_t channel, char text[UT_OUTAGE_NAME_SIZE]) {
  const struct ut_peer from = ut_topology_sender(topo, channel);
  char name[UT_SWITCH_NAME_SIZE], number[16] = "";
  if (topo->injections > 1)
    snprintf(number, sizeof number, " (link %u)", from.port);
  snprintf(text, UT_OUTAGE_NAME_SIZE, "link terminal %u-%s%s", (unsigned)from.index,
           ut_topology_switch_name(topo, topo->peer[channel].index, name), number);
}

/* One to a terminal, or that has both directions. */
static void name_local_link(const struct ut_topology *topo, const char *name, const struct ut_peer *peer,
                            char text[UT_OUTAGE_NAME_SIZE]) {
  char number[16] = "";
  if (topo->ejections > 1)
    snprintf(number, sizeof number, " (link %u)", peer->port);
  snprintf(text, UT_OUTAGE_NAME_SIZE, "link %s-terminal %u%s", name, (unsigned)peer->index, number);
}

/* Whether another port of the switch leads to the same one. */
static bool is_parallel(const struct ut_topology *topo, uint32_t sw, unsigned port) {
  const struct ut_peer *peer = &topo->peer[(size_t)sw * topo->po];
  for (unsigned other = 0; other < topo->po; other++)
    if (other != port && peer[other].kind == UT_PEER_SWITCH && peer[other].index == peer[port].index)
      return true;
  return false;
}

const char *ut_outage_name(const struct ut_topology *topo, const struct ut_outage *outage,
                           char text[UT_OUTAGE_NAME_SIZE]) {
  char name[UT_SWITCH_NAME_SIZE], other[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE], way[UT_DIRECTION_SIZE];
  const bool grid = ut_has_coordinates(topo);
  ut_topology_switch_name(topo, outage->sw, name);
  ut_topology_switch_tuple(topo, outage->sw, tuple);
  if (outage->kind == UT_FAULT_SWITCH) {
    snprintf(text, UT_OUTAGE_NAME_SIZE, "switch %s%s%.20s", name, grid ? " " : "", grid ? tuple : "");
    return text;
  }
  const bool injection = outage->channel >= topo->switches * topo->po;
  const struct ut_peer *peer =
      &topo->peer[(size_t)outage->sw * topo->po + outage->port]; /* of the switch that names the link */
  if (!topo->bidirectional && injection)
    name_injection(topo, outage->channel, text);
  else if (peer->kind == UT_PEER_TERMINAL)
    name_local_link(topo, name, peer, text);
  else if (grid) /* two neighbours in a ring of two have two links */
    snprintf(text, UT_OUTAGE_NAME_SIZE, "link %.9s-%.9s, %s of %.20s", name,
             ut_topology_switch_name(topo, peer->index, other), ut_topology_direction(topo, outage->port, way), tuple);
  else if (!topo->bidirectional || is_parallel(topo, outage->sw, outage->port))
    snprintf(text, UT_OUTAGE_NAME_SIZE, "link %s-%s, port %u", name, ut_topology_switch_name(topo, peer->index, other),
             outage->port + topo->first_port);
  else
    snprintf(text, UT_OUTAGE_NAME_SIZE, "link %s-%s", name, ut_topology_switch_name(topo, peer->index, other));
  const size_t used = strlen(text);
  if (topo->bidirectional && !outage->both)
    snprintf(text + used, UT_OUTAGE_NAME_SIZE - used, injection ? ", from the terminal only" : ", from %s only", name);
  return text;
}
