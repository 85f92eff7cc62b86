/* SPDX-License-Identifier: Apache-2.0 */
/* shrink.c - see shrink.h: the order of the steps. */
#define _GNU_SOURCE
#include "shrink.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "reduce.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenario_switches.h"
#include "steady.h"

/* Share of the time until which a step may run. */
#define UNTIL_NETWORK 0.6

/* ---- messages */

static struct ut_shrink_size size_of(const struct ut_shrinker *shrinker, uint64_t packets) {
  return (struct ut_shrink_size){.switches = ut_scenario_switches(shrinker->best.scenario),
                                 .packets = shrinker->best.traced ? shrinker->best.packets : packets,
                                 .cycles = shrinker->failure.cycle,
                                 .faults = shrinker->best.scenario->fault_count};
}

const char *ut_shrink_size_text(const struct ut_shrink_size *size, char text[UT_SHRINK_SIZE_TEXT]) {
  snprintf(text, UT_SHRINK_SIZE_TEXT, "%u switch%s, %" PRIu64 " packet%s, %zu fault%s, %" PRIu64 " cycles",
           size->switches, size->switches == 1 ? "" : "es", size->packets, size->packets == 1 ? "" : "s", size->faults,
           size->faults == 1 ? "" : "s", size->cycles);
  return text;
}

static void tell(const struct ut_shrink_request *request, const struct ut_shrinker *shrinker,
                 const struct ut_shrink_result *result) {
  char before[UT_SHRINK_SIZE_TEXT], now[UT_SHRINK_SIZE_TEXT], line[2 * UT_SHRINK_SIZE_TEXT + 64];
  const struct ut_shrink_size size = size_of(shrinker, 0);
  if (!request->progress || !shrinker->best.traced)
    return;
  snprintf(line, sizeof line, "shrink: %s -> %s; %u runs", ut_shrink_size_text(&result->before, before),
           ut_shrink_size_text(&size, now), shrinker->oracle.runs);
  request->progress(request->ctx, line);
}

/* ---- the steps */

/* Runs the scenario itself, without a limit on time.  Returns 1 if it fails, 0 if it passes, -1 and fills *e on
 * failure. */
static int begin(struct ut_shrinker *shrinker, const struct ut_shrink_request *request, struct ut_error *e) {
  if (ut_case_init(&shrinker->best, request->scenario, e))
    return -1;
  switch (ut_oracle_ask(&shrinker->oracle, &shrinker->best, &shrinker->failure, e)) {
  case UT_ANSWER_PASSES: return 0;
  case UT_ANSWER_FAILS: break;
  case UT_ANSWER_DIED:
    return ut_fail(e, UT_BAD_INPUT, "%s: the run ends this program: without --shrink it says why",
                   request->scenario->path);
  default: return -1;
  }
  strcpy(shrinker->wanted, shrinker->failure.register_class);
  shrinker->oracle.deadline = ut_seconds() + request->budget_s;
  struct ut_case pinned;
  if (!ut_case_copy(&pinned, &shrinker->best))
    return ut_fail_memory(e);
  if (ut_case_pin_faults(&pinned, e)) {
    ut_case_free(&pinned);
    return -1;
  }
  shrinker->original = pinned.scenario;
  free(pinned.packet);
  return 1;
}

/* Turns its packets into a trace; returns how many there are until the failure. */
static uint64_t first_trace(struct ut_shrinker *shrinker) {
  struct ut_case repro;
  struct ut_error e;
  uint64_t packets = 0;
  ut_reduce_to_trace(shrinker);
  if (shrinker->best.traced)
    return shrinker->best.packets;
  if (ut_case_copy(&repro, &shrinker->best)) { /* it does not fail with them as a trace */
    packets = ut_case_trace(&repro, shrinker->failure.cycle, shrinker->folder, &e) ? 0 : repro.packets;
    ut_case_free(&repro);
  }
  return packets;
}

/* Reduces events, then keys, whether or not there are fewer events.  Returns false if nothing became smaller. */
static bool reduce_both(struct ut_shrinker *shrinker) {
  const bool events = ut_reduce_events(shrinker);
  return ut_reduce_keys(shrinker) || events;
}

static void reduce(struct ut_shrinker *shrinker, const struct ut_shrink_request *request,
                   struct ut_shrink_result *result) {
  tell(request, shrinker, result);
  if (ut_reduce_to_window(shrinker))
    tell(request, shrinker, result);
  const double until = shrinker->oracle.deadline - (1 - UNTIL_NETWORK) * request->budget_s;
  if (ut_reduce_network(shrinker, until))
    tell(request, shrinker, result);
  bool smaller = true;
  while (smaller) {
    ut_reduce_to_window(shrinker);
    while (reduce_both(shrinker))
      tell(request, shrinker, result);
    smaller = ut_reduce_built_keys(shrinker);
    if (smaller)
      tell(request, shrinker, result);
  }
}

/* Runs the case once more in its final form: it drains, like a file that does not mention draining, and there is no
 * limit on time.  Returns -1 and fills *e if it passes. */
static int confirm(struct ut_shrinker *shrinker, struct ut_error *e) {
  struct ut_failure failure;
  shrinker->best.scenario->run.drain = true;
  shrinker->oracle.deadline = 0;
  shrinker->oracle.stop = NULL;
  if (ut_case_settle(&shrinker->best, e))
    return -1;
  if (ut_oracle_ask(&shrinker->oracle, &shrinker->best, &failure, e) != UT_ANSWER_FAILS ||
      strcmp(failure.register_class, shrinker->wanted))
    return ut_fail(e, UT_INTERNAL, "the scenario that was found passes when it is run again");
  shrinker->failure = failure;
  return 0;
}

/* Copies the best case into the result. */
static int conclude(struct ut_shrinker *shrinker, const struct ut_shrink_request *request,
                    struct ut_shrink_result *result, struct ut_error *e) {
  result->fails = true;
  result->end = request->stop && *request->stop  ? UT_SHRINK_STOPPED
                : shrinker->oracle.short_of_time ? UT_SHRINK_OUT_OF_TIME
                                                 : UT_SHRINK_COMPLETE;
  result->seconds = ut_seconds() - (shrinker->oracle.deadline - request->budget_s);
  if (confirm(shrinker, e))
    return -1;
  result->last = shrinker->failure;
  result->after = size_of(shrinker, result->before.packets);
  result->traced = shrinker->best.traced;
  result->scenario = shrinker->best.scenario;
  result->packet = shrinker->best.packet;
  result->packets = shrinker->best.packets;
  shrinker->best = (struct ut_case){0};
  return 0;
}

/* Within a folder for traces. */
static int search(struct ut_shrinker *shrinker, const struct ut_shrink_request *request,
                  struct ut_shrink_result *result, struct ut_error *e) {
  int begun = begin(shrinker, request, e);
  if (begun > 0) {
    result->first = shrinker->failure;
    result->before = size_of(shrinker, 0);
    result->before.packets = first_trace(shrinker);
    reduce(shrinker, request, result);
    begun = conclude(shrinker, request, result, e);
  }
  result->runs = shrinker->oracle.runs;
  result->models = (unsigned)shrinker->oracle.builts;
  ut_case_free(&shrinker->best);
  ut_scenario_free(shrinker->original);
  ut_oracle_free(&shrinker->oracle);
  return begun < 0 ? -1 : 0;
}

int ut_shrink(const struct ut_shrink_request *request, struct ut_shrink_result *shrink_result, struct ut_error *e) {
  char folder[PATH_MAX];
  struct ut_shrinker shrinker = {.oracle = {.models = request->models, .spec = request->spec, .stop = request->stop},
                                 .folder = folder};
  *shrink_result = (struct ut_shrink_result){0};
  if (ut_path_temporary(e, folder, "shrink.XXXXXX"))
    return -1;
  if (ut_folder_temporary(folder))
    return ut_fail(e, UT_BAD_INPUT, "%s: no folder for traces can be made in TMPDIR, or /tmp: %s",
                   request->scenario->path, strerror(errno));
  const int result = search(&shrinker, request, shrink_result, e);
  ut_folder_remove(folder);
  return result;
}

void ut_shrink_free(struct ut_shrink_result *result) {
  ut_scenario_free(result->scenario);
  free(result->packet);
  *result = (struct ut_shrink_result){0};
}
