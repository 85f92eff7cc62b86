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
#include "scenario_read.h"
#include "steady.h"
#include "threads.h"

enum {
  KEY_RTL = 0x200,
  KEY_MINUTES,
  KEY_SCENARIOS,
  KEY_SWITCH_CYCLES,
  KEY_SHAPES,
  KEY_EACH,
  KEY_GOLDEN,
  KEY_WRITE,
  KEY_NO_SHRINK,
  KEY_SEED,
  KEY_JSON
};
enum { DEFAULT_MINUTES = 10, ALL_FAMILIES = (1 << UT_HUNT_FAMILIES) - 1 };

struct hunt_options {
  struct ut_hunt_request request;
  const char *keep, *write;
  double minutes; /* negative: not given */
  bool json, no_shrink;
  struct ut_progress progress;
};

static const struct argp_option options[] = {
    {"rtl", KEY_RTL, "DIR", 0, "folder of ut_switch.v, instead of rtl/: your own changed RTL", 0},
    {"minutes", KEY_MINUTES, "N", 0,
     "the budget; default 10, or none if --each, --scenarios or --switch-cycles says when it ends", 0},
    {"scenarios", KEY_SCENARIOS, "N", 0, "ends after so many scenarios", 0},
    {"switch-cycles", KEY_SWITCH_CYCLES, "N", 0, "ends when so many cycles of single switches have been compared: 1e9",
     0},
    {"families", 'f', "LIST", 0, "only these kinds of networks, as a list with commas; default: all", 0},
    {"shapes", KEY_SHAPES, "N", 0, "only so many switches: each costs a model of the RTL", 0},
    {"each", KEY_EACH, "N", 0, "N scenarios of each switch, and no more", 0},
    {"golden", KEY_GOLDEN, "spec|model", 0, "what the RTL is compared with; default: spec", 0},
    {"seed", KEY_SEED, "N", 0, "the first seed, default 1; others draw other scenarios", 0},
    {"jobs", 'j', "N", 0, "scenarios at the same time; default: one for each core", 0},
    {"output", 'o', "FILE.yaml", 0, "the scenario that fails; default: hunt.yaml", 0},
    {"no-shrink", KEY_NO_SHRINK, NULL, 0, "does not look for a smaller scenario (cosim --shrink)", 0},
    {"write", KEY_WRITE, "DIR", 0, "writes the scenarios into files there, one or --each of each switch; runs none", 0},
    {"json", KEY_JSON, NULL, 0, "the result as one JSON object", 0},
    {0},
};

/* The family of that name; UT_HUNT_FAMILIES: there is none. */
static unsigned family_of(const char *name, size_t length) {
  unsigned f = 0;
  while (f < UT_HUNT_FAMILIES &&
         (strlen(ut_hunt_families[f].name) != length || strncmp(name, ut_hunt_families[f].name, length)))
    f++;
  return f;
}

static void refuse_family(const char *name, size_t length, struct argp_state *state) {
  char known[128] = "";
  for (unsigned f = 0; f < UT_HUNT_FAMILIES; f++) {
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s'%s'", f ? ", " : "", ut_hunt_families[f].name);
  }
  argp_error(state, "--families knows %s, not '%.*s'", known, (int)length, name);
}

static unsigned parse_families(const char *text, struct argp_state *state) {
  unsigned set = 0;
  do {
    const size_t length = strcspn(text, ",");
    const unsigned f = family_of(text, length);
    if (f == UT_HUNT_FAMILIES)
      refuse_family(text, length, state);
    set |= 1u << f;
    text += length;
  } while (*text++);
  return set;
}

/* A number that may be written as 1e9. */
static double parse_amount(const char *text, const char *option, struct argp_state *state) {
  double value;
  if (!ut_real_is(text, &value) || value <= 0 || value > 1e18)
    argp_error(state, "%s is '%s'; expected: a number above 0, as in 10 or 1e9", option, text);
  return value;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct hunt_options *o = state->input;
  struct ut_hunt_request *q = &o->request;
  switch (key) {
  case KEY_RTL: q->rtl_dir = arg; break;
  case KEY_MINUTES: o->minutes = parse_amount(arg, "--minutes", state); break;
  case KEY_SCENARIOS: q->scenarios = ut_parse_count(arg, "--scenarios", state); break;
  case KEY_SWITCH_CYCLES: q->switch_cycles = parse_amount(arg, "--switch-cycles", state); break;
  case KEY_SHAPES: q->shapes = ut_parse_small_count(arg, "--shapes", state); break;
  case KEY_EACH: q->each = ut_parse_small_count(arg, "--each", state); break;
  case 'f': q->families = parse_families(arg, state); break;
  case KEY_GOLDEN:
    q->spec = !strcmp(arg, "spec");
    if (!q->spec && strcmp(arg, "model"))
      argp_error(state, "--golden knows 'spec' and 'model', not '%s'", arg);
    break;
  case KEY_SEED: q->seed = ut_parse_number(arg, "--seed", state); break;
  case 'j': q->jobs = ut_parse_small_count(arg, "--jobs", state); break;
  case 'o': o->keep = ut_parse_file(arg, "--output", ".yaml", state); break;
  case KEY_NO_SHRINK: o->no_shrink = true; break;
  case KEY_WRITE: o->write = arg; break;
  case KEY_JSON: o->json = true; break;
  case ARGP_KEY_END:
    if (o->minutes < 0)
      o->minutes = q->scenarios || q->switch_cycles || q->each ? 0 : DEFAULT_MINUTES;
    q->seconds = o->minutes * 60;
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

const struct argp ut_argp_hunt = {
    options,
    parse,
    "",
    "Simulates random scenarios of all families - networks, traffic, faults that come and go - with RTL and golden "
    "switches side by side, on all cores, until they differ: that ends with exit status 3, and the scenario is kept.",
    NULL,
    0,
    0};

/* ---- while it runs */

static void show(void *ctx, const struct ut_hunt_tally *t, double seconds) {
  struct hunt_options *o = ctx;
  ut_progress_line(&o->progress, "%" PRIu64 " scenarios of %u switches, %.0f of %.0f s", t->scenarios, t->shapes,
                   seconds, o->request.seconds);
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

static void name_smaller(struct smaller *m, const struct hunt_options *o) {
  const int stem = (int)(strlen(o->keep) - strlen(".yaml"));
  const char *rtl = o->request.rtl_dir;
  if (asprintf(&m->prefix, "%.*s_small", stem, o->keep) < 0)
    m->prefix = NULL;
  if (!m->prefix || asprintf(&m->command, "uturn cosim %s.yaml%s%s%s", m->prefix,
                             o->request.spec ? " --golden spec" : "", rtl ? " --rtl " : "", rtl ? rtl : "") < 0)
    m->command = NULL;
}

/* -1 and *e: there is none. */
static int shrink(struct smaller *m, const struct hunt_options *o, struct ut_error *e) {
  m->device.rtl_dir = o->request.rtl_dir;
  m->scenario = ut_scenario_open(&(struct ut_scenario_options){.path = o->keep}, e);
  m->search = (struct ut_shrink_search){.scenario = m->scenario,
                                        .device = &m->device,
                                        .spec = o->request.spec,
                                        .prefix = m->prefix,
                                        .command = m->command};
  return m->scenario ? ut_shrink_search(&m->search, &m->result, e) : -1;
}

static void free_smaller(struct smaller *m) {
  ut_shrink_free(&m->result);
  ut_scenario_free(m->scenario);
  free(m->prefix);
  free(m->command);
}

/* Keeps what was found, and looks for a smaller scenario; without one it says why, and the larger one stays. */
static int settle(const struct hunt_options *o, const struct ut_hunt_result *r, struct smaller *m, struct ut_error *e) {
  if (!r->find.status)
    return 0;
  if (keep(&r->find, o->keep, e))
    return -1;
  if (r->find.status == UT_MISMATCH && !o->no_shrink && shrink(m, o, e))
    ut_print_error(e);
  return 0;
}

/* Whether there is RTL in the folder, before each switch is tried with it. */
static int check_rtl(const struct ut_hunt_request *q, struct ut_error *e) {
  struct ut_sources rtl = {0};
  char folder[PATH_MAX];
  const int status =
      ut_sources_rtl_folder(q->root_dir, q->rtl_dir, folder, e) || ut_sources_add_rtl(&rtl, folder, e) ? -1 : 0;
  ut_sources_free(&rtl);
  return status;
}

/* Whether all files can be read and written, before anything is run for them. */
static int check_files(const struct hunt_options *o, const struct smaller *m, struct ut_error *e) {
  if (!m->command)
    return ut_fail_memory(e);
  if (check_rtl(&o->request, e))
    return -1;
  return ut_output_check(o->keep, UT_OUTPUT_ANY, e) || (!o->no_shrink && ut_shrink_check_files(m->prefix, e)) ? -1 : 0;
}

static int hunt(struct hunt_options *o, struct smaller *m) {
  struct ut_hunt_result r;
  struct ut_error e;
  int status = ut_hunt(&o->request, &r, &e) ? ut_print_error(&e) : r.find.status;
  ut_progress_end(&o->progress);
  if (settle(o, &r, m, &e))
    status = ut_print_error(&e);
  const struct ut_hunt_view view = {.result = &r,
                                    .keep = o->keep,
                                    .rtl_dir = o->request.rtl_dir,
                                    .spec = o->request.spec,
                                    .smaller = &m->result,
                                    .search = &m->search};
  if (r.tally.scenarios || status == UT_OK)
    ut_hunt_print(&view, o->json);
  ut_hunt_free(&r);
  return status;
}

int ut_cmd_hunt(int argc, char **argv) {
  struct hunt_options o = {
      .request = {.families = ALL_FAMILIES, .seed = 1, .spec = true}, .keep = "hunt.yaml", .minutes = -1};
  struct smaller m = {0};
  struct ut_error e;
  int status;
  if (ut_parse(&ut_argp_hunt, argc, argv, &o, &status))
    return status;
  if (o.write)
    return ut_hunt_write(&o.request, o.write, &e) ? ut_print_error(&e) : UT_OK;
  ut_catch_interrupt();
  o.request.jobs = o.request.jobs ? o.request.jobs : ut_threads_cores();
  o.request.root_dir = ut_root_dir();
  o.request.interrupted = &ut_interrupted;
  o.request.progress = show;
  o.request.ctx = &o;
  name_smaller(&m, &o);
  status = check_files(&o, &m, &e) ? ut_print_error(&e) : hunt(&o, &m);
  free_smaller(&m);
  return status;
}
