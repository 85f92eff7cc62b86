/* SPDX-License-Identifier: Apache-2.0 */
/* oracle.c - see oracle.h */
#define _GNU_SOURCE
#include "oracle.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "deadlock.h"
#include "ending.h"
#include "mismatch.h"
#include "stability_watch.h"
#include "steady.h"
#include "topology_build.h"

enum { UNKNOWN_BUILD = 10 }; /* seconds, as long as none has been seen */

void ut_oracle_free(struct ut_oracle *o) {
  for (size_t i = 0; i < o->builts; i++) {
    if (o->built[i].library)
      dlclose(o->built[i].library);
    free(o->built[i].path);
  }
  free(o->built);
  o->built = NULL;
  o->builts = 0;
}

bool ut_oracle_is_over(struct ut_oracle *o) {
  const bool over = (o->stop && *o->stop) || (o->deadline > 0 && ut_seconds() >= o->deadline);
  o->short_of_time |= over;
  return over;
}

/* ---- models */

static struct ut_built *find(const struct ut_oracle *o, const struct ut_shape *shape) {
  for (size_t i = 0; i < o->builts; i++)
    if (!memcmp(&o->built[i].shape, shape, sizeof *shape))
      return &o->built[i];
  return NULL;
}

unsigned ut_oracle_missing(const struct ut_oracle *o, const struct ut_scenario *s) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_error e;
  const int count = ut_scenario_elaborations(s, elaboration, shape, &e);
  unsigned missing = 0;
  for (int i = 0; i < count; i++) {
    const struct ut_built *built = find(o, &shape[i]);
    if (built && !built->path)
      return UINT_MAX;
    missing += !built;
  }
  return count < 0 ? UINT_MAX : missing;
}

bool ut_oracle_has_time_for(struct ut_oracle *o, unsigned models) {
  const double each = o->longest_build > UNKNOWN_BUILD ? o->longest_build : UNKNOWN_BUILD;
  const bool has =
      !ut_oracle_is_over(o) && (!models || o->deadline <= 0 || ut_seconds() + models * each <= o->deadline);
  o->short_of_time |= !has;
  return has;
}

/* What has been built is noted, or that it cannot be.  Takes the path over. */
static int note(struct ut_oracle *o, const struct ut_shape *shape, char **path, struct ut_error *e) {
  struct ut_built *bigger = realloc(o->built, (o->builts + 1) * sizeof *bigger);
  if (!bigger)
    return ut_fail_memory(e);
  o->built = bigger;
  o->built[o->builts++] =
      (struct ut_built){.shape = *shape, .path = *path, .library = *path ? dlopen(*path, RTLD_NOW | RTLD_LOCAL) : NULL};
  *path = NULL;
  return 0;
}

static int build(struct ut_oracle *o, const struct ut_scenario *s, const struct ut_shape *shape, int count,
                 struct ut_error *e) {
  const double start = ut_seconds();
  struct ut_models models;
  int result = o->models.get(o->models.ctx, s, &models, e);
  const double each = (ut_seconds() - start) / count;
  if (!result && each > o->longest_build)
    o->longest_build = each;
  for (int i = 0; i < count && (!result || e->code != UT_INTERRUPTED); i++)
    if (!find(o, &shape[i]) && note(o, &shape[i], &models.path[i], e))
      result = -1;
  ut_free_models(&models);
  return result;
}

/* The models of a case's switches; the paths remain the oracle's. */
static int get_models(struct ut_oracle *o, const struct ut_scenario *s, struct ut_models *models, struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  const int count = ut_scenario_elaborations(s, elaboration, shape, e);
  const unsigned missing = count < 0 ? UINT_MAX : ut_oracle_missing(o, s);
  *models = (struct ut_models){0};
  if (missing == UINT_MAX)
    return count < 0 ? -1 : ut_fail(e, UT_BAD_INPUT, "there is no model of such a switch");
  if (missing && build(o, s, shape, count, e))
    return -1;
  for (int i = 0; i < count; i++)
    models->path[i] = find(o, &shape[i])->path;
  return 0;
}

/* ---- the process of a run */

struct verdict {
  enum ut_answer answer;
  struct ut_failure failure;
  struct ut_error error;
};

static void describe(struct ut_failure *f, const struct ut_lockstep *l) {
  struct ut_mismatch m;
  ut_mismatch_find(&m, l);
  *f = (struct ut_failure){.cycle = l->golden.cycle};
  if (m.registers) {
    ut_topology_switch_name(&l->golden.topology, l->mismatch_switch, f->where);
    strcpy(f->register_path, m.reg[0].path);
    ut_register_name(m.reg[0].path, f->register_class);
    f->device = m.reg[0].values.device;
    f->golden = m.reg[0].values.golden;
  } else {
    strcpy(f->register_class, "accounts");
  }
  ut_mismatch_free(&m);
}

/* As `cosim` does it: a deadlock ends the run, too. */
static void run(const struct ut_oracle *o, const struct ut_scenario *s, const struct ut_models *models,
                struct verdict *v) {
  struct ut_lockstep l;
  struct ut_watchdog watchdog = {0};
  struct ut_stability_watch stability;
  v->answer = UT_ANSWER_UNKNOWN;
  if (ut_lockstep_init(&l, s, models, &v->error))
    return;
  if (o->spec && !ut_lockstep_use_spec(&l)) {
    ut_fail_memory(&v->error);
    return;
  }
  bool equal = true;
  ut_stability_watch_start(&stability, &l.golden);
  while (equal && !ut_network_done(&l.golden) && !l.golden.failure && !l.rtl.failure &&
         !ut_watchdog_check(&watchdog, &l.golden)) {
    l.rtl.terminals.window_end = l.golden.terminals.window_end;
    ut_lockstep_skip(&l, stability.next);
    equal = ut_lockstep_step(&l);
    ut_stability_watch_observe(&stability, &l.golden);
  }
  v->answer = equal ? UT_ANSWER_PASSES : UT_ANSWER_FAILS;
  if (!equal)
    describe(&v->failure, &l);
}

/* Never returns.  What the RTL prints nobody reads: it is the same in every run. */
static void be_child(const struct ut_oracle *o, const struct ut_scenario *s, const struct ut_models *models, int out) {
  struct verdict v = {0};
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  run(o, s, models, &v);
  _exit(write(out, &v, sizeof v) == (ssize_t)sizeof v ? 0 : 1);
}

/* Waits until the child has said all, or the time is over.  Returns the bytes that it has said. */
static size_t listen_to(struct ut_oracle *o, int in, struct verdict *v) {
  enum { PERIOD_MS = 100 };
  size_t got = 0;
  while (got < sizeof *v && !ut_oracle_is_over(o)) {
    struct pollfd wait = {.fd = in, .events = POLLIN};
    if (poll(&wait, 1, PERIOD_MS) <= 0)
      continue;
    const ssize_t more = read(in, (char *)v + got, sizeof *v - got);
    if (more == 0 || (more < 0 && errno != EINTR))
      break;
    got += more > 0 ? (size_t)more : 0;
  }
  return got;
}

static enum ut_answer run_child(struct ut_oracle *o, const struct ut_scenario *s, const struct ut_models *models,
                                struct verdict *v, struct ut_error *e) {
  int pipe_of[2];
  if (pipe2(pipe_of, O_CLOEXEC)) {
    ut_fail(e, UT_BAD_INPUT, "a run cannot be started: %s", strerror(errno));
    return UT_ANSWER_UNKNOWN;
  }
  const pid_t child = ut_child_fork();
  if (child == 0)
    be_child(o, s, models, pipe_of[1]);
  const int error = errno;
  close(pipe_of[1]);
  const size_t got = child > 0 ? listen_to(o, pipe_of[0], v) : 0;
  close(pipe_of[0]);
  if (child < 0) {
    errno = error;
    ut_child_fail("a run", e);
    return UT_ANSWER_UNKNOWN;
  }
  kill(child, SIGKILL); /* it has said all, or will not */
  while (ut_child_wait(child, NULL, 0, NULL) < 0 && errno == EINTR)
    ;
  if (got == sizeof *v)
    return v->answer;
  ut_fail(e, UT_INTERRUPTED, "interrupted");
  return ut_oracle_is_over(o) ? UT_ANSWER_UNKNOWN : UT_ANSWER_DIED;
}

enum ut_answer ut_oracle_ask(struct ut_oracle *o, const struct ut_case *c, struct ut_failure *f, struct ut_error *e) {
  struct ut_models models;
  struct verdict v;
  if ((c->traced && ut_case_write_trace(c, e)) || get_models(o, c->scenario, &models, e))
    return UT_ANSWER_UNKNOWN;
  o->runs++;
  const enum ut_answer answer = run_child(o, c->scenario, &models, &v, e);
  if (answer == UT_ANSWER_FAILS)
    *f = v.failure;
  else if (answer == UT_ANSWER_UNKNOWN && v.error.text[0] && !ut_oracle_is_over(o))
    *e = v.error;
  return answer;
}
