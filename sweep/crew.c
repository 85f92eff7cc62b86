/* SPDX-License-Identifier: Apache-2.0 */
/* crew.c - see crew.h */
#include "crew.h"

#include <stdlib.h>

#include "ending.h"
#include "workers.h"

struct processes {
  struct ut_worker *worker;
  unsigned jobs, running;
};

static bool idle(void *ctx) {
  const struct processes *processes = ctx;
  return processes->running < processes->jobs;
}

static int give(void *ctx, const struct ut_run *run, struct ut_error *e) {
  struct processes *processes = ctx;
  struct ut_worker *worker = processes->worker;
  while (worker->pid)
    worker++;
  if (ut_worker_start(worker, run, e))
    return -1;
  processes->running++;
  return 0;
}

static enum ut_crew_event take(void *ctx, struct ut_run *run, struct ut_outcome *outcome) {
  struct processes *processes = ctx;
  for (unsigned i = 0; i < processes->jobs; i++)
    if (ut_worker_ended(&processes->worker[i], run, outcome)) {
      processes->running--;
      return UT_CREW_ENDED;
    }
  return UT_CREW_NOTHING;
}

static int wait_for_one(void *ctx, double seconds, struct ut_error *e) {
  (void)ctx, (void)e;
  ut_workers_wait(seconds);
  return 0;
}

static void end(void *ctx) {
  struct processes *processes = ctx;
  for (unsigned i = 0; i < processes->jobs; i++)
    if (processes->worker[i].pid)
      ut_child_tell(processes->worker[i].pid);
  for (unsigned i = 0; i < processes->jobs; i++)
    ut_worker_stop(&processes->worker[i]);
  free(processes->worker);
  free(processes);
}

int ut_crew_of_processes(struct ut_crew *crew, unsigned jobs, struct ut_error *e) {
  struct processes *processes = malloc(sizeof *processes);
  struct ut_worker *worker = calloc(jobs, sizeof *worker);
  if (!processes || !worker) {
    free(processes);
    free(worker);
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  }
  *processes = (struct processes){.worker = worker, .jobs = jobs};
  *crew =
      (struct ut_crew){.ctx = processes, .idle = idle, .give = give, .take = take, .wait = wait_for_one, .end = end};
  ut_workers_init();
  return 0;
}
