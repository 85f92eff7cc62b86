/* bench.c - `uturn bench`: how fast golden model, RTL and lockstep are, and how many instructions a flit-hop costs in
 * every shape.  Measuring: bench/; tables: bench_output.c; tables in pages: bench_page.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_output.h"
#include "bench_page.h"
#include "booksim.h"
#include "cases.h"
#include "cli.h"
#include "instructions.h"
#include "speed.h"

enum { KEY_JSON = 0x900, KEY_QUICK, KEY_ALL, KEY_ONLY, KEY_FROM, KEY_AGAINST, KEY_SLOWER, KEY_WRITE, KEY_BOOKSIM };
enum { MAX_PAGES = 8 };

struct bench_options {
  bool json, quick, all;
  const char *only, *from, *against, *booksim, *page[MAX_PAGES];
  unsigned pages;
  double slower; /* per cent */
  struct ut_bench_cases cases;
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, 0, 0, "one JSON object on standard output, nothing else", 0},
    {"only", KEY_ONLY, "PATTERN", 0, "cases with that in their names, as in vcs8 or 'tree*vcs'", 0},
    {"quick", KEY_QUICK, 0, 0, "instructions only: no clock, no RTL", 0},
    {"all", KEY_ALL, 0, 0, "rates of all shapes, not only of those in rates/: a model of the RTL is built for each", 0},
    {"booksim", KEY_BOOKSIM, "DIR", 0, "the same work on the BookSim 2 that was built in DIR, side by side", 0},
    {"from", KEY_FROM, "FILE", 0, "figures that --json has printed, instead of measuring", 0},
    {"against", KEY_AGAINST, "FILE", 0, "compares with figures that --json has printed: of another version", 0},
    {"slower", KEY_SLOWER, "PERCENT", 0, "what --against marks as slower; default 5", 0},
    {"write", KEY_WRITE, "PAGE", 0,
     "writes the tables into a page, between its lines <!-- bench: NAME --> and "
     "<!-- bench: end -->; may be given several times",
     0},
    {0},
};

static void check(const struct bench_options *o, struct argp_state *state) {
  const bool chosen = o->only || o->cases.n || o->quick || o->all;
  if (o->only && o->cases.n)
    argp_error(state, "--only chooses among our cases; give it or scenarios");
  if (o->quick && o->all)
    argp_error(state, "--quick measures no rates, --all those of all cases: give one of them");
  if (o->from && (chosen || o->booksim))
    argp_error(state, "--from measures nothing: not with scenarios, --only, --quick, --all, --booksim");
  if (o->pages && (o->only || o->cases.n || o->quick))
    argp_error(state, "--write wants whole tables: not with scenarios, --only, --quick");
  if (o->booksim && (o->quick || o->all))
    argp_error(state, "--booksim counts instructions only: not with --quick, --all");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct bench_options *o = state->input;
  struct ut_error e;
  char *end;
  switch (key) {
  case KEY_JSON: o->json = true; break;
  case KEY_QUICK: o->quick = true; break;
  case KEY_ALL: o->all = true; break;
  case KEY_ONLY: o->only = arg; break;
  case KEY_FROM: o->from = arg; break;
  case KEY_AGAINST: o->against = arg; break;
  case KEY_BOOKSIM: o->booksim = arg; break;
  case KEY_SLOWER:
    o->slower = strtod(arg, &end);
    if (*end || end == arg || !(o->slower >= 0))
      argp_error(state, "--slower wants per cent, as in 5, not '%s'", arg);
    break;
  case KEY_WRITE:
    if (o->pages == MAX_PAGES)
      argp_error(state, "--write: at most %d pages", MAX_PAGES);
    o->page[o->pages++] = arg;
    break;
  case ARGP_KEY_ARG:
    if (ut_bench_cases_add(&o->cases, arg, &e))
      argp_failure(state, UT_INTERNAL, 0, "%s", e.text);
    break;
  case ARGP_KEY_END: check(o, state); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}
static const struct argp argp = {
    options,
    parse,
    "[SCENARIO...]",
    "Measures how fast golden model, RTL alone and lockstep are: scenarios/bench/rates; instructions of the golden "
    "model "
    "for a flit-hop in all shapes: scenarios/bench/shapes; its processor time in networks of 64 to 65,536 terminals: "
    "scenarios/bench/memory.  Or instructions for scenarios of yours.",
    0,
    0,
    0};

/* What a measurement needs beside its cases. */
struct bench {
  const struct bench_options *o;
  struct ut_callgrind callgrind;
  struct ut_booksim booksim;
  char program[PATH_MAX];
  unsigned views; /* of what is printed */
  json_t *results;
};

static int measure_rates(const struct ut_scenario *s, json_t *c, int *status) {
  struct ut_models models;
  struct ut_speed speed;
  struct ut_error e;
  if (ut_get_models(s, &(struct ut_device){0}, &models, status) &&
      ut_speed_measure(s, &models, &ut_interrupted, &speed, &e))
    *status = ut_print_error(&e);
  ut_free_models(&models);
  if (*status != UT_OK || ut_interrupted)
    return -1;
  ut_figure_set(c, UT_GOLDEN_RATE, speed.golden);
  ut_figure_set(c, UT_HOP_RATE, speed.hops);
  ut_figure_set(c, UT_RTL_RATE, speed.rtl);
  ut_figure_set(c, UT_LOCKSTEP_RATE, speed.lockstep);
  ut_figure_set(c, UT_LOCKSTEP_RATIO, speed.lockstep / speed.rtl);
  return 0;
}

static int measure_instructions(struct bench *b, const struct ut_bench_case *k, const struct ut_scenario *s, json_t *c,
                                struct ut_error *e) {
  double ours, theirs;
  if (ut_instructions_per_hop(&b->callgrind, b->program, k->path, s, &ours, e))
    return -1;
  ut_figure_set(c, UT_INSTRUCTIONS, ours);
  if (!b->o->booksim)
    return 0;
  if (ut_booksim_per_hop(&b->booksim, &b->callgrind, s, &theirs, e))
    return -1;
  ut_figure_set(c, UT_BOOKSIM_INSTRUCTIONS, theirs);
  ut_figure_set(c, UT_BOOKSIM_RATIO, theirs / ours);
  return 0;
}

/* Adds the case to the results, or leaves it out if BookSim is asked and cannot do it.  The exit status. */
static int measure(struct bench *b, const struct ut_bench_case *k) {
  const struct bench_options *o = b->o;
  struct ut_error e;
  int status = UT_OK;
  double ns;
  const struct ut_scenario_options how = {.path = k->path, .load_set = !k->own_load, .load = k->load};
  struct ut_scenario *s = ut_open_scenario(&how, &status);
  if (!s)
    return status;
  if (o->booksim && !ut_booksim_can(s)) {
    ut_scenario_free(s);
    return UT_OK;
  }
  json_t *c = json_object();
  if (k->group == UT_BENCH_MEMORY) {
    if (ut_speed_cpu(s, &ut_interrupted, &ns, &e))
      status = ut_print_error(&e);
    else
      ut_figure_set(c, UT_CPU_NS, ns);
  } else if (measure_instructions(b, k, s, c, &e)) {
    status = e.code == UT_INTERRUPTED ? UT_INTERRUPTED : ut_print_error(&e);
  } else if (o->all || (k->group == UT_BENCH_RATES && !o->quick && !o->booksim)) {
    measure_rates(s, c, &status);
  }
  if (status == UT_OK && !ut_interrupted) {
    json_t *added =
        ut_results_add(b->results, o->booksim ? ut_bench_view_name[UT_VIEW_BOOKSIM] : ut_bench_group_name[k->group],
                       k->name, s->traffic.load_flits_per_cycle);
    json_object_update(added, c);
    if (!o->json && json_array_size(json_object_get(b->results, "cases")) == 1)
      ut_bench_print_head(b->views);
    if (!o->json)
      ut_bench_print_case(added, b->views);
  }
  json_decref(c);
  ut_scenario_free(s);
  return status;
}

/* Fills *results with what is known so far, whatever the exit status. */
static int measure_all(struct bench_options *o, json_t **results) {
  struct bench b = {.o = o, .results = *results = ut_results_new(ut_root_dir(), UTURN_VERSION)};
  struct ut_error e;
  const bool instructions_only = o->quick || o->booksim, own = o->cases.n > 0;
  const unsigned groups = 1 << UT_BENCH_RATES | 1 << UT_BENCH_SHAPES | !instructions_only << UT_BENCH_MEMORY;
  int status = UT_OK;
  ssize_t length = readlink("/proc/self/exe", b.program, sizeof b.program - 1);
  b.program[length > 0 ? length : 0] = '\0';
  if (ut_callgrind_find(&b.callgrind, &ut_interrupted, &e) ||
      (o->booksim && ut_booksim_open(&b.booksim, o->booksim, &e)) ||
      (!own && ut_bench_cases_find(&o->cases, ut_root_dir(), groups, o->only, &e)))
    status = ut_print_error(&e);
  for (size_t i = 0; i < o->cases.n; i++) { /* columns that will have figures */
    const enum ut_bench_group group = o->cases.v[i].group;
    b.views |=
        o->booksim ? 1u << UT_VIEW_BOOKSIM : 1u << (group == UT_BENCH_RATES && o->quick ? UT_VIEW_SHAPES : group);
  }
  b.views |= (unsigned)o->all << UT_VIEW_RATES;
  for (size_t i = 0; i < o->cases.n && status == UT_OK && !ut_interrupted; i++)
    status = measure(&b, &o->cases.v[i]);
  if (status == UT_OK && !ut_interrupted && o->booksim && !json_array_size(json_object_get(*results, "cases"))) {
    ut_fail(&e, UT_BAD_INPUT, "BookSim 2 can do none of these cases: it has no faults, planned routes, wider flits");
    status = ut_print_error(&e);
  }
  ut_booksim_close(&b.booksim);
  return ut_interrupted ? UT_INTERRUPTED : status;
}

/* Prints what measuring has not printed yet. */
static void print(const struct bench_options *o, json_t *results, const json_t *old) {
  json_t *comparison = old ? ut_results_compare(old, results, o->slower) : NULL;
  if (o->json) {
    if (comparison)
      json_object_set(results, "against", comparison);
    json_dumpf(results, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
  } else {
    if (o->from)
      ut_bench_print_results(results, (1u << UT_VIEWS) - 1);
    if (comparison)
      ut_bench_print_comparison(old, results, comparison, o->slower);
  }
  json_decref(comparison);
}

int ut_cmd_bench(int argc, char **argv) {
  struct bench_options o = {.slower = 5};
  struct ut_error e;
  json_t *results = NULL, *old = NULL;
  int status;
  if (ut_parse(&argp, argc, argv, &o, &status))
    return status;
  ut_catch_interrupt();
  bool good = !o.against || (old = ut_results_load(o.against, &e));
  good = good && (!o.from || (results = ut_results_load(o.from, &e)));
  for (unsigned i = 0; i < o.pages && good; i++)
    good = !ut_bench_page_check(o.page[i], &e);
  if (!good)
    status = ut_print_error(&e);
  else if (!o.from)
    status = measure_all(&o, &results);
  if (status == UT_OK || (status == UT_INTERRUPTED && results))
    print(&o, results, old);
  for (unsigned i = 0; i < o.pages && status == UT_OK; i++)
    if (ut_bench_page_write(o.page[i], results, &e))
      status = ut_print_error(&e);
  json_decref(results);
  json_decref(old);
  ut_bench_cases_free(&o.cases);
  return status;
}
