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
#include "scenario_read.h"
#include "scenario_switches.h"
#include "steady.h"

/* Of the time, until so much of it is gone. */
#define UNTIL_NETWORK 0.6

/* ---- what is said */

static struct ut_shrink_size size_of(const struct ut_shrinker *x, uint64_t packets) {
  return (struct ut_shrink_size){.switches = ut_scenario_switches(x->best.scenario),
                                 .packets = x->best.traced ? x->best.packets : packets,
                                 .cycles = x->failure.cycle,
                                 .faults = x->best.scenario->fault_count};
}

const char *ut_shrink_size_text(const struct ut_shrink_size *z, char text[UT_SHRINK_SIZE_TEXT]) {
  snprintf(text, UT_SHRINK_SIZE_TEXT, "%u switch%s, %" PRIu64 " packet%s, %zu fault%s, %" PRIu64 " cycles", z->switches,
           z->switches == 1 ? "" : "es", z->packets, z->packets == 1 ? "" : "s", z->faults, z->faults == 1 ? "" : "s",
           z->cycles);
  return text;
}

static void tell(const struct ut_shrink_request *q, const struct ut_shrinker *x, const struct ut_shrink_result *r) {
  char before[UT_SHRINK_SIZE_TEXT], now[UT_SHRINK_SIZE_TEXT], line[2 * UT_SHRINK_SIZE_TEXT + 64];
  const struct ut_shrink_size size = size_of(x, 0);
  if (!q->progress || !x->best.traced)
    return;
  snprintf(line, sizeof line, "shrink: %s -> %s; %u runs", ut_shrink_size_text(&r->before, before),
           ut_shrink_size_text(&size, now), x->oracle.runs);
  q->progress(q->ctx, line);
}

/* ---- the steps */

/* The run of the scenario itself, as long as it takes.  1: it fails, 0: it passes, -1 and *e. */
static int begin(struct ut_shrinker *x, const struct ut_shrink_request *q, struct ut_error *e) {
  if (ut_case_init(&x->best, q->scenario, e))
    return -1;
  switch (ut_oracle_ask(&x->oracle, &x->best, &x->failure, e)) {
  case UT_ANSWER_PASSES: return 0;
  case UT_ANSWER_FAILS: break;
  case UT_ANSWER_DIED:
    return ut_fail(e, UT_BAD_INPUT, "%s: the run ends this program: without --shrink it says why", q->scenario->path);
  default: return -1;
  }
  strcpy(x->wanted, x->failure.register_class);
  x->oracle.deadline = ut_seconds() + q->budget_s;
  struct ut_case pinned;
  if (!ut_case_copy(&pinned, &x->best))
    return ut_fail_memory(e);
  if (ut_case_pin_faults(&pinned, e)) {
    ut_case_free(&pinned);
    return -1;
  }
  x->original = pinned.scenario;
  free(pinned.packet);
  return 1;
}

/* Its packets become a trace; returns how many there are until the failure. */
static uint64_t first_trace(struct ut_shrinker *x) {
  struct ut_case c;
  struct ut_error e;
  uint64_t packets = 0;
  ut_reduce_to_trace(x);
  if (x->best.traced)
    return x->best.packets;
  if (ut_case_copy(&c, &x->best)) { /* they do not fail as a trace */
    packets = ut_case_trace(&c, x->failure.cycle, x->folder, &e) ? 0 : c.packets;
    ut_case_free(&c);
  }
  return packets;
}

/* Events, then keys, whether or not there were fewer events.  false: nothing became smaller. */
static bool reduce_both(struct ut_shrinker *x) {
  const bool events = ut_reduce_events(x);
  return ut_reduce_keys(x) || events;
}

static void reduce(struct ut_shrinker *x, const struct ut_shrink_request *q, struct ut_shrink_result *r) {
  tell(q, x, r);
  if (ut_reduce_to_window(x))
    tell(q, x, r);
  const double until = x->oracle.deadline - (1 - UNTIL_NETWORK) * q->budget_s;
  if (ut_reduce_network(x, until))
    tell(q, x, r);
  bool smaller = true;
  while (smaller) {
    ut_reduce_to_window(x);
    while (reduce_both(x))
      tell(q, x, r);
    smaller = ut_reduce_built_keys(x);
    if (smaller)
      tell(q, x, r);
  }
}

/* As it is written: what is left of it once it passes drains, as a scenario does that says nothing else.  Once more,
 * the last run says whether that fails.  -1 and *e. */
static int confirm(struct ut_shrinker *x, struct ut_error *e) {
  struct ut_failure f;
  x->best.scenario->run.drain = true;
  x->oracle.deadline = 0;
  x->oracle.stop = NULL;
  if (ut_case_settle(&x->best, e))
    return -1;
  if (ut_oracle_ask(&x->oracle, &x->best, &f, e) != UT_ANSWER_FAILS || strcmp(f.register_class, x->wanted))
    return ut_fail(e, UT_INTERNAL, "the scenario that was found passes when it is run again");
  x->failure = f;
  return 0;
}

/* What is found goes to the result. */
static int conclude(struct ut_shrinker *x, const struct ut_shrink_request *q, struct ut_shrink_result *r,
                    struct ut_error *e) {
  r->fails = true;
  r->end = q->stop && *q->stop       ? UT_SHRINK_STOPPED
           : x->oracle.short_of_time ? UT_SHRINK_OUT_OF_TIME
                                     : UT_SHRINK_COMPLETE;
  r->seconds = ut_seconds() - (x->oracle.deadline - q->budget_s);
  if (confirm(x, e))
    return -1;
  r->last = x->failure;
  r->after = size_of(x, r->before.packets);
  r->traced = x->best.traced;
  r->scenario = x->best.scenario;
  r->packet = x->best.packet;
  r->packets = x->best.packets;
  x->best = (struct ut_case){0};
  return 0;
}

/* Within a folder for traces. */
static int search(struct ut_shrinker *x, const struct ut_shrink_request *q, struct ut_shrink_result *r,
                  struct ut_error *e) {
  int begun = begin(x, q, e);
  if (begun > 0) {
    r->first = x->failure;
    r->before = size_of(x, 0);
    r->before.packets = first_trace(x);
    reduce(x, q, r);
    begun = conclude(x, q, r, e);
  }
  r->runs = x->oracle.runs;
  r->models = (unsigned)x->oracle.builts;
  ut_case_free(&x->best);
  ut_scenario_free(x->original);
  ut_oracle_free(&x->oracle);
  return begun < 0 ? -1 : 0;
}

int ut_shrink(const struct ut_shrink_request *q, struct ut_shrink_result *r, struct ut_error *e) {
  char folder[PATH_MAX];
  struct ut_shrinker x = {.oracle = {.models = q->models, .spec = q->spec, .stop = q->stop}, .folder = folder};
  *r = (struct ut_shrink_result){0};
  if (ut_path_temporary(e, folder, "shrink.XXXXXX"))
    return -1;
  if (ut_folder_temporary(folder))
    return ut_fail(e, UT_BAD_INPUT, "%s: no folder for traces can be made in TMPDIR, or /tmp: %s", q->scenario->path,
                   strerror(errno));
  const int result = search(&x, q, r, e);
  ut_folder_remove(folder);
  return result;
}

void ut_shrink_free(struct ut_shrink_result *r) {
  ut_scenario_free(r->scenario);
  free(r->packet);
  *r = (struct ut_shrink_result){0};
}
