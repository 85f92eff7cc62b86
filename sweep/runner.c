/* runner.c - see runner.h */
#include "runner.h"

#include <stdlib.h>

#include "workers.h"

static int start_runs(struct ut_worker *worker, unsigned jobs, unsigned *running, struct ut_schedule *schedule,
                      struct ut_error *e) {
  for (unsigned i = 0; i < jobs; i++) {
    struct ut_run run;
    if (worker[i].pid)
      continue;
    const int there = ut_schedule_next(schedule, &run, e);
    if (there <= 0)
      return there;
    if (ut_worker_start(&worker[i], &run, e)) {
      ut_run_free(&run);
      return -1;
    }
    ++*running;
  }
  return 0;
}

static int end_runs(struct ut_worker *worker, unsigned jobs, unsigned *running, struct ut_schedule *schedule,
                    struct ut_error *e) {
  for (unsigned i = 0; i < jobs; i++) {
    struct ut_run run;
    struct ut_outcome outcome;
    if (!ut_worker_ended(&worker[i], &run, &outcome))
      continue;
    --*running;
    const int status = ut_schedule_take(schedule, &run, &outcome, e);
    ut_run_free(&run);
    ut_outcome_free(&outcome);
    if (status)
      return -1;
  }
  return 0;
}

static void watch(const struct ut_runner *r, const struct ut_schedule *schedule, unsigned running) {
  struct ut_standing s;
  if (!r->watch)
    return;
  ut_schedule_standing(schedule, &s);
  r->watch(r->ctx, &s, running);
}

static int run_all(struct ut_schedule *schedule, const struct ut_runner *r, struct ut_error *e) {
  struct ut_worker *worker = calloc(r->jobs, sizeof *worker);
  unsigned running = 0;
  int status = worker ? 0 : ut_fail(e, UT_INTERNAL, "out of memory");
  ut_workers_init();
  while (!status && !*r->interrupted) {
    status = start_runs(worker, r->jobs, &running, schedule, e);
    if (status || !running)
      break;
    ut_workers_wait(0.5);
    status = end_runs(worker, r->jobs, &running, schedule, e);
    watch(r, schedule, running);
  }
  for (unsigned i = 0; worker && i < r->jobs; i++)
    ut_worker_stop(&worker[i]);
  free(worker);
  return status;
}

int ut_sweep_run(struct ut_sweep *sweep, const char *results, const struct ut_runner *r, struct ut_standing *standing,
                 struct ut_error *e) {
  struct ut_store store;
  if (ut_store_open(&store, results, r->wait, r->interrupted, e))
    return -1;
  struct ut_schedule *schedule =
      ut_store_plan(&store, sweep, e) ? NULL : ut_schedule_make(sweep, &store, r->again_failed, e);
  int status = schedule ? run_all(schedule, r, e) : -1;
  if (schedule)
    ut_schedule_standing(schedule, standing);
  ut_schedule_free(schedule);
  return ut_store_close(&store, status ? NULL : e) || status ? -1 : 0;
}
