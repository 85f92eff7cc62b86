/* SPDX-License-Identifier: Apache-2.0 */
/* outages.c - see outages.h */
#include "outages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario.h"
#include "ways.h"

static bool same(const struct ut_fault_event *a, const struct ut_fault_event *b) {
  return a->what.kind == b->what.kind && a->what.sw == b->what.sw && a->what.channel == b->what.channel &&
         a->what.both == b->what.both;
}

/* Faults of the component of event i that are there just before it. */
static unsigned faults_before(const struct ut_faults *f, size_t i) {
  unsigned faults = 0;
  for (size_t j = 0; j < i; j++)
    if (same(&f->event[j], &f->event[i]))
      faults += f->event[j].up ? -1U : 1U;
  return faults;
}

/* Cycle in which the component of event i, which breaks it, works again. */
static uint64_t repaired(const struct ut_faults *f, size_t i) {
  unsigned faults = 0;
  for (size_t j = i; j < f->events; j++)
    if (same(&f->event[j], &f->event[i])) {
      faults += f->event[j].up ? -1U : 1U;
      if (!faults)
        return f->event[j].cycle;
    }
  return UINT64_MAX;
}

bool ut_outages_find(const struct ut_faults *f, uint64_t first, uint64_t last, struct ut_outage **list, size_t *count) {
  *list = NULL;
  *count = 0;
  for (size_t i = 0; i < f->events && f->event[i].cycle <= last; i++) {
    const struct ut_fault_event *e = &f->event[i];
    if (e->up || faults_before(f, i))
      continue;
    uint64_t until = repaired(f, i);
    if (until <= first)
      continue;
    if (!*list && !(*list = malloc(f->events * sizeof **list)))
      return false;
    const struct ut_component *c = &e->what;
    (*list)[(*count)++] = (struct ut_outage){.from = e->cycle,
                                             .until = until,
                                             .sw = c->sw,
                                             .port = c->port,
                                             .channel = c->channel,
                                             .both = c->both,
                                             .kind = c->kind};
  }
  return true;
}

/* A link from a terminal, where that direction is a link of its own. */
static void name_injection(const struct ut_topology *t, uint32_t channel, char text[UT_OUTAGE_NAME_SIZE]) {
  const struct ut_peer from = ut_topology_sender(t, channel);
  char name[UT_SWITCH_NAME_SIZE], number[16] = "";
  if (t->injections > 1)
    snprintf(number, sizeof number, " (link %u)", from.port);
  snprintf(text, UT_OUTAGE_NAME_SIZE, "link terminal %u-%s%s", (unsigned)from.index,
           ut_topology_switch_name(t, t->peer[channel].index, name), number);
}

/* One to a terminal, or that has both directions. */
static void name_local_link(const struct ut_topology *t, const char *name, const struct ut_peer *p,
                            char text[UT_OUTAGE_NAME_SIZE]) {
  char number[16] = "";
  if (t->ejections > 1)
    snprintf(number, sizeof number, " (link %u)", p->port);
  snprintf(text, UT_OUTAGE_NAME_SIZE, "link %s-terminal %u%s", name, (unsigned)p->index, number);
}

const char *ut_outage_name(const struct ut_topology *t, const struct ut_outage *o, char text[UT_OUTAGE_NAME_SIZE]) {
  char name[UT_SWITCH_NAME_SIZE], other[UT_SWITCH_NAME_SIZE], tuple[UT_SWITCH_TUPLE_SIZE], way[UT_DIRECTION_SIZE];
  const bool grid = !ut_levelled(t);
  ut_topology_switch_name(t, o->sw, name);
  ut_topology_switch_tuple(t, o->sw, tuple);
  if (o->kind == UT_FAULT_SWITCH) {
    snprintf(text, UT_OUTAGE_NAME_SIZE, "switch %s%s%.20s", name, grid ? " " : "", grid ? tuple : "");
    return text;
  }
  const bool injection = o->channel >= t->switches * t->po;
  const struct ut_peer *p = &t->peer[(size_t)o->sw * t->po + o->port]; /* of the switch that names the link */
  if (!t->bidirectional && injection)
    name_injection(t, o->channel, text);
  else if (p->kind == UT_PEER_TERMINAL)
    name_local_link(t, name, p, text);
  else if (grid) /* two neighbours in a ring of two have two links */
    snprintf(text, UT_OUTAGE_NAME_SIZE, "link %.9s-%.9s, %s of %.20s", name,
             ut_topology_switch_name(t, p->index, other), ut_topology_direction(t, o->port, way), tuple);
  else if (!t->bidirectional)
    snprintf(text, UT_OUTAGE_NAME_SIZE, "link %s-%s, port %u", name, ut_topology_switch_name(t, p->index, other),
             o->port);
  else
    snprintf(text, UT_OUTAGE_NAME_SIZE, "link %s-%s", name, ut_topology_switch_name(t, p->index, other));
  const size_t used = strlen(text);
  if (t->bidirectional && !o->both)
    snprintf(text + used, UT_OUTAGE_NAME_SIZE - used, injection ? ", from the terminal only" : ", from %s only", name);
  return text;
}
