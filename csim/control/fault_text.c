/* SPDX-License-Identifier: Apache-2.0 */
/* fault_text.c - see fault_text.h */
#include "fault_text.h"

#include <stdio.h>
#include <string.h>

#include "number.h"
#include "scenario.h"

/* What is looked for, and what has been found. */
struct search {
  const struct ut_topology *topology;
  char name[UT_OUTAGE_NAME_SIZE];
  struct ut_fault found;         /* the first one */
  struct ut_component component; /* the last one */
  unsigned whole, part;          /* components called so, or so up to a comma */
};

/* Counts a component that may be meant. */
static void try(struct search *x, const struct ut_fault *f) {
  struct ut_component c;
  struct ut_fault_problem problem;
  char name[UT_OUTAGE_NAME_SIZE];
  if (!ut_faults_locate(x->topology, f, &c, &problem))
    return;
  const struct ut_outage o = {.sw = c.sw, .port = c.port, .channel = c.channel, .both = c.both, .kind = c.kind};
  ut_outage_name(x->topology, &o, name);
  const size_t length = strlen(x->name);
  const bool whole = !strcmp(name, x->name);
  const bool part = f->direction == UT_DIRECTION_BOTH && !strncmp(name, x->name, length) && name[length] == ',';
  if ((!whole && !part) || (x->whole && !whole))
    return;
  if (whole && !x->whole)
    x->part = 0; /* a whole name is meant before parts of others */
  const unsigned before = x->whole + x->part;
  const struct ut_component *last = &x->component;
  if (before && last->kind == c.kind && last->sw == c.sw && last->channel == c.channel && last->both == c.both)
    return; /* the same link, from its other end */
  if (!before)
    x->found = *f;
  x->component = c;
  x->whole += whole;
  x->part += !whole;
}

static void try_all(struct search *x) {
  const struct ut_topology *t = x->topology;
  const struct ut_fault any = {.until_cycle = UINT64_MAX, .times = 1, .half_of = UT_NO_DIMENSION};
  for (uint32_t sw = 0; sw < t->switches; sw++) {
    struct ut_fault f = any;
    f.kind = UT_FAULT_SWITCH, f.level = t->level[sw], f.index = t->position[sw];
    try(x, &f);
    f.kind = UT_FAULT_LINK;
    for (f.port = 0; f.port < t->po; f.port++)
      for (unsigned d = 0; d < (t->bidirectional ? 3 : 1); d++) {
        f.direction = (enum ut_direction)d;
        try(x, &f);
      }
  }
  for (uint32_t terminal = 0; terminal < t->terminals && !t->bidirectional; terminal++) {
    struct ut_fault f = any;
    f.kind = UT_FAULT_INJECTION, f.terminal = terminal;
    for (f.link = 0; f.link < t->injections; f.link++)
      try(x, &f);
  }
}

/* The cycles at the end of the text, which is cut off there.  false: they are none. */
static bool cut_cycles(char *text, struct ut_fault *f) {
  char *from = strstr(text, " from cycle "), *in = strstr(text, " in cycles ");
  f->at_cycle = 0;
  f->until_cycle = UINT64_MAX;
  const char *c = from ? from + strlen(" from cycle ") : in ? in + strlen(" in cycles ") : NULL;
  if (!c)
    return true;
  if (!ut_number_read(&c, UINT64_MAX - 1, &f->at_cycle))
    return false;
  if (from) {
    *from = '\0';
    return !strcmp(c, " on");
  }
  *in = '\0';
  if (*c++ != '-' || !ut_number_read(&c, UINT64_MAX - 1, &f->until_cycle) || f->until_cycle < f->at_cycle)
    return false;
  f->until_cycle++;
  return !*c;
}

int ut_fault_read(struct ut_fault *fault, const struct ut_topology *t, const char *text, struct ut_error *e) {
  struct search x = {.topology = t};
  struct ut_fault cycles;
  char copy[UT_OUTAGE_NAME_SIZE + 64], other[UT_OUTAGE_NAME_SIZE];
  snprintf(copy, sizeof copy, "%s", text);
  if (!cut_cycles(copy, &cycles))
    return ut_fail(e, UT_BAD_INPUT, "fault '%s': cycles are written as in ' from cycle 50 on' or ' in cycles 100-199'",
                   text);
  snprintf(x.name, sizeof x.name, "%.*s", (int)sizeof x.name - 1, copy);
  try_all(&x);
  if (x.whole + x.part == 0)
    return ut_fail(e, UT_BAD_INPUT,
                   "there is no '%s' in this network; links and switches are named as in `uturn net`, 'link %s-%s' or "
                   "'switch %s' for example",
                   x.name, "0.0", "1.0", "0.0");
  if (x.whole + x.part > 1) {
    struct ut_component c;
    struct ut_fault_problem problem;
    ut_faults_locate(t, &x.found, &c, &problem);
    const struct ut_outage o = {.sw = c.sw, .port = c.port, .channel = c.channel, .both = c.both, .kind = c.kind};
    return ut_fail(e, UT_BAD_INPUT, "'%s': several links are called so, one of them in full '%s'", x.name,
                   ut_outage_name(t, &o, other));
  }
  *fault = x.found;
  fault->at_cycle = cycles.at_cycle;
  fault->until_cycle = cycles.until_cycle;
  return 0;
}
