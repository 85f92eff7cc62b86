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
  const struct processes *p = ctx;
  return p->running < p->jobs;
}

static int give(void *ctx, const struct ut_run *run, struct ut_error *e) {
  struct processes *p = ctx;
  struct ut_worker *w = p->worker;
  while (w->pid)
    w++;
  if (ut_worker_start(w, run, e))
    return -1;
  p->running++;
  return 0;
}

static enum ut_crew_event take(void *ctx, struct ut_run *run, struct ut_outcome *o) {
  struct processes *p = ctx;
  for (unsigned i = 0; i < p->jobs; i++)
    if (ut_worker_ended(&p->worker[i], run, o)) {
      p->running--;
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
  struct processes *p = ctx;
  for (unsigned i = 0; i < p->jobs; i++)
    if (p->worker[i].pid)
      ut_child_tell(p->worker[i].pid);
  for (unsigned i = 0; i < p->jobs; i++)
    ut_worker_stop(&p->worker[i]);
  free(p->worker);
  free(p);
}

int ut_crew_of_processes(struct ut_crew *c, unsigned jobs, struct ut_error *e) {
  struct processes *p = malloc(sizeof *p);
  struct ut_worker *worker = calloc(jobs, sizeof *worker);
  if (!p || !worker) {
    free(p);
    free(worker);
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  }
  *p = (struct processes){.worker = worker, .jobs = jobs};
  *c = (struct ut_crew){.ctx = p, .idle = idle, .give = give, .take = take, .wait = wait_for_one, .end = end};
  ut_workers_init();
  return 0;
}
