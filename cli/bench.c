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

enum { MAX_PAGES = 8 };

struct bench_options {
  struct ut_bench_request measure;
  const char *from, *against;
  struct ut_names scenarios;
  struct ut_texts pages;
  double slower; /* per cent */
};

#define UT_INPUT struct bench_options
static const struct ut_option options[] = {
    {.argument = "SCENARIO", .wants = "scenario", UT_NAMES(scenarios)},
    UT_JSON(measure.json),
    {"only", 0, "PATTERN", "cases with that in their names, as in vcs8 or 'tree*vcs'", UT_TEXT(measure.only)},
    {"quick", 0, NULL, "instructions only: no clock, no RTL", UT_FLAG(measure.quick)},
    {"all", 0, NULL,
     "rates of all shapes, not only of those in rates/: a model of the RTL is built for each; with --booksim, "
     "all shapes that it can do",
     UT_FLAG(measure.all)},
    {"booksim", 0, "DIR",
     "instructions for the same work on the BookSim 2 that was built in DIR, side by side: those in rates/, all with "
     "--only or --all",
     UT_TEXT(measure.booksim)},
    {"lanes", 0, "rtl|all",
     "lockstep in lanes beside Verilator: of the RTL, or also of the gates, whose synthesis takes long; those in "
     "rates/, all with --only or --all",
     UT_CHOICE(measure.gates), UT_GIVEN(measure.lanes)},
    {"from", 0, "FILE", "figures that --json has printed, instead of measuring", UT_TEXT(from)},
    {"against", 0, "FILE", "compares with figures that --json has printed: of another version", UT_TEXT(against)},
    {"slower", 0, "PERCENT", "what --against marks as slower; default 5", UT_REAL(slower),
     .wants = "per cent, as in 5"},
    {"write", 0, "FILE",
     "writes the tables into a page, between its lines <!-- bench: NAME --> and <!-- bench: end -->; up to eight times",
     UT_TEXTS(pages), .most = MAX_PAGES},
    {0},
};

static int check(void *input, struct ut_error *e) {
  const struct bench_options *options = input;
  const struct ut_bench_request *request = &options->measure;
  const bool scenarios = options->scenarios.count,
             chosen = request->only || scenarios || request->quick || request->all;
  if (request->only && scenarios)
    return ut_fail(e, UT_BAD_INPUT, "--only chooses among our cases; give it or scenarios");
  if (request->quick && request->all)
    return ut_fail(e, UT_BAD_INPUT, "--quick measures no rates, --all those of all cases: give one of them");
  if (options->from && (chosen || request->booksim || request->lanes))
    return ut_fail(e, UT_BAD_INPUT,
                   "--from measures nothing: not with scenarios, --only, --quick, --all, --booksim, --lanes");
  if (options->pages.count && (request->only || scenarios || request->quick))
    return ut_fail(e, UT_BAD_INPUT, "--write wants whole tables: not with scenarios, --only, --quick");
  if (request->booksim && request->quick)
    return ut_fail(e, UT_BAD_INPUT, "--booksim counts instructions only: leave out --quick");
  if (request->lanes && (request->quick || request->booksim))
    return ut_fail(e, UT_BAD_INPUT, "--lanes measures rates only: not with --quick, --booksim");
  return 0;
}

const struct ut_syntax ut_syntax_bench = {
    "[SCENARIO...]",
    "Measures how fast golden model, RTL alone and lockstep are (scenarios/bench/rates); instructions of the golden "
    "model for a flit-hop in all shapes (scenarios/bench/shapes); its processor time in networks of 64 to 65,536 "
    "terminals (scenarios/bench/memory).  Or instructions for scenarios of yours.",
    options, check};

/* Prints what measuring has not printed yet. */
static void print(const struct bench_options *options, json_t *results, const json_t *old) {
  json_t *comparison = old ? ut_results_compare(old, results, options->slower) : NULL;
  if (options->measure.json) {
    if (comparison)
      json_object_set(results, "against", comparison);
    json_dumpf(results, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
  } else {
    if (options->from)
      ut_bench_print_results(results);
    if (comparison)
      ut_bench_print_comparison(old, results, comparison, options->slower);
  }
  json_decref(comparison);
}

static bool put_table(void *results, FILE *out, unsigned view) {
  return ut_bench_put_table(out, results, (enum ut_bench_view)view);
}

int ut_cmd_bench(int argc, char **argv) {
  struct bench_options options = {.slower = 5};
  struct ut_error e;
  json_t *results = NULL, *old = NULL;
  struct ut_page_tables tables = {.command = "bench", .name = ut_bench_view_name, .put = put_table};
  int status;
  if (ut_parse(&ut_syntax_bench, argc, argv, &options, &status))
    return status;
  ut_catch_interrupt();
  bool good = true;
  for (size_t i = 0; i < options.scenarios.count && good; i++)
    good = !ut_bench_cases_add(&options.measure.cases, options.scenarios.name[i], &e);
  good = good && (!options.against || (old = ut_results_load(options.against, &e)));
  good = good && (!options.from || (results = ut_results_load(options.from, &e)));
  for (unsigned i = 0; i < options.pages.count && good; i++)
    good = !ut_page_check(options.pages.text[i], &tables, &e);
  if (!good)
    status = ut_print_error(&e);
  else if (!options.from)
    status = ut_bench_measure(&options.measure, results = ut_results_new(ut_root_dir(), UTURN_VERSION));
  if (status == UT_OK || status == UT_INTERRUPTED)
    print(&options, results, old);
  tables.ctx = results;
  for (unsigned i = 0; i < options.pages.count && status == UT_OK; i++)
    if (ut_page_write(options.pages.text[i], &tables, &e))
      status = ut_print_error(&e);
  json_decref(results);
  json_decref(old);
  ut_bench_cases_free(&options.measure.cases);
  return status;
}
