/* SPDX-License-Identifier: Apache-2.0 */
/* bench.c - `uturn bench`: how fast golden model, RTL and lockstep are, and how many instructions a flit-hop costs in
 * every shape.  Measuring: bench_measure.c and bench/; tables: bench_output.c; tables in pages: page.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_measure.h"
#include "bench_output.h"
#include "cli.h"
#include "number.h"
#include "page.h"

enum {
  KEY_JSON = 0x900,
  KEY_QUICK,
  KEY_ALL,
  KEY_ONLY,
  KEY_FROM,
  KEY_AGAINST,
  KEY_SLOWER,
  KEY_WRITE,
  KEY_BOOKSIM,
  KEY_LANES
};
enum { MAX_PAGES = 8 };

struct bench_options {
  struct ut_bench_request measure;
  const char *from, *against, *page[MAX_PAGES];
  unsigned pages;
  double slower; /* per cent */
};

static const struct argp_option options[] = {
    {"json", KEY_JSON, 0, 0, "one JSON object on standard output, nothing else", 0},
    {"only", KEY_ONLY, "PATTERN", 0, "cases with that in their names, as in vcs8 or 'tree*vcs'", 0},
    {"quick", KEY_QUICK, 0, 0, "instructions only: no clock, no RTL", 0},
    {"all", KEY_ALL, 0, 0,
     "rates of all shapes, not only of those in rates/: a model of the RTL is built for each; with --booksim, "
     "all shapes that it can do",
     0},
    {"booksim", KEY_BOOKSIM, "DIR", 0,
     "instructions for the same work on the BookSim 2 that was built in DIR, side by side: those in rates/, all with "
     "--only or --all",
     0},
    {"lanes", KEY_LANES, "rtl|all", 0,
     "lockstep in lanes beside Verilator: of the RTL, or also of the gates, whose synthesis takes long; those in "
     "rates/, "
     "all with --only or --all",
     0},
    {"from", KEY_FROM, "FILE", 0, "figures that --json has printed, instead of measuring", 0},
    {"against", KEY_AGAINST, "FILE", 0, "compares with figures that --json has printed: of another version", 0},
    {"slower", KEY_SLOWER, "PERCENT", 0, "what --against marks as slower; default 5", 0},
    {"write", KEY_WRITE, "FILE", 0,
     "writes the tables into a page, between its lines <!-- bench: NAME --> and <!-- bench: end -->; up to eight times",
     0},
    {0},
};

static void check(const struct bench_options *o, struct argp_state *state) {
  const struct ut_bench_request *m = &o->measure;
  const bool chosen = m->only || m->cases.n || m->quick || m->all;
  if (m->only && m->cases.n)
    argp_error(state, "--only chooses among our cases; give it or scenarios");
  if (m->quick && m->all)
    argp_error(state, "--quick measures no rates, --all those of all cases: give one of them");
  if (o->from && (chosen || m->booksim || m->lanes))
    argp_error(state, "--from measures nothing: not with scenarios, --only, --quick, --all, --booksim, --lanes");
  if (o->pages && (m->only || m->cases.n || m->quick))
    argp_error(state, "--write wants whole tables: not with scenarios, --only, --quick");
  if (m->booksim && m->quick)
    argp_error(state, "--booksim counts instructions only: leave out --quick");
  if (m->lanes && (m->quick || m->booksim))
    argp_error(state, "--lanes measures rates only: not with --quick, --booksim");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct bench_options *o = state->input;
  struct ut_error e;
  switch (key) {
  case KEY_JSON: o->measure.json = true; break;
  case KEY_QUICK: o->measure.quick = true; break;
  case KEY_ALL: o->measure.all = true; break;
  case KEY_ONLY: o->measure.only = arg; break;
  case KEY_FROM: o->from = arg; break;
  case KEY_AGAINST: o->against = arg; break;
  case KEY_BOOKSIM: o->measure.booksim = arg; break;
  case KEY_LANES:
    o->measure.lanes = true;
    o->measure.gates = !strcmp(arg, "all");
    if (!o->measure.gates && strcmp(arg, "rtl"))
      argp_error(state, "--lanes knows 'rtl' and 'all', not '%s'", arg);
    break;
  case KEY_SLOWER:
    if (!ut_real_is(arg, &o->slower))
      argp_error(state, "--slower wants per cent, as in 5, not '%s'", arg);
    break;
  case KEY_WRITE:
    if (o->pages == MAX_PAGES)
      argp_error(state, "--write: at most %d pages", MAX_PAGES);
    o->page[o->pages++] = arg;
    break;
  case ARGP_KEY_ARG:
    if (ut_bench_cases_add(&o->measure.cases, arg, &e))
      argp_failure(state, (int)e.code, 0, "%s", e.text);
    break;
  case ARGP_KEY_END: check(o, state); break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}
const struct argp ut_argp_bench = {
    options,
    parse,
    "[SCENARIO...]",
    "Measures how fast golden model, RTL alone and lockstep are (scenarios/bench/rates); instructions of the golden "
    "model for a flit-hop in all shapes (scenarios/bench/shapes); its processor time in networks of 64 to 65,536 "
    "terminals (scenarios/bench/memory).  Or instructions for scenarios of yours.",
    0,
    0,
    0};

/* Prints what measuring has not printed yet. */
static void print(const struct bench_options *o, json_t *results, const json_t *old) {
  json_t *comparison = old ? ut_results_compare(old, results, o->slower) : NULL;
  if (o->measure.json) {
    if (comparison)
      json_object_set(results, "against", comparison);
    json_dumpf(results, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
  } else {
    if (o->from)
      ut_bench_print_results(results);
    if (comparison)
      ut_bench_print_comparison(old, results, comparison, o->slower);
  }
  json_decref(comparison);
}

static bool put_table(void *results, FILE *out, unsigned view) {
  return ut_bench_put_table(out, results, (enum ut_bench_view)view);
}

int ut_cmd_bench(int argc, char **argv) {
  struct bench_options o = {.slower = 5};
  struct ut_error e;
  json_t *results = NULL, *old = NULL;
  struct ut_page_tables tables = {.command = "bench", .name = ut_bench_view_name, .put = put_table};
  int status;
  if (ut_parse(&ut_argp_bench, argc, argv, &o, &status))
    return status;
  ut_catch_interrupt();
  bool good = !o.against || (old = ut_results_load(o.against, &e));
  good = good && (!o.from || (results = ut_results_load(o.from, &e)));
  for (unsigned i = 0; i < o.pages && good; i++)
    good = !ut_page_check(o.page[i], &tables, &e);
  if (!good)
    status = ut_print_error(&e);
  else if (!o.from)
    status = ut_bench_measure(&o.measure, results = ut_results_new(ut_root_dir(), UTURN_VERSION));
  if (status == UT_OK || status == UT_INTERRUPTED)
    print(&o, results, old);
  tables.ctx = results;
  for (unsigned i = 0; i < o.pages && status == UT_OK; i++)
    if (ut_page_write(o.page[i], &tables, &e))
      status = ut_print_error(&e);
  json_decref(results);
  json_decref(old);
  ut_bench_cases_free(&o.measure.cases);
  return status;
}
