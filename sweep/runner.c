/* SPDX-License-Identifier: Apache-2.0 */
/* runner.c - see runner.h */
#include "runner.h"

#include "crew.h"
#include "ranks.h"

static int start_runs(struct ut_crew *crew, unsigned *running, bool *none, struct ut_schedule *schedule,
                      struct ut_error *e) {
  *none = false;
  while (crew->idle(crew->ctx)) {
    struct ut_run run;
    const int there = ut_schedule_next(schedule, &run, e);
    *none = there == 0;
    if (there <= 0)
      return there;
    if (crew->give(crew->ctx, &run, e)) {
      ut_run_free(&run);
      return -1;
    }
    ++*running;
  }
  return 0;
}

static int end_runs(struct ut_crew *crew, unsigned *running, struct ut_schedule *schedule, struct ut_error *e) {
  struct ut_run run;
  struct ut_outcome outcome;
  enum ut_crew_event event;
  int status = 0;
  while (!status && (event = crew->take(crew->ctx, &run, &outcome)) != UT_CREW_NOTHING) {
    --*running;
    if (event == UT_CREW_LOST) {
      ut_schedule_drop(schedule, &run);
    } else {
      status = ut_schedule_take(schedule, &run, &outcome, e);
      ut_outcome_free(&outcome);
    }
    ut_run_free(&run);
  }
  return status;
}

static void watch(const struct ut_runner *runner, const struct ut_schedule *schedule, unsigned running) {
  struct ut_standing standing;
  if (!runner->watch)
    return;
  ut_schedule_standing(schedule, &standing);
  runner->watch(runner->ctx, &standing, running);
}

static int run_all(struct ut_schedule *schedule, const struct ut_runner *runner, struct ut_error *e) {
  struct ut_crew crew;
  unsigned running = 0;
  bool none; /* nothing can be started until a run ends */
  if (!ut_crew_of_ranks(&crew, runner->interrupted) && ut_crew_of_processes(&crew, runner->jobs, e))
    return -1;
  int status = 0;
  while (!status && !*runner->interrupted) {
    status = start_runs(&crew, &running, &none, schedule, e);
    if (status || (none && !running))
      break;
    status = crew.wait(crew.ctx, 0.5, e);
    if (!status)
      status = end_runs(&crew, &running, schedule, e);
    watch(runner, schedule, running);
  }
  crew.end(crew.ctx);
  return status;
}

int ut_sweep_run(struct ut_sweep *sweep, const char *results, const struct ut_runner *runner,
                 struct ut_standing *standing, struct ut_error *e) {
  struct ut_store store;
  if (ut_store_open(&store, results, runner->wait, runner->interrupted, e))
    return -1;
  const struct ut_share share = runner->share.count ? runner->share : (struct ut_share){0, 1};
  const bool ready = !ut_store_plan(&store, sweep, e) && !(runner->known && ut_store_merge(&store, runner->known, e));
  struct ut_schedule *schedule = ready ? ut_schedule_make(sweep, &store, share, runner->again_failed, e) : NULL;
  int status = schedule ? run_all(schedule, runner, e) : -1;
  if (schedule)
    ut_schedule_standing(schedule, standing);
  ut_schedule_free(schedule);
  return ut_store_close(&store, status ? NULL : e) || status ? -1 : 0;
}
