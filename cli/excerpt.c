/* SPDX-License-Identifier: Apache-2.0 */
/* excerpt.c - see excerpt.h */
#include "excerpt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cosim.h"
#include "dump.h"
#include "number.h"
#include "output.h"
#include "scenario.h"
#include "topology.h"
#include "topology_build.h"

enum { BEFORE = 60, AFTER_FAULT = 140, AFTER_MISMATCH = 10, DEFAULT_LAST = 200 };

/* ---- options */

int ut_read_window(const struct ut_option *o, void *into, const char *text, struct ut_error *e) {
  struct ut_excerpt_window *w = into;
  const char *c = text;
  w->kind = !strcmp(text, "fault")      ? UT_WINDOW_FAULT
            : !strcmp(text, "mismatch") ? UT_WINDOW_MISMATCH
                                        : UT_WINDOW_CYCLES;
  if (w->kind != UT_WINDOW_CYCLES || (ut_number_read(&c, UT_MAX_WAVE_CYCLE, &w->first) && *c++ == ':' &&
                                      ut_number_is(c, UT_MAX_WAVE_CYCLE, &w->last) && w->first <= w->last))
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "--%s '%s': expected A:B (cycles), fault or mismatch", o->name, text);
}

/* ---- which part */

bool ut_parse_switch(const char *text, const struct ut_topology *t, uint32_t *sw) {
  uint64_t level, index;
  if (!ut_number_read(&text, UINT32_MAX, &level) || *text++ != '.' || !ut_number_is(text, UINT32_MAX, &index))
    return false;
  *sw = ut_topology_switch(t, (unsigned)level, (unsigned)index);
  return *sw != UINT32_MAX;
}

static void add(struct ut_excerpt *w, uint32_t sw) {
  for (unsigned i = 0; i < w->count; i++)
    if (w->switches[i] == sw)
      return; /* Verilator takes a switch once */
  w->switches[w->count++] = sw;
}

static void add_peer(struct ut_excerpt *w, const struct ut_peer *p) {
  if (p->kind == UT_PEER_SWITCH)
    add(w, p->index);
}

/* The switches that the option lists. */
static int add_listed(const struct ut_excerpt_options *o, struct ut_excerpt *w, const struct ut_topology *t,
                      struct ut_error *e) {
  char *copy = strdup(o->switches), *rest = copy;
  uint32_t sw;
  int result = copy ? 0 : ut_fail(e, UT_BAD_INPUT, "not enough memory");
  for (char *part; !result && (part = strsep(&rest, ","));)
    if (ut_parse_switch(part, t, &sw))
      add(w, sw);
    else
      result = ut_fail(e, UT_BAD_INPUT, "%s-switches: there is no switch '%s' (LEVEL.INDEX)", o->option, part);
  free(copy);
  return result;
}

/* center: the switch of the fault or mismatch, or UINT32_MAX. */
static int choose_switches(const struct ut_excerpt_options *o, const struct ut_topology *t, uint32_t center,
                           struct ut_excerpt *w, struct ut_error *e) {
  w->switches = calloc(t->switches, sizeof *w->switches);
  if (!w->switches)
    return ut_fail(e, UT_BAD_INPUT, "not enough memory");
  if (o->switches && strcmp(o->switches, "all"))
    return add_listed(o, w, t, e);
  if (center == UINT32_MAX || o->switches || t->switches <= o->all_up_to) {
    for (; w->count < t->switches; w->count++)
      w->switches[w->count] = w->count;
    return 0;
  }
  add(w, center); /* and its neighbours */
  for (unsigned p = 0; p < t->po; p++)
    add_peer(w, &t->peer[(size_t)center * t->po + p]);
  for (unsigned p = 0; p < t->pi; p++) {
    const struct ut_peer from = ut_topology_source(t, center, p);
    add_peer(w, &from);
  }
  return 0;
}

static enum ut_window_kind window_of(const struct ut_excerpt_options *o, const struct ut_faults *f, bool mismatch) {
  if (o->window.kind != UT_WINDOW_DEFAULT)
    return o->window.kind;
  return mismatch ? UT_WINDOW_MISMATCH : f->events ? UT_WINDOW_FAULT : UT_WINDOW_CYCLES;
}

/* The cycles of the window; returns the switch in its middle, or UINT32_MAX. */
static uint32_t choose_cycles(const struct ut_excerpt_options *o, const struct ut_lockstep *l, struct ut_excerpt *w) {
  const struct ut_topology *t = l->golden.topology;
  const struct ut_faults *f = &l->golden.faults;
  const enum ut_window_kind window = window_of(o, f, l->mismatches);
  if (window == UT_WINDOW_CYCLES) {
    w->first = o->window.kind ? o->window.first : 0;
    w->last = o->window.kind ? o->window.last : DEFAULT_LAST;
    return UINT32_MAX;
  }
  const bool mismatch = window == UT_WINDOW_MISMATCH;
  const struct ut_component *what = mismatch ? NULL : &f->event[0].what;
  const uint64_t at = mismatch ? l->golden.cycle : f->event[0].cycle;
  w->first = at > BEFORE ? at - BEFORE : 0;
  w->last = at + (mismatch ? AFTER_MISMATCH : AFTER_FAULT);
  if (mismatch)
    return l->mismatch_switch;
  /* of a link its upper end: around it packets turn */
  const bool upper = what->kind == UT_FAULT_LINK && t->peer[what->channel].kind == UT_PEER_SWITCH;
  return upper ? t->peer[what->channel].index : what->sw;
}

static int check_window(const struct ut_excerpt_options *o, const struct ut_scenario *s, const struct ut_faults *f,
                        struct ut_error *e) {
  const uint64_t longest = ut_network_planned(s) + (s->run.drain ? s->run.drain_limit_cycles : 0);
  const enum ut_window_kind window = window_of(o, f, false);
  if (window == UT_WINDOW_FAULT && !f->events)
    return ut_fail(e, UT_BAD_INPUT, "%s-window fault: the scenario has no faults", o->option);
  if (window == UT_WINDOW_FAULT && f->event[0].cycle >= longest)
    return ut_fail(e, UT_BAD_INPUT, "%s-window: the first fault is in cycle %" PRIu64 ", the run has %" PRIu64,
                   o->option, f->event[0].cycle, longest);
  if (o->window.kind == UT_WINDOW_CYCLES && o->window.first >= longest)
    return ut_fail(e, UT_BAD_INPUT, "%s-window %" PRIu64 ":%" PRIu64 ": the run has %" PRIu64 " cycles at most",
                   o->option, o->window.first, o->window.last, longest);
  return 0;
}

int ut_excerpt_check(const struct ut_excerpt_options *o, const struct ut_scenario *s, struct ut_error *e) {
  struct ut_faults faults = {0};
  struct ut_excerpt excerpt = {0};
  if (!o->path)
    return 0;
  int result = ut_faults_init(&faults, s, ut_scenario_topology(s), e) || check_window(o, s, &faults, e) ||
                       choose_switches(o, ut_scenario_topology(s), UINT32_MAX, &excerpt, e) ||
                       ut_output_check(o->path, UT_OUTPUT_REGULAR, e)
                   ? -1
                   : 0;
  free(excerpt.switches);
  ut_faults_free(&faults);
  return result;
}

int ut_excerpt_choose(const struct ut_excerpt_options *o, const struct ut_lockstep *done, struct ut_excerpt *w,
                      struct ut_error *e) {
  *w = (struct ut_excerpt){.spec = done->spec, .injected_bug = done->injected_bug};
  if (w->injected_bug.cycle >= done->golden.cycle)
    w->injected_bug.cycle = UINT64_MAX;
  if (o->window.kind == UT_WINDOW_MISMATCH && !done->mismatches)
    return ut_fail(e, UT_BAD_INPUT, "%s-window mismatch: there was no mismatch", o->option);
  const uint32_t center = choose_cycles(o, done, w);
  if (!done->mismatches && w->last > done->golden.cycle) /* behind a mismatch both sides go on */
    w->last = done->golden.cycle;
  if (w->first >= done->golden.cycle && !done->mismatches)
    return ut_fail(e, UT_BAD_INPUT, "%s-window %" PRIu64 ":%" PRIu64 ": the run has ended in cycle %" PRIu64, o->option,
                   w->first, w->last, done->golden.cycle);
  return choose_switches(o, done->golden.topology, center, w, e);
}

/* ---- the run */

int ut_excerpt_run(const struct ut_excerpt *w, const struct ut_scenario *s, const struct ut_models *models,
                   ut_excerpt_begin *begin, void *ctx) {
  struct ut_elaborator none = {0};
  struct ut_watchdog watchdog = {0};
  struct ut_lockstep l;
  struct ut_error e;
  if (ut_lockstep_init(&l, s, models, &e))
    return ut_print_error(&e);
  if (w->spec && !l.spec && !ut_lockstep_use_spec(&l)) {
    ut_lockstep_fini(&l);
    return ut_fail_memory(&e), ut_print_error(&e);
  }
  l.injected_bug = w->injected_bug;
  int status = begin(ctx, &l, &e) ? ut_print_error(&e) : UT_OK;
  if (status == UT_OK)
    ut_cosim_run(&l, &none, w->last, &watchdog, NULL);
  while (l.mismatches && l.golden.cycle <= w->last && !ut_interrupted && !l.golden.failure && !l.rtl.failure)
    ut_lockstep_step(&l); /* what follows from the difference */
  ut_lockstep_fini(&l);
  ut_watchdog_free(&watchdog);
  return status == UT_OK && ut_interrupted ? UT_INTERRUPTED : status;
}
