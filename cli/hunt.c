/* SPDX-License-Identifier: Apache-2.0 */
/* hunt.c - `uturn hunt`: random lockstep until RTL and golden switches differ. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_sources.h"
#include "cli.h"
#include "hunt_output.h"
#include "number.h"
#include "output.h"
#include "program_name.h"
#include "scenario_read.h"
#include "steady.h"
#include "threads.h"

enum { DEFAULT_MINUTES = 10, ALL_FAMILIES = (1 << UT_HUNT_FAMILIES) - 1 };

struct hunt_options {
  struct ut_hunt_request request;
  const char *keep, *write;
  double minutes; /* negative: not given */
  bool json, no_shrink;
  struct ut_progress progress;
};

/* The family of that name; UT_HUNT_FAMILIES: there is none. */
static unsigned family_of(const char *name, size_t length) {
  unsigned f = 0;
  while (f < UT_HUNT_FAMILIES &&
         (strlen(ut_hunt_families[f].name) != length || strncmp(name, ut_hunt_families[f].name, length)))
    f++;
  return f;
}

static int refuse_family(const char *name, size_t length, struct ut_error *e) {
  char known[128] = "";
  for (unsigned f = 0; f < UT_HUNT_FAMILIES; f++) {
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s'%s'", f ? ", " : "", ut_hunt_families[f].name);
  }
  return ut_fail(e, UT_BAD_INPUT, "--families knows %s, not '%.*s'", known, (int)length, name);
}

static int read_families(const struct ut_option *option, void *into, const char *text, struct ut_error *e) {
  unsigned *set = into;
  (void)option;
  *set = 0;
  do {
    const size_t length = strcspn(text, ",");
    const unsigned f = family_of(text, length);
    if (f == UT_HUNT_FAMILIES)
      return refuse_family(text, length, e);
    *set |= 1u << f;
    text += length;
  } while (*text++);
  return 0;
}

#define UT_INPUT struct hunt_options
static const struct ut_option options[] = {
    UT_RTL(request.rtl_dir),
    {"minutes", 0, "N", "the budget; default 10, or none if --each, --scenarios or --switch-cycles says when it ends",
     UT_AMOUNT(minutes)},
    {"scenarios", 0, "N", "ends after so many scenarios", UT_COUNT(request.scenarios)},
    {"switch-cycles", 0, "N", "ends when so many cycles of single switches have been compared: 1e9",
     UT_AMOUNT(request.switch_cycles)},
    {"families", 'f', "LIST", "only these kinds of networks, as a list with commas; default: all",
     UT_OWN(read_families, request.families)},
    {"shapes", 0, "N", "only so many switches: each costs a model of the RTL", UT_COUNT(request.shapes)},
    {"each", 0, "N", "N scenarios of each switch, and no more", UT_COUNT(request.each)},
    {"golden", 0, "model|spec", "what the RTL is compared with; default: spec", UT_CHOICE(request.spec)},
    {"seed", 0, "N", "the first seed, default 1; others draw other scenarios", UT_NUMBER(request.seed)},
    {"jobs", 'j', "N", "scenarios at the same time; default: one for each core", UT_COUNT(request.jobs)},
    {"output", 'o', "FILE.yaml", "the scenario that fails; default: hunt.yaml", UT_FILE(keep)},
    {"no-shrink", 0, NULL, "does not look for a smaller scenario (cosim --shrink)", UT_FLAG(no_shrink)},
    {"write", 0, "DIR", "writes the scenarios into files there, one or --each of each switch; runs none",
     UT_TEXT(write)},
    {"json", 0, NULL, "the result as one JSON object", UT_FLAG(json)},
    {0},
};

static int check_budget(void *input, struct ut_error *e) {
  struct hunt_options *options = input;
  const struct ut_hunt_request *request = &options->request;
  (void)e;
  if (options->minutes < 0)
    options->minutes = request->scenarios || request->switch_cycles > 0 || request->each ? 0 : DEFAULT_MINUTES;
  options->request.seconds = options->minutes * 60;
  return 0;
}

const struct ut_syntax ut_syntax_hunt = {
    NULL,
    "Simulates random scenarios of all families - networks, traffic, faults that come and go - with RTL and golden "
    "switches side by side, on all cores, until they differ: that ends with exit status 3, and the scenario is kept.",
    options, check_budget};

/* ---- while it runs */

static void show(void *ctx, const struct ut_hunt_tally *tally, double seconds) {
  struct hunt_options *options = ctx;
  ut_progress_line(&options->progress, "%" PRIu64 " scenarios of %u switches, %.0f of %.0f s", tally->scenarios,
                   tally->shapes, seconds, options->request.seconds);
}

/* ---- what it has found */

static int keep(const struct ut_hunt_find *find, const char *path, struct ut_error *e) {
  struct ut_output file;
  if (ut_output_open(&file, path, UT_OUTPUT_ANY, e))
    return -1;
  fprintf(file.file, "# found by uturn hunt among %s\n", ut_hunt_families[ut_hunt_shapes[find->shape].family].name);
  fputs(find->scenario, file.file);
  return ut_output_close(&file, e);
}

/* ---- the smaller scenario: beside the one that was found, NAME_small.yaml and NAME_small.trace */

struct smaller {
  struct ut_device device;
  struct ut_scenario *scenario;
  struct ut_shrink_search search;
  struct ut_shrink_result result; /* fails: there is one */
  char *prefix, *command;
};

static void name_smaller(struct smaller *smaller, const struct hunt_options *options) {
  const int stem = (int)(strlen(options->keep) - strlen(".yaml"));
  const char *rtl = options->request.rtl_dir;
  if (asprintf(&smaller->prefix, "%.*s_small", stem, options->keep) < 0)
    smaller->prefix = NULL;
  if (!smaller->prefix ||
      asprintf(&smaller->command, "%s cosim %s.yaml%s%s%s", ut_program_name(), smaller->prefix,
               options->request.spec ? " --golden spec" : "", rtl ? " --rtl " : "", rtl ? rtl : "") < 0)
    smaller->command = NULL;
}

/* -1 and *e: there is none. */
static int shrink(struct smaller *smaller, const struct hunt_options *options, struct ut_error *e) {
  smaller->device.rtl_dir = options->request.rtl_dir;
  smaller->scenario = ut_scenario_open(&(struct ut_scenario_options){.path = options->keep}, e);
  smaller->search = (struct ut_shrink_search){.scenario = smaller->scenario,
                                              .device = &smaller->device,
                                              .spec = options->request.spec,
                                              .prefix = smaller->prefix,
                                              .command = smaller->command};
  return smaller->scenario ? ut_shrink_search(&smaller->search, &smaller->result, e) : -1;
}

static void free_smaller(struct smaller *smaller) {
  ut_shrink_free(&smaller->result);
  ut_scenario_free(smaller->scenario);
  free(smaller->prefix);
  free(smaller->command);
}

/* Keeps what was found, and looks for a smaller scenario; without one it says why, and the larger one stays. */
static int settle(const struct hunt_options *options, const struct ut_hunt_result *result, struct smaller *smaller,
                  struct ut_error *e) {
  if (!result->find.status)
    return 0;
  if (keep(&result->find, options->keep, e))
    return -1;
  if (result->find.status == UT_MISMATCH && !options->no_shrink && shrink(smaller, options, e))
    ut_print_error(e);
  return 0;
}

/* Whether there is RTL in the folder, before each switch is tried with it. */
static int check_rtl(const struct ut_hunt_request *request, struct ut_error *e) {
  struct ut_sources rtl = {0};
  char folder[PATH_MAX];
  const int status =
      ut_sources_rtl_folder(request->root_dir, request->rtl_dir, folder, e) || ut_sources_add_rtl(&rtl, folder, e) ? -1
                                                                                                                   : 0;
  ut_sources_free(&rtl);
  return status;
}

/* Whether all files can be read and written, before anything is run for them. */
static int check_files(const struct hunt_options *options, const struct smaller *smaller, struct ut_error *e) {
  if (!smaller->command)
    return ut_fail_memory(e);
  if (check_rtl(&options->request, e))
    return -1;
  return ut_output_check(options->keep, UT_OUTPUT_ANY, e) ||
                 (!options->no_shrink && ut_shrink_check_files(smaller->prefix, e))
             ? -1
             : 0;
}

static int hunt(struct hunt_options *options, struct smaller *smaller) {
  struct ut_hunt_result result;
  struct ut_error e;
  int status = ut_hunt(&options->request, &result, &e) ? ut_print_error(&e) : result.find.status;
  ut_progress_end(&options->progress);
  if (settle(options, &result, smaller, &e))
    status = ut_print_error(&e);
  const struct ut_hunt_view view = {.result = &result,
                                    .keep = options->keep,
                                    .rtl_dir = options->request.rtl_dir,
                                    .spec = options->request.spec,
                                    .smaller = &smaller->result,
                                    .search = &smaller->search};
  if (result.tally.scenarios || status == UT_OK)
    ut_hunt_print(&view, options->json);
  ut_hunt_free(&result);
  return status;
}

int ut_cmd_hunt(int argc, char **argv) {
  struct hunt_options options = {
      .request = {.families = ALL_FAMILIES, .seed = 1, .spec = true}, .keep = "hunt.yaml", .minutes = -1};
  struct smaller smaller = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_syntax_hunt, argc, argv, &options, &status))
    return status;
  if (options.write)
    return ut_hunt_write(&options.request, options.write, &e) ? ut_print_error(&e) : UT_OK;
  ut_catch_interrupt();
  options.request.jobs = options.request.jobs ? options.request.jobs : ut_threads_cores();
  options.request.root_dir = ut_root_dir();
  options.request.interrupted = &ut_interrupted;
  options.request.progress = show;
  options.request.ctx = &options;
  name_smaller(&smaller, &options);
  status = check_files(&options, &smaller, &e) ? ut_print_error(&e) : hunt(&options, &smaller);
  free_smaller(&smaller);
  return status;
}
