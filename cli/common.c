/* SPDX-License-Identifier: Apache-2.0 */
/* common.c - what the subcommands share. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocks.h"
#include "commands.h"
#include "ending.h"
#include "model_cache.h"
#include "named_faults.h"
#include "nearest.h"
#include "number.h"
#include "plane_bypass.h"
#include "planned_routes.h"
#include "scenario.h"
#include "scenario_check.h"
#include "scenario_keys.h"
#include "scenario_read.h"
#include "slice.h"
#include "steady.h"
#include "synthesis.h"
#include "topology_build.h"

volatile sig_atomic_t ut_interrupted;

void ut_catch_interrupt(void) {
  ut_ending_catch(&ut_interrupted);
}

int ut_print_error(const struct ut_error *e) {
  char here[PATH_MAX];
  const bool gone = e->code == UT_BAD_INPUT && !getcwd(here, sizeof here) && errno == ENOENT;
  fprintf(stderr, "uturn: %s%s\n", e->text, gone ? "; the current folder has been removed: change to another one" : "");
  return e->code;
}

int ut_print_no_memory(void) {
  struct ut_error e;
  ut_fail_memory(&e);
  return ut_print_error(&e);
}

/* ---- options */

#define UT_INPUT struct ut_scenario_options
static const struct ut_option scenario_options[] = {
    UT_JSON(json),
    {"seed", 0, "N", "instead of run.seed of the scenario", UT_NUMBER(seed), UT_GIVEN(seed_set)},
    {"cycles", 0, "N", "simulate N cycles and do not drain, instead of warm-up, measurement and drain",
     UT_COUNT(cycles), .most = UT_MAX_CYCLES},
    UT_FAULT(fault),
    {"load", 0, "X", "instead of traffic.load_flits_per_cycle", UT_REAL(load), UT_GIVEN(load_set),
     .wants = "flits per cycle and terminal, as in 0.3"},
    {0},
};
const struct ut_syntax ut_scenario_syntax = {.option = scenario_options};

/* A group whose struct is the value itself. */
#define UT_VALUE(type) .at = 0, .size = sizeof(type)

static const struct ut_option elaborate_options[] = {
    {"elaborate", 0, "long|always|never", /* as enum ut_elaborate_when */
     "compile the golden switch for its parameters: 'long' runs, while they go on (default); 'always', before the run; "
     "or 'never'; the results are the same",
     .read = ut_read_choice, UT_VALUE(enum ut_elaborate_when)},
    {0},
};
const struct ut_syntax ut_elaborate_syntax = {.option = elaborate_options};

static const struct ut_option threads_options[] = {
    {"threads", 0, "N",
     "threads that share the work; default: as many as pay for this network, at most one for each core; the results "
     "are the same",
     .read = ut_read_count, UT_VALUE(unsigned), .most = UT_MAX_THREADS},
    {0},
};
const struct ut_syntax ut_threads_syntax = {.option = threads_options};

/* What the options change. */
static int apply(const struct ut_scenario_options *options, struct ut_scenario *scenario, struct ut_error *e) {
  if (options->seed_set)
    scenario->run.seed = options->seed;
  if (ut_scenario_add_faults(scenario, options->fault.text, options->fault.count, e) || ut_bypass_planes(scenario, e) ||
      ut_plan_scenario(scenario, e)) /* random faults follow the seed */
    return -1;
  if (options->load_set) {
    scenario->traffic.load_flits_per_cycle = options->load;
    if (ut_scenario_check_load(scenario, e))
      return -1;
  }
  if (options->cycles) {
    if (scenario->run.warmup_cycles >= options->cycles)
      scenario->run.warmup_cycles = 0;
    scenario->run.measure_cycles = options->cycles - scenario->run.warmup_cycles;
    scenario->run.max_cycles = options->cycles;
    scenario->run.drain = false;
  }
  return 0;
}

struct ut_scenario *ut_scenario_open(const struct ut_scenario_options *options, struct ut_error *e) {
  struct ut_scenario *scenario = ut_scenario_load(options->path, e);
  if (!scenario || apply(options, scenario, e) == 0)
    return scenario;
  ut_scenario_free(scenario);
  return NULL;
}

struct ut_scenario *ut_open_scenario(const struct ut_scenario_options *options, int *status) {
  struct ut_error e;
  struct ut_scenario *scenario = ut_scenario_open(options, &e);
  if (!scenario)
    *status = ut_print_error(&e);
  return scenario;
}

/* ---- models */

const char *ut_root_dir(void) {
  const char *root = getenv("UTURN_ROOT");
  return root ? root : UTURN_SOURCE_DIR;
}

void ut_elaborate_end(struct ut_elaborator *elaborator) {
  struct ut_error e;
  if (elaborator->unmodelled)
    fprintf(stderr, "uturn: the model does not know this '%s' yet: the spec ran in its place, which is slower\n",
            elaborator->unmodelled);
  if (ut_elaborator_end(elaborator, &e))
    fprintf(stderr, "uturn: the golden switch has not been compiled for its parameters, so it was slower: %s\n",
            e.text);
}

static char *build_model(const struct ut_shape *shape, const struct ut_device *device, unsigned lanes,
                         struct ut_error *e) {
  ut_cache_progress *progress = ut_build_progress();
  struct ut_synthesis_request synthesis = {.shape = shape,
                                           .root_dir = ut_root_dir(),
                                           .rtl_dir = device->rtl_dir,
                                           .liberty = device->liberty,
                                           .simple = !device->gate,
                                           .interrupted = &ut_interrupted};
  struct ut_model_request model = {.shape = shape,
                                   .root_dir = ut_root_dir(),
                                   .rtl_dir = device->rtl_dir,
                                   .traced = device->traced,
                                   .covered = device->covered,
                                   .lanes = lanes,
                                   .counted = device->counted,
                                   .interrupted = &ut_interrupted};
  const bool gates = device->gate || lanes;
  char *netlist =
      gates ? (device->blocks ? ut_block_netlist_get : ut_netlist_get)(&synthesis, progress, NULL, e) : NULL;
  model.netlist = netlist;
  char *path = gates && !netlist ? NULL : ut_model_cache_get(&model, progress, NULL, e);
  free(netlist);
  return path;
}

int ut_models_get(const struct ut_scenario *scenario, const struct ut_device *device, struct ut_models *models,
                  struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  *models = (struct ut_models){0};
  const int count = ut_scenario_elaborations(scenario, elaboration, shape, e);
  bool ok = count > 0;
  uint32_t most = device->copies; /* lanes of an elaboration */
  for (int i = 0; i < count; i++)
    most = elaboration[i].count > most && !device->copies ? elaboration[i].count : most;
  for (int i = 0; i < count && ok; i++) {
    models->path[i] = build_model(&shape[i], device, device->lanes ? ut_slice_words(most) : 0, e);
    ok = models->path[i] != NULL;
  }
  return ok ? 0 : -1;
}

bool ut_get_models(const struct ut_scenario *scenario, const struct ut_device *device, struct ut_models *models,
                   int *status) {
  struct ut_error e;
  if (!ut_models_get(scenario, device, models, &e))
    return true;
  *status = ut_print_error(&e);
  return false;
}
