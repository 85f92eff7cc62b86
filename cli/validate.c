/* SPDX-License-Identifier: Apache-2.0 */
/* validate.c - `uturn validate`: the same network on uturn and on BookSim 2.  Running: bench/validate.c; tables and
 * pictures: validate_output.c. */
#include "validate.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "cache_gnuplot.h"
#include "cli.h"
#include "json_text.h"
#include "page.h"
#include "scenario_read.h"
#include "validate_output.h"

enum { MAX_THEIRS = 16, NAME_SIZE = 64 };

struct validate_options {
  const char *booksim, *only, *page, *pictures;
  struct ut_texts theirs;
  struct ut_names files;
  struct ut_load_range loads;
  bool json;
};

#define UT_INPUT struct validate_options
static const struct ut_option options[] = {
    {.argument = "SCENARIO", .wants = "scenario", UT_NAMES(files)},
    {"booksim", 0, "DIR", "the BookSim 2 that was built in DIR; must be given", UT_TEXT(booksim)},
    {"only", 0, "pairs|loads", "only latencies of pairs without load, or only what comes of loads", UT_WORD(only)},
    {"loads", 0, "FROM:TO:STEP", "flits per cycle and terminal; default 0.05:0.7:0.05", UT_LOADS(loads)},
    {"theirs", 0, "KEY=VALUE", "a key of BookSim's configuration, in place of what we write; up to sixteen times",
     UT_TEXTS(theirs), .most = MAX_THEIRS},
    UT_JSON(json),
    {"write", 0, "FILE",
     "writes the tables into a page, between its lines <!-- validate: NAME --> and <!-- validate: end -->",
     UT_TEXT(page)},
    {"pictures", 0, "DIR", "draws a picture of each scenario, DIR/validation_NAME.svg", UT_TEXT(pictures)},
    {0},
};

static int check(void *input, struct ut_error *e) {
  const struct validate_options *options = input;
  for (unsigned i = 0; i < options->theirs.count; i++)
    if (!strchr(options->theirs.text[i], '=') || options->theirs.text[i][0] == '=')
      return ut_fail(e, UT_BAD_INPUT, "--theirs wants KEY=VALUE, not '%s'", options->theirs.text[i]);
  if (options->only && (options->page || options->pictures))
    return ut_fail(e, UT_BAD_INPUT, "--write and --pictures want whole results: leave out --only");
  if (!options->booksim)
    return ut_fail(e, UT_BAD_INPUT,
                   "the other simulator is not part of this repository: --booksim DIR says where BookSim 2 was built "
                   "(docs/reference/validate.md)");
  return 0;
}

const struct ut_syntax ut_syntax_validate = {
    "[SCENARIO...]",
    "Runs SCENARIO, or those of scenarios/validate, on uturn and on BookSim 2 with the same pipeline, buffers and "
    "traffic: the latency of each pair of terminals without load, latency and throughput over the load.",
    options, check};

/* A scenario that both can do.  NULL: *status is the exit status. */
static struct ut_scenario *scenario_of(const char *path, int *status) {
  struct ut_error e;
  struct ut_scenario *scenario = ut_open_scenario(&(struct ut_scenario_options){.path = path}, status);
  if (!scenario || !ut_booksim_check(scenario, &e))
    return scenario;
  *status = ut_print_error(&e);
  ut_scenario_free(scenario);
  return NULL;
}

/* Base name without .yaml. */
static void name_of(const char *path, char name[NAME_SIZE]) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  const int length = (int)strlen(base) - (ut_path_ends(base, ".yaml") ? 5 : 0);
  snprintf(name, NAME_SIZE, "%.*s", length, base);
}

static void show(void *ctx, uint64_t cycle, uint64_t of) {
  ut_progress_show(ctx, cycle, of);
}

/* Adds a scenario to the results.  The exit status. */
static int measure(const struct validate_options *options, const struct ut_booksim *booksim, const char *path,
                   json_t *cases) {
  struct ut_progress progress;
  const struct ut_validation validation = {.booksim = booksim,
                                           .theirs = options->theirs.text,
                                           .theirs_count = options->theirs.count,
                                           .pairs = !options->only || !strcmp(options->only, "pairs"),
                                           .over_loads = !options->only || !strcmp(options->only, "loads"),
                                           .from = options->loads.from,
                                           .to = options->loads.to,
                                           .step = options->loads.step,
                                           .interrupted = &ut_interrupted,
                                           .progress = show,
                                           .ctx = &progress,
                                           .says = ut_build_progress()};
  const struct ut_caller caller = {.interrupted = &ut_interrupted, .e = &(struct ut_error){0}, .what = "picture"};
  char name[NAME_SIZE];
  int status = UT_OK;
  struct ut_scenario *scenario = scenario_of(path, &status);
  if (!scenario)
    return status;
  ut_progress_start(&progress);
  json_t *c = ut_validate(&validation, scenario, caller.e);
  ut_progress_end(&progress);
  ut_scenario_free(scenario);
  if (!c)
    return ut_print_error(caller.e);
  name_of(path, name);
  json_object_set_new(c, "scenario", ut_json_text(name));
  json_array_append_new(cases, c);
  if (!options->json) {
    printf("## %s\n", name);
    ut_validate_put(stdout, c);
    fflush(stdout);
  }
  return options->pictures && ut_validate_draw(c, options->pictures, &caller) ? ut_print_error(caller.e) : UT_OK;
}

static bool put_table(void *cases, FILE *out, unsigned i) {
  const json_t *c = json_array_get(cases, i);
  if (c)
    ut_validate_put(out, c);
  return c;
}

/* Everything that can be wrong before the runs, which take a while.  0, or -1 and *e. */
static int prepare(const struct validate_options *options, struct ut_booksim *booksim,
                   const struct ut_page_tables *tables, struct ut_error *e) {
  char picture[PATH_MAX];
  return ut_booksim_open(booksim, options->booksim, e) || (options->page && ut_page_check(options->page, tables, e)) ||
                 (options->pictures && (ut_path_set(e, picture, "%s/validation.svg", options->pictures) ||
                                        ut_gnuplot_check(picture, "--pictures", e)))
             ? -1
             : 0;
}

static int validate(const struct validate_options *options, const char *const *files, size_t count) {
  char(*name)[NAME_SIZE] = calloc(count, sizeof *name);
  const char **names = calloc(count + 1, sizeof *names);
  json_t *cases = json_array();
  struct ut_booksim booksim = {0};
  struct ut_error e;
  const struct ut_page_tables tables = {.command = "validate", .name = names, .put = put_table, .ctx = cases};
  int status = UT_OK;
  if (!name || !names) {
    ut_fail_memory(&e);
    status = ut_print_error(&e);
  }
  for (size_t i = 0; i < count && status == UT_OK; i++)
    name_of(files[i], name[i]), names[i] = name[i];
  if (status == UT_OK && prepare(options, &booksim, &tables, &e))
    status = ut_print_error(&e);
  for (size_t i = 0; i < count && status == UT_OK; i++) {
    ut_progress_within("scenario", i, count);
    status = measure(options, &booksim, files[i], cases);
  }
  if (status == UT_OK && options->json) {
    json_dumpf(cases, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
  }
  if (status == UT_OK && options->page && ut_page_write(options->page, &tables, &e))
    status = ut_print_error(&e);
  ut_booksim_close(&booksim);
  json_decref(cases);
  free(names);
  free(name);
  return status;
}

int ut_cmd_validate(int argc, char **argv) {
  struct validate_options options = {.loads = {0.05, 0.7, 0.05}};
  char pattern[PATH_MAX];
  struct ut_error e;
  glob_t ours = {0};
  int status;
  if (ut_parse(&ut_syntax_validate, argc, argv, &options, &status))
    return status;
  ut_catch_interrupt();
  if (options.files.count)
    return validate(&options, options.files.name, options.files.count);
  if (ut_path_set(&e, pattern, "%s/scenarios/validate/*.yaml", ut_root_dir()))
    return ut_print_error(&e);
  if (glob(pattern, 0, NULL, &ours))
    ut_fail(&e, UT_BAD_INPUT, "%s: no scenarios there; is the repository complete?", pattern);
  status = ours.gl_pathc ? validate(&options, (const char *const *)ours.gl_pathv, ours.gl_pathc) : ut_print_error(&e);
  globfree(&ours);
  return status;
}
