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

int ut_read_window(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  struct ut_excerpt_window *window = into;
  const char *c = text;
  window->kind = !strcmp(text, "fault")      ? UT_WINDOW_FAULT
                 : !strcmp(text, "mismatch") ? UT_WINDOW_MISMATCH
                                             : UT_WINDOW_CYCLES;
  if (window->kind != UT_WINDOW_CYCLES ||
      (ut_number_read(&c, UT_MAX_WAVE_CYCLE, &window->first) && *c++ == ':' &&
       ut_number_is(c, UT_MAX_WAVE_CYCLE, &window->last) && window->first <= window->last))
    return 0;
  return ut_fail(e, UT_BAD_INPUT, "--%s '%s': expected A:B (cycles), fault or mismatch", option->name, text);
}

/* ---- which part */

bool ut_parse_switch(const char *text, const struct ut_topology *topo, uint32_t *sw) {
  uint64_t level, index;
  *sw = ut_topology_switch_named(topo, text);
  if (*sw != UINT32_MAX)
    return true;
  if (!ut_number_read(&text, UINT32_MAX, &level) || *text++ != '.' || !ut_number_is(text, UINT32_MAX, &index))
    return false;
  *sw = ut_topology_switch(topo, (unsigned)level, (unsigned)index);
  return *sw != UINT32_MAX;
}

static void add(struct ut_excerpt *excerpt, uint32_t sw) {
  for (unsigned i = 0; i < excerpt->count; i++)
    if (excerpt->switches[i] == sw)
      return; /* Verilator takes a switch once */
  excerpt->switches[excerpt->count++] = sw;
}

static void add_peer(struct ut_excerpt *excerpt, const struct ut_peer *peer) {
  if (peer->kind == UT_PEER_SWITCH)
    add(excerpt, peer->index);
}

/* The switches that the option lists. */
static int add_listed(const struct ut_excerpt_options *options, struct ut_excerpt *excerpt,
                      const struct ut_topology *topo, struct ut_error *e) {
  char *copy = strdup(options->switches), *rest = copy;
  uint32_t sw;
  int result = copy ? 0 : ut_fail(e, UT_BAD_INPUT, "not enough memory");
  for (char *part; !result && (part = strsep(&rest, ","));)
    if (ut_parse_switch(part, topo, &sw))
      add(excerpt, sw);
    else
      result = ut_fail(e, UT_BAD_INPUT, "%s-switches: there is no switch '%s' (LEVEL.INDEX)", options->option, part);
  free(copy);
  return result;
}

/* center: the switch of the fault or mismatch, or UINT32_MAX. */
static int choose_switches(const struct ut_excerpt_options *options, const struct ut_topology *topo, uint32_t center,
                           struct ut_excerpt *excerpt, struct ut_error *e) {
  excerpt->switches = calloc(topo->switches, sizeof *excerpt->switches);
  if (!excerpt->switches)
    return ut_fail(e, UT_BAD_INPUT, "not enough memory");
  if (options->switches && strcmp(options->switches, "all"))
    return add_listed(options, excerpt, topo, e);
  if (center == UINT32_MAX || options->switches || topo->switches <= options->all_up_to) {
    for (; excerpt->count < topo->switches; excerpt->count++)
      excerpt->switches[excerpt->count] = excerpt->count;
    return 0;
  }
  add(excerpt, center); /* and its neighbours */
  for (unsigned p = 0; p < topo->po; p++)
    add_peer(excerpt, &topo->peer[(size_t)center * topo->po + p]);
  for (unsigned p = 0; p < topo->pi; p++) {
    const struct ut_peer from = ut_topology_source(topo, center, p);
    add_peer(excerpt, &from);
  }
  return 0;
}

static enum ut_window_kind window_of(const struct ut_excerpt_options *options, const struct ut_faults *faults,
                                     bool mismatch) {
  if (options->window.kind != UT_WINDOW_DEFAULT)
    return options->window.kind;
  return mismatch ? UT_WINDOW_MISMATCH : faults->events ? UT_WINDOW_FAULT : UT_WINDOW_CYCLES;
}

/* The cycles of the window; returns the switch in its middle, or UINT32_MAX. */
static uint32_t choose_cycles(const struct ut_excerpt_options *options, const struct ut_lockstep *lockstep,
                              struct ut_excerpt *excerpt) {
  const struct ut_topology *topo = lockstep->golden.topology;
  const struct ut_faults *faults = &lockstep->golden.faults;
  const enum ut_window_kind window = window_of(options, faults, lockstep->mismatches);
  if (window == UT_WINDOW_CYCLES) {
    excerpt->first = options->window.kind ? options->window.first : 0;
    excerpt->last = options->window.kind ? options->window.last : DEFAULT_LAST;
    return UINT32_MAX;
  }
  const bool mismatch = window == UT_WINDOW_MISMATCH;
  const struct ut_component *what = mismatch ? NULL : &faults->event[0].what;
  const uint64_t at = mismatch ? lockstep->golden.cycle : faults->event[0].cycle;
  excerpt->first = at > BEFORE ? at - BEFORE : 0;
  excerpt->last = at + (mismatch ? AFTER_MISMATCH : AFTER_FAULT);
  if (mismatch)
    return lockstep->mismatch_switch;
  /* of a link its upper end: around it packets turn */
  const bool upper = what->kind == UT_FAULT_LINK && topo->peer[what->channel].kind == UT_PEER_SWITCH;
  return upper ? topo->peer[what->channel].index : what->sw;
}

static int check_window(const struct ut_excerpt_options *options, const struct ut_scenario *scenario,
                        const struct ut_faults *faults, struct ut_error *e) {
  const uint64_t longest = ut_network_planned(scenario) + (scenario->run.drain ? scenario->run.drain_limit_cycles : 0);
  const enum ut_window_kind window = window_of(options, faults, false);
  if (window == UT_WINDOW_FAULT && !faults->events)
    return ut_fail(e, UT_BAD_INPUT, "%s-window fault: the scenario has no faults", options->option);
  if (window == UT_WINDOW_FAULT && faults->event[0].cycle >= longest)
    return ut_fail(e, UT_BAD_INPUT, "%s-window: the first fault is in cycle %" PRIu64 ", the run has %" PRIu64,
                   options->option, faults->event[0].cycle, longest);
  if (options->window.kind == UT_WINDOW_CYCLES && options->window.first >= longest)
    return ut_fail(e, UT_BAD_INPUT, "%s-window %" PRIu64 ":%" PRIu64 ": the run has %" PRIu64 " cycles at most",
                   options->option, options->window.first, options->window.last, longest);
  return 0;
}

int ut_excerpt_check(const struct ut_excerpt_options *options, const struct ut_scenario *scenario, struct ut_error *e) {
  struct ut_faults faults = {0};
  struct ut_excerpt excerpt = {0};
  if (!options->path)
    return 0;
  int result = ut_faults_init(&faults, scenario, ut_scenario_topology(scenario), e) ||
                       check_window(options, scenario, &faults, e) ||
                       choose_switches(options, ut_scenario_topology(scenario), UINT32_MAX, &excerpt, e) ||
                       ut_output_check(options->path, UT_OUTPUT_REGULAR, e)
                   ? -1
                   : 0;
  free(excerpt.switches);
  ut_faults_free(&faults);
  return result;
}

int ut_excerpt_choose(const struct ut_excerpt_options *options, const struct ut_lockstep *done,
                      struct ut_excerpt *excerpt, struct ut_error *e) {
  *excerpt = (struct ut_excerpt){.spec = done->spec, .injected_bug = done->injected_bug};
  if (excerpt->injected_bug.cycle >= done->golden.cycle)
    excerpt->injected_bug.cycle = UINT64_MAX;
  if (options->window.kind == UT_WINDOW_MISMATCH && !done->mismatches)
    return ut_fail(e, UT_BAD_INPUT, "%s-window mismatch: there was no mismatch", options->option);
  const uint32_t center = choose_cycles(options, done, excerpt);
  if (!done->mismatches && excerpt->last > done->golden.cycle) /* behind a mismatch both sides go on */
    excerpt->last = done->golden.cycle;
  if (excerpt->first >= done->golden.cycle && !done->mismatches)
    return ut_fail(e, UT_BAD_INPUT, "%s-window %" PRIu64 ":%" PRIu64 ": the run has ended in cycle %" PRIu64,
                   options->option, excerpt->first, excerpt->last, done->golden.cycle);
  return choose_switches(options, done->golden.topology, center, excerpt, e);
}

/* ---- the run */

int ut_excerpt_run(const struct ut_excerpt *excerpt, const struct ut_scenario *scenario, const struct ut_models *models,
                   ut_excerpt_begin *begin, void *ctx) {
  struct ut_elaborator none = {0};
  struct ut_watchdog watchdog = {0};
  struct ut_lockstep lockstep;
  struct ut_error e;
  if (ut_lockstep_init(&lockstep, scenario, models, &e))
    return ut_print_error(&e);
  if (excerpt->spec && !lockstep.spec && !ut_lockstep_use_spec(&lockstep)) {
    ut_lockstep_fini(&lockstep);
    return ut_fail_memory(&e), ut_print_error(&e);
  }
  lockstep.injected_bug = excerpt->injected_bug;
  int status = begin(ctx, &lockstep, &e) ? ut_print_error(&e) : UT_OK;
  if (status == UT_OK)
    ut_cosim_run(&lockstep, &none, excerpt->last, &watchdog, NULL);
  while (lockstep.mismatches && lockstep.golden.cycle <= excerpt->last && !ut_interrupted && !lockstep.golden.failure &&
         !lockstep.rtl.failure)
    ut_lockstep_step(&lockstep); /* what follows from the difference */
  ut_lockstep_fini(&lockstep);
  ut_watchdog_free(&watchdog);
  return status == UT_OK && ut_interrupted ? UT_INTERRUPTED : status;
}
