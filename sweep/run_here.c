/* run_here.c - see run_here.h */
#include "run_here.h"

#include <stdlib.h>

#include "workers.h"

static int start_runs(struct ut_worker *worker, unsigned jobs, unsigned *running, struct ut_schedule *s,
                      struct ut_error *e) {
  for (unsigned i = 0; i < jobs; i++) {
    struct ut_run run;
    if (worker[i].pid)
      continue;
    const int there = ut_schedule_next(s, &run, e);
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

static int end_runs(struct ut_worker *worker, unsigned jobs, unsigned *running, struct ut_schedule *s,
                    struct ut_error *e) {
  for (unsigned i = 0; i < jobs; i++) {
    struct ut_run run;
    struct ut_outcome outcome;
    if (!ut_worker_ended(&worker[i], &run, &outcome))
      continue;
    --*running;
    const int status = ut_schedule_take(s, &run, &outcome, e);
    ut_run_free(&run);
    ut_outcome_free(&outcome);
    if (status)
      return -1;
  }
  return 0;
}

int ut_run_here(struct ut_schedule *s, unsigned jobs, const struct ut_watch *watch, struct ut_error *e) {
  struct ut_worker *worker = calloc(jobs, sizeof *worker);
  unsigned running = 0;
  int status = worker ? 0 : ut_fail(e, UT_INTERNAL, "out of memory");
  ut_workers_init();
  while (!status && !*watch->interrupted) {
    status = start_runs(worker, jobs, &running, s, e);
    if (status || !running)
      break;
    ut_workers_wait(0.5);
    status = end_runs(worker, jobs, &running, s, e);
    if (watch->progress) {
      struct ut_standing standing;
      ut_schedule_standing(s, &standing);
      watch->progress(watch->ctx, &standing, running);
    }
  }
  for (unsigned i = 0; worker && i < jobs; i++)
    ut_worker_stop(&worker[i]);
  free(worker);
  return status;
}
