/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.c - see ranks.h
 *
 * A message begins with a letter:
 *   helper to rank 0: 'H' version, jobs: it is there; 'A' runs that go on: it is still there; 'O' outcome; 'B': it
 * leaves rank 0 to helper: 'R' run; 'A': it is still there; 'E' together: the end
 */
#define _GNU_SOURCE
#include "ranks.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "memory_text.h"
#include "mpi/transport.h"
#include "steady.h"
#include "workers.h"

enum { RANK_0_PATIENCE_S = 600, MOST_SECONDS_BETWEEN_SIGNS = 5 };

/* A run on a helper. */
struct job {
  uint64_t id;
  int rank;
  struct ut_run run;
};

struct helper {
  enum { EXPECTED, THERE, LOST } state; /* EXPECTED: has sent nothing yet */
  unsigned jobs, running;
  double heard;
};

static struct ranks {
  struct ut_transport t;
  bool joined;
  double patience, signs; /* seconds; between signs of life */
  const volatile sig_atomic_t *interrupted;
  /* in rank 0 */
  struct helper *helper; /* [ranks]; that of rank 0 is LOST from the start */
  struct job *job;
  size_t jobs, room;
  unsigned idle;
  uint64_t last_id;
  double said;
  bool any_lost;
} all;

static void sleep_for(double seconds) {
  nanosleep(&(struct timespec){.tv_nsec = (long)(seconds * 1e9)}, NULL);
}

/* ---- joining */

static int load(struct ut_error *e) {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length < 0)
    return ut_fail(e, UT_INTERNAL, "/proc/self/exe: cannot be read");
  path[length] = '\0';
  char *library = NULL, *end = strrchr(path, '/');
  *end = '\0';
  if (asprintf(&library, "%s/uturn_mpi.so", path) < 0)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  const bool built = !access(library, R_OK);
  void *handle = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  free(library);
  if (!handle && built)
    return ut_fail(e, UT_BAD_INPUT, "started by mpirun, but MPI cannot be loaded: %s", dlerror());
  if (!handle)
    return ut_fail(e, UT_BAD_INPUT,
                   "started by mpirun, but built without MPI: install libopenmpi-dev and configure again, or start the "
                   "sweep without mpirun");
  ut_transport_open_function *open = (ut_transport_open_function *)(uintptr_t)dlsym(handle, UT_TRANSPORT_OPEN);
  return open && open(&all.t) ? 0 : ut_fail(e, UT_INTERNAL, "MPI does not start");
}

int ut_ranks_join(double patience, struct ut_error *e) {
  const char *ranks = getenv("OMPI_COMM_WORLD_SIZE");
  if (!ranks || atoi(ranks) < 2)
    return 0;
  ut_workers_init(); /* before MPI has threads: none of them takes SIGCHLD */
  if (load(e))
    return -1;
  all.helper = calloc((size_t)all.t.ranks, sizeof *all.helper);
  if (!all.helper)
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  all.joined = true;
  all.patience = patience;
  all.signs = patience / 5 < MOST_SECONDS_BETWEEN_SIGNS ? patience / 5 : MOST_SECONDS_BETWEEN_SIGNS;
  all.helper[0].state = LOST;
  return 0;
}

bool ut_ranks_helper(void) {
  return all.joined && all.t.rank;
}

/* ---- messages */

static void put_text(FILE *f, const char *text) {
  putc(text != NULL, f);
  if (text)
    fwrite(text, strlen(text) + 1, 1, f);
}

/* A copy of the next text, NULL if it is none; *at is behind it then.  All messages end in a zero. */
static char *get_text(const char **at) {
  const bool there = *(*at)++;
  char *text = there ? strdup(*at) : NULL;
  *at += there ? strlen(*at) + 1 : 0;
  return text;
}

static bool send_run(int to, const struct job *job) {
  char *data = NULL;
  size_t bytes = 0, count = 0;
  FILE *f = ut_memory_open(&data, &bytes);
  if (!f)
    return false;
  while (job->run.arguments[count])
    count++;
  putc('R', f);
  fwrite(&job->id, sizeof job->id, 1, f);
  fwrite(&count, sizeof count, 1, f);
  put_text(f, job->run.scenario);
  for (size_t i = 0; i < count; i++)
    put_text(f, job->run.arguments[i]);
  const bool sent = !ut_memory_close(f, &data) && all.t.send(to, data, bytes);
  free(data);
  return sent;
}

static bool read_run(const char *data, struct ut_run *run, uint64_t *id) {
  size_t count;
  *run = (struct ut_run){0};
  memcpy(id, data + 1, sizeof *id);
  memcpy(&count, data + 1 + sizeof *id, sizeof count);
  const char *at = data + 1 + sizeof *id + sizeof count;
  run->scenario = get_text(&at);
  run->arguments = calloc(count + 1, sizeof *run->arguments);
  for (size_t i = 0; run->arguments && i < count; i++)
    run->arguments[i] = get_text(&at);
  return run->arguments;
}

struct fixed_part { /* of an outcome */
  uint64_t id;
  double wall_s, cpu_s, started;
  int status;
};

static bool send_outcome(uint64_t id, const struct ut_outcome *outcome) {
  const struct fixed_part fixed = {.id = id,
                                   .wall_s = outcome->wall_s,
                                   .cpu_s = outcome->cpu_s,
                                   .started = outcome->started,
                                   .status = outcome->status};
  char *data = NULL;
  size_t bytes = 0;
  FILE *f = ut_memory_open(&data, &bytes);
  if (!f)
    return false;
  putc('O', f);
  fwrite(&fixed, sizeof fixed, 1, f);
  put_text(f, outcome->json);
  put_text(f, outcome->message);
  const bool sent = !ut_memory_close(f, &data) && all.t.send(0, data, bytes);
  free(data);
  return sent;
}

static uint64_t read_outcome(const char *data, struct ut_outcome *outcome) {
  struct fixed_part fixed;
  memcpy(&fixed, data + 1, sizeof fixed);
  const char *at = data + 1 + sizeof fixed;
  *outcome = (struct ut_outcome){
      .status = fixed.status, .wall_s = fixed.wall_s, .cpu_s = fixed.cpu_s, .started = fixed.started};
  outcome->json = get_text(&at);
  outcome->message = get_text(&at);
  return fixed.id;
}

/* ---- rank 0 */

static void lose(int rank) {
  struct helper *helper = &all.helper[rank];
  if (helper->state == THERE)
    all.idle -= helper->jobs - helper->running;
  helper->state = LOST;
  all.any_lost = true;
}

/* Registers a helper that is present and idle. */
static void welcome(int rank, unsigned jobs) {
  struct helper *helper = &all.helper[rank];
  helper->state = THERE;
  helper->jobs = jobs;
  helper->running = 0;
  all.idle += jobs;
}

static void hello(int rank, const char *data) {
  unsigned jobs;
  memcpy(&jobs, data + 1, sizeof jobs);
  if (strcmp(data + 1 + sizeof jobs, ut_results_version())) {
    fprintf(stderr, "uturn: rank %d is another version of this program, and gets no runs\n", rank);
    lose(rank);
  } else {
    welcome(rank, jobs);
  }
}

static void alive(int rank, const char *data) {
  unsigned running;
  struct helper *helper = &all.helper[rank];
  memcpy(&running, data + 1, sizeof running);
  bool waited_for = false; /* a run that it was given before it was lost, and that has not been taken back yet */
  for (size_t i = 0; i < all.jobs; i++)
    waited_for |= all.job[i].rank == rank;
  if (helper->state == LOST && helper->jobs && !running && !waited_for) {
    fprintf(stderr, "uturn: rank %d is back\n", rank);
    welcome(rank, helper->jobs);
  }
}

/* Takes job i out of the list. */
static void remove_job(size_t i, struct ut_run *run) {
  struct helper *helper = &all.helper[all.job[i].rank];
  *run = all.job[i].run;
  if (helper->state == THERE) {
    helper->running--;
    all.idle++;
  }
  all.job[i] = all.job[--all.jobs];
}

/* Returns a run whose rank is lost: it is made again. */
static bool lost_job(struct ut_run *run) {
  for (size_t i = 0; all.any_lost && i < all.jobs; i++)
    if (all.helper[all.job[i].rank].state == LOST) {
      remove_job(i, run);
      return true;
    }
  return false;
}

static bool ended_job(const char *data, struct ut_run *run, struct ut_outcome *outcome) {
  const uint64_t id = read_outcome(data, outcome);
  for (size_t i = 0; i < all.jobs; i++)
    if (all.job[i].id == id) {
      remove_job(i, run);
      return true;
    }
  ut_outcome_free(outcome); /* of one that was lost */
  return false;
}

/* Sends a sign of life, and gives up ranks that have sent none. */
static void look_after(void) {
  const double t = ut_seconds();
  if (t - all.said < all.signs)
    return;
  /* This rank itself was stopped, or busy: messages of the others have not been read yet. */
  const bool late = t - all.said > 2 * all.signs;
  all.said = t;
  for (int i = 1; i < all.t.ranks; i++) {
    struct helper *helper = &all.helper[i];
    if (late || helper->heard == 0)
      helper->heard = t;
    if (helper->state != LOST && t - helper->heard > all.patience) {
      fprintf(stderr, "uturn: rank %d has been silent for %.0f s: its runs are given to others\n", i, all.patience);
      lose(i);
    } else if (helper->state == THERE) {
      all.t.send(i, "A", 1);
    }
  }
}

static enum ut_crew_event take(void *ctx, struct ut_run *run, struct ut_outcome *outcome) {
  int from;
  size_t bytes;
  char *data;
  (void)ctx;
  look_after();
  while ((data = all.t.receive(&from, &bytes))) {
    bool ended = false;
    all.helper[from].heard = ut_seconds();
    switch (data[0]) {
    case 'H': hello(from, data); break;
    case 'A': alive(from, data); break;
    case 'O': ended = ended_job(data, run, outcome); break;
    case 'B': lose(from); break;
    default: break;
    }
    free(data);
    if (ended)
      return UT_CREW_ENDED;
  }
  return lost_job(run) ? UT_CREW_LOST : UT_CREW_NOTHING;
}

static bool idle(void *ctx) {
  (void)ctx;
  return all.idle;
}

static int give(void *ctx, const struct ut_run *run, struct ut_error *e) {
  int rank = 1;
  (void)ctx;
  if (all.jobs == all.room) {
    struct job *more = realloc(all.job, (all.room * 2 + 16) * sizeof *more);
    if (!more)
      return ut_fail(e, UT_BAD_INPUT, "out of memory");
    all.job = more;
    all.room = all.room * 2 + 16;
  }
  while (all.helper[rank].state != THERE || all.helper[rank].running == all.helper[rank].jobs)
    rank++;
  struct job *job = &all.job[all.jobs];
  *job = (struct job){.id = ++all.last_id, .rank = rank, .run = *run};
  all.jobs++;
  all.helper[rank].running++;
  all.idle--;
  if (!send_run(rank, job)) { /* MPI has found out that its process is gone */
    fprintf(stderr, "uturn: rank %d cannot be reached: its runs are given to others\n", rank);
    lose(rank);
  }
  return 0;
}

static int wait_for_message(void *ctx, double seconds, struct ut_error *e) {
  const double until = ut_seconds() + seconds;
  (void)ctx;
  bool left = false;
  for (int i = 1; i < all.t.ranks; i++)
    left |= all.helper[i].state != LOST;
  if (!left)
    return ut_fail(e, UT_INTERNAL,
                   "all ranks that make runs are gone; what is stored is kept, the same command makes the others");
  for (double pause = 50e-6; !all.t.arrived() && ut_seconds() < until && !*all.interrupted;
       pause *= pause < 1e-3 ? 2 : 1)
    sleep_for(pause);
  return 0;
}

static void end(void *ctx) {
  (void)ctx; /* the helpers stop their runs in ut_ranks_leave() */
  while (all.jobs)
    ut_run_free(&all.job[--all.jobs].run);
  free(all.job);
  all.job = NULL;
  all.room = 0;
}

bool ut_crew_of_ranks(struct ut_crew *crew, const volatile sig_atomic_t *interrupted) {
  if (!all.joined)
    return false;
  all.interrupted = interrupted;
  all.said = ut_seconds();
  *crew = (struct ut_crew){.idle = idle, .give = give, .take = take, .wait = wait_for_message, .end = end};
  return true;
}

void ut_ranks_leave(void) {
  if (!all.joined)
    return;
  const bool together = !all.any_lost && !(all.interrupted && *all.interrupted);
  const double until = ut_seconds() + 2;
  for (int i = 1; i < all.t.ranks; i++) /* also to those that were only stopped */
    all.t.send(i, (char[]){'E', together}, 2);
  for (int i = 1; i < all.t.ranks; i++)
    while (all.helper[i].state != LOST && !all.t.sent(i) && ut_seconds() < until)
      sleep_for(1e-3);
  all.t.close(together);
  all.joined = false;
}

/* ---- the others */

struct help {
  struct ut_worker *worker;
  uint64_t *id; /* [jobs]: of what the worker makes */
  unsigned jobs, running;
  double heard, said;
  bool over, together;
};

static int start_run(struct help *help, const char *data, struct ut_error *e) {
  struct ut_run run;
  unsigned i = 0;
  while (i < help->jobs && help->worker[i].pid)
    i++;
  if (i == help->jobs)
    return ut_fail(e, UT_INTERNAL, "rank %d was given one run too many", all.t.rank);
  if (!read_run(data, &run, &help->id[i]))
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  if (ut_worker_start(&help->worker[i], &run, e)) {
    ut_run_free(&run);
    return -1;
  }
  help->running++;
  return 0;
}

static int obey(struct help *help, struct ut_error *e) {
  int from, status = 0;
  size_t bytes;
  char *data;
  while (!status && !help->over && (data = all.t.receive(&from, &bytes))) {
    help->heard = ut_seconds();
    if (data[0] == 'R')
      status = start_run(help, data, e);
    help->over = data[0] == 'E';
    help->together = help->over && data[1];
    free(data);
  }
  return status;
}

static int send_ended(struct help *help, struct ut_error *e) {
  for (unsigned i = 0; i < help->jobs; i++) {
    struct ut_run run;
    struct ut_outcome outcome;
    if (!ut_worker_ended(&help->worker[i], &run, &outcome))
      continue;
    help->running--;
    const bool sent = send_outcome(help->id[i], &outcome);
    ut_run_free(&run);
    ut_outcome_free(&outcome);
    if (!sent)
      return ut_fail(e, UT_INTERNAL, "cannot send an outcome to rank 0");
  }
  return 0;
}

static void say_alive(struct help *help) {
  char data[1 + sizeof help->running] = "A";
  if (ut_seconds() - help->said < all.signs)
    return;
  help->said = ut_seconds();
  memcpy(data + 1, &help->running, sizeof help->running);
  all.t.send(0, data, sizeof data);
}

static int help(struct help *request, const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  char hello[64] = "H";
  memcpy(hello + 1, &request->jobs, sizeof request->jobs);
  snprintf(hello + 1 + sizeof request->jobs, sizeof hello - 1 - sizeof request->jobs, "%s", ut_results_version());
  int status = all.t.send(0, hello, sizeof hello) ? 0 : ut_fail(e, UT_INTERNAL, "cannot reach rank 0");
  while (!status && !*interrupted) {
    status = obey(request, e) || request->over || send_ended(request, e);
    if (request->over)
      return 0;
    say_alive(request);
    if (!status && ut_seconds() - request->heard > RANK_0_PATIENCE_S)
      status = ut_fail(e, UT_INTERNAL, "rank %d has heard nothing of rank 0 for %d s", all.t.rank, RANK_0_PATIENCE_S);
    if (!status)
      ut_workers_wait(2e-3);
  }
  all.t.send(0, "B", 1);
  return status ? -1 : 0;
}

int ut_ranks_help(unsigned jobs, const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  struct help request = {.worker = calloc(jobs, sizeof *request.worker),
                         .id = calloc(jobs, sizeof *request.id),
                         .jobs = jobs,
                         .heard = ut_seconds(),
                         .said = ut_seconds()};
  const int status =
      request.worker && request.id ? help(&request, interrupted, e) : ut_fail(e, UT_BAD_INPUT, "out of memory");
  for (unsigned i = 0; request.worker && i < jobs; i++)
    ut_worker_stop(&request.worker[i]);
  free(request.worker);
  free(request.id);
  all.t.close(request.together);
  all.joined = false;
  return status;
}
