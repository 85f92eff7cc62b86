/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - `uturn run`: the golden model alone. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "compare.h"
#include "comparison.h"
#include "deadlock.h"
#include "inside.h"
#include "scenario.h"
#include "scenario_read.h"
#include "steady.h"
#include "without_faults.h"

enum { KEY_COMPARE = 0x1b0, KEY_SEEDS, KEY_CHECK };
enum { SEEDS = 5 };

struct run_options {
  struct ut_scenario_options scenario;
  enum ut_elaborate_when elaborate;
  unsigned threads;
  struct ut_inside_options inside;
  bool compare, check;
  const char *path[UT_MAX_COMPARED];
  unsigned paths, seeds;
};

static const struct argp_option options[] = {
    {"compare", KEY_COMPARE, 0, 0,
     "runs several scenarios with the same seeds, as many runs at once as --threads says (default: a core each), and "
     "prints their results side by side with confidence intervals",
     0},
    {"seeds", KEY_SEEDS, "N", 0,
     "the seeds of --compare: N from --seed, or from run.seed of the first scenario; default 5", 0},
    {"check", KEY_CHECK, "spec", 0,
     "steps the plain switch of spec/ beside the model and compares all registers in every cycle; the first difference "
     "ends the run with exit status 3",
     0},
    {0},
};
static const struct argp_child children[] = {{&ut_scenario_argp, 0, NULL, 0},
                                             {&ut_elaborate_argp, 0, NULL, 0},
                                             {&ut_threads_argp, 0, NULL, 0},
                                             {&ut_inside_argp, 0, NULL, 0},
                                             {0}};

static void check(const struct run_options *o, struct argp_state *state) {
  if (o->paths > 1 && !o->compare)
    argp_error(state, "one scenario at a time: '%s' is too many; --compare takes several", o->path[1]);
  if (o->compare && o->paths < 2)
    argp_error(state, "--compare wants at least two scenarios");
  if (o->compare && (o->inside.histogram || o->inside.packets || o->inside.timeline))
    argp_error(state, "--histogram, --packets and --timeline look into one run: leave out --compare");
  if (o->compare && o->check)
    argp_error(state, "--check looks into one run: leave out --compare");
  if (o->seeds && !o->compare)
    argp_error(state, "--seeds is for --compare; for one run there is --seed");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct run_options *o = state->input;
  uint64_t seeds;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &o->scenario;
    state->child_inputs[1] = &o->elaborate;
    state->child_inputs[2] = &o->threads;
    state->child_inputs[3] = &o->inside;
    return 0;
  case KEY_COMPARE: o->compare = true; return 0;
  case KEY_SEEDS:
    seeds = ut_parse_count(arg, "--seeds", state);
    if (seeds > UT_MAX_SEEDS)
      argp_error(state, "--seeds %s: there can be %d at most", arg, UT_MAX_SEEDS);
    o->seeds = (unsigned)seeds;
    return 0;
  case KEY_CHECK:
    if (strcmp(arg, "spec"))
      argp_error(state, "--check knows 'spec', not '%s'", arg);
    o->check = true;
    return 0;
  case ARGP_KEY_ARG:
    if (o->paths == UT_MAX_COMPARED)
      argp_error(state, "%d scenarios at most: '%s' is too many", UT_MAX_COMPARED, arg);
    o->path[o->paths++] = arg;
    o->scenario.path = o->path[0];
    return 0;
  case ARGP_KEY_END: check(o, state); return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}
const struct argp ut_argp_run = {
    options, parse, "SCENARIO [SCENARIO... --compare]", "Simulates SCENARIO with the model alone.", children, 0, 0};

/* The network, what steps its switches, and its threads; the elaborator is to be ended also after -1 and *e. */
static int start(struct ut_network *n, struct ut_elaborator *a, struct ut_threads **threads,
                 const struct ut_scenario *s, const struct run_options *o, struct ut_error *e) {
  if (ut_elaborator_start(a, s, o->elaborate, ut_build_progress(), &ut_interrupted, e) ||
      ut_network_init(n, s, NULL, e))
    return -1;
  if (o->check && ut_network_unmodelled(n)) {
    ut_fail(e, UT_BAD_INPUT, "%s: --check spec: the model does not know this '%s' yet, the spec runs in its place",
            s->path, ut_network_unmodelled(n));
    ut_network_fini(n);
    return -1;
  }
  *threads = ut_threads_start(o->threads ? o->threads : ut_network_threads(n, ut_threads_cores()));
  if (*threads && ut_network_use(n, *threads) && (!o->check || ut_network_use_spec(n, UT_SPEC_CHECKS)))
    return 0;
  ut_network_fini(n);
  ut_threads_end(*threads);
  return ut_fail(e, UT_BAD_INPUT, "%s: not enough memory for threads%s", s->path, o->check ? " and the spec" : "");
}

/* Steps the network until the scenario, or something else, ends it. */
static void simulate(struct ut_report *report, struct ut_network *n, struct ut_elaborator *a,
                     struct ut_watchdog *watchdog, struct ut_inside *inside) {
  struct ut_progress progress;
  bool good = true;
  ut_stability_watch_start(&report->stability, n);
  ut_progress_start(&progress);
  while (!ut_network_done(n) && !ut_interrupted && !n->failure && !report->deadlock && !report->differs && good) {
    ut_elaborator_use(a, n);
    ut_network_skip(n, ut_earlier(report->stability.next, ut_inside_next(inside)));
    ut_network_step(n);
    ut_stability_watch_observe(&report->stability, n);
    good = ut_inside_observe(inside);
    report->deadlock = ut_watchdog_check(watchdog, n);
    report->differs = report->checked && ut_network_spec_differing(n) != UINT32_MAX;
    ut_progress_show(&progress, n->cycle, n->terminals.window_end);
  }
  ut_progress_end(&progress);
  report->wall_s = ut_seconds() - progress.start;
  n->failure |= !ut_network_use(n, NULL); /* all latencies in one place */
  report->interrupted = ut_interrupted;
}

/* The workload of the same scenario where nothing fails, for its slowdown. */
struct other_run {
  const struct run_options *options;
  bool whole;
};

static int run_to_completion(void *ctx, const struct ut_scenario *s, uint64_t *completion, struct ut_error *e) {
  struct other_run *r = ctx;
  struct ut_network n;
  struct ut_elaborator elaborator;
  struct ut_threads *threads = NULL;
  struct ut_watchdog watchdog = {0};
  struct ut_inside inside = {0};
  const int status = start(&n, &elaborator, &threads, s, r->options, e);
  if (!status) {
    struct ut_report other = {.network = &n, .checked = r->options->check};
    simulate(&other, &n, &elaborator, &watchdog, &inside);
    r->whole = !other.interrupted && !n.failure;
    *completion = n.workload->completion;
    ut_watchdog_free(&watchdog);
    ut_network_fini(&n);
    ut_threads_end(threads);
  }
  ut_elaborate_end(&elaborator);
  return status;
}

static int run_without_faults(struct ut_report *report, const struct run_options *o, struct ut_error *e) {
  struct other_run r = {o, true};
  if (ut_without_faults(report->network, run_to_completion, &r, &report->without_faults, e))
    return -1;
  report->compared = r.whole;
  return 0;
}

/* The registers of the first switch where model and spec differ. */
struct difference {
  const char *name;
  uint64_t cycle;
  unsigned count;
};

static void print_difference(void *ctx, const char *path, uint64_t model, uint64_t spec) {
  struct difference *d = ctx;
  if (d->count++ == 0)
    fprintf(stderr, "cycle %" PRIu64 ": switch %s %s: model holds 0x%" PRIx64 ", spec expected 0x%" PRIx64 "\n",
            d->cycle, d->name, path, model, spec);
  else
    fprintf(stderr, "    also %-28s model 0x%" PRIx64 "   spec 0x%" PRIx64 "\n", path, model, spec);
}

static void print_differences(const struct ut_network *n) {
  const uint32_t sw = ut_network_spec_differing(n);
  char name[UT_SWITCH_NAME_SIZE];
  struct difference d = {ut_topology_switch_name(n->topology, sw, name), n->cycle - 1, 0};
  unsigned differ;
  ut_spec_compare(ut_network_group(n, sw), sw, print_difference, &d, &differ);
  if (!differ)
    fprintf(stderr,
            "cycle %" PRIu64 ": switch %s: model and spec differ in no register, but in wires, discarded or lost "
            "packets, or what they count\n",
            d.cycle, d.name);
}

/* Prints the results; returns the exit status. */
static int conclude(const struct ut_report *report, const struct ut_watchdog *watchdog, bool json) {
  const struct ut_network *n = report->network;
  ut_report_print(report, json);
  if (report->deadlock)
    ut_watchdog_print(watchdog, stderr);
  if (n->failure)
    fprintf(stderr, "uturn: not enough memory for the source queues; lower the load or the number of cycles\n");
  if (n->failure)
    return UT_BAD_INPUT;
  if (report->differs)
    print_differences(n);
  return report->differs                 ? UT_MISMATCH
         : report->deadlock              ? UT_DEADLOCK
         : ut_interrupted                ? UT_INTERRUPTED
         : n->terminals.accounts.corrupt ? UT_INTERNAL
         : ut_network_incomplete(n)      ? UT_INCOMPLETE
                                         : UT_OK;
}

int ut_cmd_run(int argc, char **argv) {
  struct run_options o = {0};
  struct ut_network n;
  struct ut_elaborator elaborator;
  struct ut_threads *threads = NULL;
  struct ut_inside inside = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_argp_run, argc, argv, &o, &status))
    return status;
  if (o.compare)
    return ut_compare(
        &(struct ut_compare_options){&o.scenario, o.path, o.paths, o.seeds ? o.seeds : SEEDS, o.elaborate, o.threads});
  struct ut_scenario *s = ut_open_scenario(&o.scenario, &status);
  if (!s)
    return status;
  ut_catch_interrupt();
  if (start(&n, &elaborator, &threads, s, &o, &e)) {
    status = ut_print_error(&e);
    ut_elaborate_end(&elaborator);
    ut_scenario_free(s);
    return status;
  }
  struct ut_report report = {.network = &n, .checked = o.check};
  struct ut_watchdog watchdog = {0};
  const bool ready = ut_inside_start(&inside, &o.inside, &n, &e) == 0;
  if (ready)
    simulate(&report, &n, &elaborator, &watchdog, &inside);
  const bool compare = ready && n.workload && s->fault_count && !report.interrupted && !n.failure;
  const bool whole = ready && (!compare || run_without_faults(&report, &o, &e) == 0);
  const bool written = ut_inside_end(&inside, whole ? &e : NULL) == 0;
  status = whole && written ? conclude(&report, &watchdog, o.scenario.json) : ut_print_error(&e);
  ut_watchdog_free(&watchdog);
  ut_network_fini(&n);
  ut_threads_end(threads);
  ut_elaborate_end(&elaborator);
  ut_scenario_free(s);
  return status;
}
