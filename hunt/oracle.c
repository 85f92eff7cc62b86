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

enum { UNKNOWN_BUILD = 10 }; /* estimate in seconds, until a build has been measured */

void ut_oracle_free(struct ut_oracle *oracle) {
  for (size_t i = 0; i < oracle->builts; i++) {
    if (oracle->built[i].library)
      dlclose(oracle->built[i].library);
    free(oracle->built[i].path);
  }
  free(oracle->built);
  oracle->built = NULL;
  oracle->builts = 0;
}

bool ut_oracle_is_over(struct ut_oracle *oracle) {
  const bool over = (oracle->stop && *oracle->stop) || (oracle->deadline > 0 && ut_seconds() >= oracle->deadline);
  oracle->short_of_time |= over;
  return over;
}

/* ---- models */

static struct ut_built *find(const struct ut_oracle *oracle, const struct ut_shape *shape) {
  for (size_t i = 0; i < oracle->builts; i++)
    if (!memcmp(&oracle->built[i].shape, shape, sizeof *shape))
      return &oracle->built[i];
  return NULL;
}

unsigned ut_oracle_missing(const struct ut_oracle *oracle, const struct ut_scenario *scenario) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  struct ut_error e;
  const int count = ut_scenario_elaborations(scenario, elaboration, shape, &e);
  unsigned missing = 0;
  for (int i = 0; i < count; i++) {
    const struct ut_built *built = find(oracle, &shape[i]);
    if (built && !built->path)
      return UINT_MAX;
    missing += !built;
  }
  return count < 0 ? UINT_MAX : missing;
}

bool ut_oracle_has_time_for(struct ut_oracle *oracle, unsigned models) {
  const double each = oracle->longest_build > UNKNOWN_BUILD ? oracle->longest_build : UNKNOWN_BUILD;
  const bool has = !ut_oracle_is_over(oracle) &&
                   (!models || oracle->deadline <= 0 || ut_seconds() + models * each <= oracle->deadline);
  oracle->short_of_time |= !has;
  return has;
}

/* Stores a model that was built, or that it cannot be built; takes ownership of the path. */
static int note(struct ut_oracle *oracle, const struct ut_shape *shape, char **path, struct ut_error *e) {
  struct ut_built *bigger = realloc(oracle->built, (oracle->builts + 1) * sizeof *bigger);
  if (!bigger)
    return ut_fail_memory(e);
  oracle->built = bigger;
  oracle->built[oracle->builts++] =
      (struct ut_built){.shape = *shape, .path = *path, .library = *path ? dlopen(*path, RTLD_NOW | RTLD_LOCAL) : NULL};
  *path = NULL;
  return 0;
}

static int build(struct ut_oracle *oracle, const struct ut_scenario *scenario, const struct ut_shape *shape, int count,
                 struct ut_error *e) {
  const double start = ut_seconds();
  struct ut_models models;
  int result = oracle->models.get(oracle->models.ctx, scenario, &models, e);
  const double each = (ut_seconds() - start) / count;
  if (!result && each > oracle->longest_build)
    oracle->longest_build = each;
  for (int i = 0; i < count && (!result || e->code != UT_INTERRUPTED); i++)
    if (!find(oracle, &shape[i]) && note(oracle, &shape[i], &models.path[i], e))
      result = -1;
  ut_free_models(&models);
  return result;
}

/* Returns the models of a case's switches; the oracle keeps the paths. */
static int get_models(struct ut_oracle *oracle, const struct ut_scenario *scenario, struct ut_models *models,
                      struct ut_error *e) {
  struct ut_elaboration elaboration[UT_MAX_ELABORATIONS];
  struct ut_shape shape[UT_MAX_ELABORATIONS];
  const int count = ut_scenario_elaborations(scenario, elaboration, shape, e);
  const unsigned missing = count < 0 ? UINT_MAX : ut_oracle_missing(oracle, scenario);
  *models = (struct ut_models){0};
  if (missing == UINT_MAX)
    return count < 0 ? -1 : ut_fail(e, UT_BAD_INPUT, "there is no model of such a switch");
  if (missing && build(oracle, scenario, shape, count, e))
    return -1;
  for (int i = 0; i < count; i++)
    models->path[i] = find(oracle, &shape[i])->path;
  return 0;
}

/* ---- the process of a run */

struct verdict {
  enum ut_answer answer;
  struct ut_failure failure;
  struct ut_error error;
};

static void describe(struct ut_failure *failure, const struct ut_lockstep *lockstep) {
  struct ut_mismatch mismatch;
  ut_mismatch_find(&mismatch, lockstep);
  *failure = (struct ut_failure){.cycle = lockstep->golden.cycle};
  if (mismatch.registers) {
    ut_topology_switch_name(lockstep->golden.topology, lockstep->mismatch_switch, failure->where);
    strcpy(failure->register_path, mismatch.reg[0].path);
    ut_register_name(mismatch.reg[0].path, failure->register_class);
    failure->device = mismatch.reg[0].values.device;
    failure->golden = mismatch.reg[0].values.golden;
  } else {
    strcpy(failure->register_class, "accounts");
  }
  ut_mismatch_free(&mismatch);
}

/* Runs the case like `cosim`: a deadlock ends the run, too. */
static void run(const struct ut_oracle *oracle, const struct ut_scenario *scenario, const struct ut_models *models,
                struct verdict *verdict) {
  struct ut_lockstep lockstep;
  struct ut_watchdog watchdog = {0};
  struct ut_stability_watch stability;
  verdict->answer = UT_ANSWER_UNKNOWN;
  if (ut_lockstep_init(&lockstep, scenario, models, &verdict->error))
    return;
  if (oracle->spec && !ut_lockstep_use_spec(&lockstep)) {
    ut_fail_memory(&verdict->error);
    return;
  }
  bool equal = true;
  ut_stability_watch_start(&stability, &lockstep.golden);
  while (equal && !ut_network_done(&lockstep.golden) && !lockstep.golden.failure && !lockstep.rtl.failure &&
         !ut_watchdog_check(&watchdog, &lockstep.golden)) {
    lockstep.rtl.terminals.window_end = lockstep.golden.terminals.window_end;
    ut_lockstep_skip(&lockstep, stability.next);
    equal = ut_lockstep_step(&lockstep);
    ut_stability_watch_observe(&stability, &lockstep.golden);
  }
  verdict->answer = equal ? UT_ANSWER_PASSES : UT_ANSWER_FAILS;
  if (!equal)
    describe(&verdict->failure, &lockstep);
}

/* Never returns.  The output of the RTL is dropped: it is the same in every run. */
static void be_child(const struct ut_oracle *oracle, const struct ut_scenario *scenario, const struct ut_models *models,
                     int out) {
  struct verdict verdict = {0};
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  run(oracle, scenario, models, &verdict);
  _exit(write(out, &verdict, sizeof verdict) == (ssize_t)sizeof verdict ? 0 : 1);
}

/* Waits until the child has sent its whole answer, or the time is over.  Returns the bytes received. */
static size_t listen_to(struct ut_oracle *oracle, int in, struct verdict *verdict) {
  enum { PERIOD_MS = 100 };
  size_t got = 0;
  while (got < sizeof *verdict && !ut_oracle_is_over(oracle)) {
    struct pollfd wait = {.fd = in, .events = POLLIN};
    if (poll(&wait, 1, PERIOD_MS) <= 0)
      continue;
    const ssize_t more = read(in, (char *)verdict + got, sizeof *verdict - got);
    if (more == 0 || (more < 0 && errno != EINTR))
      break;
    got += more > 0 ? (size_t)more : 0;
  }
  return got;
}

static enum ut_answer run_child(struct ut_oracle *oracle, const struct ut_scenario *scenario,
                                const struct ut_models *models, struct verdict *verdict, struct ut_error *e) {
  int pipe_of[2];
  if (pipe2(pipe_of, O_CLOEXEC)) {
    ut_fail(e, UT_BAD_INPUT, "a run cannot be started: %s", strerror(errno));
    return UT_ANSWER_UNKNOWN;
  }
  const pid_t child = ut_child_fork();
  if (child == 0)
    be_child(oracle, scenario, models, pipe_of[1]);
  const int error = errno;
  close(pipe_of[1]);
  const size_t got = child > 0 ? listen_to(oracle, pipe_of[0], verdict) : 0;
  close(pipe_of[0]);
  if (child < 0) {
    errno = error;
    ut_child_fail("a run", e);
    return UT_ANSWER_UNKNOWN;
  }
  kill(child, SIGKILL); /* it has sent its answer, or never will */
  while (ut_child_wait(child, NULL, 0, NULL) < 0 && errno == EINTR)
    ;
  if (got == sizeof *verdict)
    return verdict->answer;
  ut_fail(e, UT_INTERRUPTED, "interrupted");
  return ut_oracle_is_over(oracle) ? UT_ANSWER_UNKNOWN : UT_ANSWER_DIED;
}

enum ut_answer ut_oracle_ask(struct ut_oracle *oracle, const struct ut_case *repro, struct ut_failure *failure,
                             struct ut_error *e) {
  struct ut_models models;
  struct verdict verdict;
  if ((repro->traced && ut_case_write_trace(repro, e)) || get_models(oracle, repro->scenario, &models, e))
    return UT_ANSWER_UNKNOWN;
  oracle->runs++;
  const enum ut_answer answer = run_child(oracle, repro->scenario, &models, &verdict, e);
  if (answer == UT_ANSWER_FAILS)
    *failure = verdict.failure;
  else if (answer == UT_ANSWER_UNKNOWN && verdict.error.text[0] && !ut_oracle_is_over(oracle))
    *e = verdict.error;
  return answer;
}
