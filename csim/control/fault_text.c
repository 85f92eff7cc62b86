/* SPDX-License-Identifier: Apache-2.0 */
/* fault_text.c - see fault_text.h */
#include "fault_text.h"

#include <stdio.h>
#include <string.h>

#include "fault_entry.h"
#include "number.h"

/* The text that is searched for, and the components found so far. */
struct search {
  const struct ut_topology *topology;
  char name[UT_OUTAGE_NAME_SIZE];
  struct ut_fault found;         /* the first one */
  struct ut_component component; /* the last one */
  unsigned whole, part;          /* components called so, or so up to a comma */
};

/* How well a name fits the text. */
enum fit { NOT_AT_ALL, UP_TO_A_COMMA, WHOLE };

static enum fit fit_of(const struct search *search, const struct ut_outage *outage, bool both) {
  char name[UT_OUTAGE_NAME_SIZE];
  const size_t length = strlen(search->name);
  ut_outage_name(search->topology, outage, name);
  if (!strcmp(name, search->name))
    return WHOLE;
  return both && !strncmp(name, search->name, length) && name[length] == ',' ? UP_TO_A_COMMA : NOT_AT_ALL;
}

/* Counts a component that the text may mean; a link with two directions is named from either end. */
static void try(struct search *search, const struct ut_fault *fault, uint32_t sw) {
  struct ut_component component;
  struct ut_fault_problem problem;
  if (!ut_faults_locate(search->topology, fault, &component, &problem))
    return;
  struct ut_outage outage = {.sw = component.sw,
                             .port = component.port,
                             .channel = component.channel,
                             .both = component.both,
                             .kind = component.kind};
  const bool both = fault->direction == UT_DIRECTION_BOTH;
  enum fit fit = fit_of(search, &outage, both);
  if (fit == NOT_AT_ALL && both && fault->kind == UT_FAULT_LINK && search->topology->bidirectional) {
    outage.sw = sw;
    outage.port = (uint8_t)fault->port;
    fit = fit_of(search, &outage, both);
  }
  const bool whole = fit == WHOLE;
  if (fit == NOT_AT_ALL || (search->whole && !whole))
    return;
  if (whole && !search->whole)
    search->part = 0; /* a whole name takes precedence over parts of others */
  const unsigned before = search->whole + search->part;
  const struct ut_component *last = &search->component;
  if (before && last->kind == component.kind && last->sw == component.sw && last->channel == component.channel &&
      last->both == component.both)
    return; /* the same link, from its other end */
  if (!before)
    search->found = *fault;
  search->component = component;
  search->whole += whole;
  search->part += !whole;
}

static void try_all(struct search *search) {
  const struct ut_topology *topo = search->topology;
  const struct ut_fault any = {.until_cycle = UINT64_MAX, .times = 1, .half_of = UT_NO_DIMENSION};
  for (uint32_t sw = 0; sw < topo->switches; sw++) {
    struct ut_fault fault = any;
    fault.kind = UT_FAULT_SWITCH, fault.level = topo->level[sw], fault.index = topo->position[sw];
    try(search, &fault, sw);
    fault.kind = UT_FAULT_LINK;
    for (fault.port = 0; fault.port < topo->po; fault.port++)
      for (unsigned d = 0; d < (topo->bidirectional ? 3 : 1); d++) {
        fault.direction = (enum ut_direction)d;
        try(search, &fault, sw);
      }
  }
  for (uint32_t terminal = 0; terminal < topo->terminals && !topo->bidirectional; terminal++) {
    struct ut_fault fault = any;
    fault.kind = UT_FAULT_INJECTION, fault.terminal = terminal;
    for (fault.link = 0; fault.link < topo->injections; fault.link++)
      try(search, &fault, 0);
  }
}

/* Reads the cycles at the end of the text, and cuts them off.  Returns false if they are wrong. */
static bool cut_cycles(char *text, struct ut_fault *fault) {
  char *from = strstr(text, " from cycle "), *in = strstr(text, " in cycles ");
  fault->at_cycle = 0;
  fault->until_cycle = UINT64_MAX;
  const char *c = from ? from + strlen(" from cycle ") : in ? in + strlen(" in cycles ") : NULL;
  if (!c)
    return true;
  if (!ut_number_read(&c, UINT64_MAX - 1, &fault->at_cycle))
    return false;
  if (from) {
    *from = '\0';
    return !strcmp(c, " on");
  }
  *in = '\0';
  if (*c++ != '-' || !ut_number_read(&c, UINT64_MAX - 1, &fault->until_cycle) || fault->until_cycle < fault->at_cycle)
    return false;
  fault->until_cycle++;
  return !*c;
}

int ut_fault_read(struct ut_fault *fault, const struct ut_topology *topo, const char *text, struct ut_error *e) {
  struct search search = {.topology = topo};
  struct ut_fault cycles;
  char copy[UT_OUTAGE_NAME_SIZE + 64], other[UT_OUTAGE_NAME_SIZE];
  snprintf(copy, sizeof copy, "%s", text);
  if (!cut_cycles(copy, &cycles))
    return ut_fail(e, UT_BAD_INPUT, "fault '%s': cycles are written as in ' from cycle 50 on' or ' in cycles 100-199'",
                   text);
  snprintf(search.name, sizeof search.name, "%.*s", (int)sizeof search.name - 1, copy);
  try_all(&search);
  if (search.whole + search.part == 0)
    return ut_fail(e, UT_BAD_INPUT,
                   "there is no '%s' in this network; links and switches are named as in `uturn net`, 'link %s-%s' or "
                   "'switch %s' for example",
                   search.name, "0.0", "1.0", "0.0");
  if (search.whole + search.part > 1) {
    struct ut_component component;
    struct ut_fault_problem problem;
    ut_faults_locate(topo, &search.found, &component, &problem);
    const struct ut_outage outage = {.sw = component.sw,
                                     .port = component.port,
                                     .channel = component.channel,
                                     .both = component.both,
                                     .kind = component.kind};
    return ut_fail(e, UT_BAD_INPUT, "'%s': several links are called so, one of them in full '%s'", search.name,
                   ut_outage_name(topo, &outage, other));
  }
  *fault = search.found;
  fault->at_cycle = cycles.at_cycle;
  fault->until_cycle = cycles.until_cycle;
  return 0;
}
