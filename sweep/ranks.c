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

/* A run that a helper makes. */
struct job {
  uint64_t id;
  int rank;
  struct ut_run run;
};

struct helper {
  enum { EXPECTED, THERE, LOST } state; /* EXPECTED: has not said anything yet */
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

static bool send_run(int to, const struct job *j) {
  char *data = NULL;
  size_t bytes = 0, count = 0;
  FILE *f = ut_memory_open(&data, &bytes);
  if (!f)
    return false;
  while (j->run.arguments[count])
    count++;
  putc('R', f);
  fwrite(&j->id, sizeof j->id, 1, f);
  fwrite(&count, sizeof count, 1, f);
  put_text(f, j->run.scenario);
  for (size_t i = 0; i < count; i++)
    put_text(f, j->run.arguments[i]);
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

static bool send_outcome(uint64_t id, const struct ut_outcome *o) {
  const struct fixed_part fixed = {
      .id = id, .wall_s = o->wall_s, .cpu_s = o->cpu_s, .started = o->started, .status = o->status};
  char *data = NULL;
  size_t bytes = 0;
  FILE *f = ut_memory_open(&data, &bytes);
  if (!f)
    return false;
  putc('O', f);
  fwrite(&fixed, sizeof fixed, 1, f);
  put_text(f, o->json);
  put_text(f, o->message);
  const bool sent = !ut_memory_close(f, &data) && all.t.send(0, data, bytes);
  free(data);
  return sent;
}

static uint64_t read_outcome(const char *data, struct ut_outcome *o) {
  struct fixed_part fixed;
  memcpy(&fixed, data + 1, sizeof fixed);
  const char *at = data + 1 + sizeof fixed;
  *o = (struct ut_outcome){
      .status = fixed.status, .wall_s = fixed.wall_s, .cpu_s = fixed.cpu_s, .started = fixed.started};
  o->json = get_text(&at);
  o->message = get_text(&at);
  return fixed.id;
}

/* ---- rank 0 */

static void lose(int rank) {
  struct helper *h = &all.helper[rank];
  if (h->state == THERE)
    all.idle -= h->jobs - h->running;
  h->state = LOST;
  all.any_lost = true;
}

/* A helper is there, and has nothing to do. */
static void welcome(int rank, unsigned jobs) {
  struct helper *h = &all.helper[rank];
  h->state = THERE;
  h->jobs = jobs;
  h->running = 0;
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
  struct helper *h = &all.helper[rank];
  memcpy(&running, data + 1, sizeof running);
  bool waited_for = false; /* a run that it was given before it was lost, and that no one has taken back yet */
  for (size_t i = 0; i < all.jobs; i++)
    waited_for |= all.job[i].rank == rank;
  if (h->state == LOST && h->jobs && !running && !waited_for) {
    fprintf(stderr, "uturn: rank %d is back\n", rank);
    welcome(rank, h->jobs);
  }
}

/* Takes job i out of the list. */
static void remove_job(size_t i, struct ut_run *run) {
  struct helper *h = &all.helper[all.job[i].rank];
  *run = all.job[i].run;
  if (h->state == THERE) {
    h->running--;
    all.idle++;
  }
  all.job[i] = all.job[--all.jobs];
}

/* One whose rank is lost: it is made again. */
static bool lost_job(struct ut_run *run) {
  for (size_t i = 0; all.any_lost && i < all.jobs; i++)
    if (all.helper[all.job[i].rank].state == LOST) {
      remove_job(i, run);
      return true;
    }
  return false;
}

static bool ended_job(const char *data, struct ut_run *run, struct ut_outcome *o) {
  const uint64_t id = read_outcome(data, o);
  for (size_t i = 0; i < all.jobs; i++)
    if (all.job[i].id == id) {
      remove_job(i, run);
      return true;
    }
  ut_outcome_free(o); /* of one that was lost */
  return false;
}

/* Says that this rank is there, and gives up those that do not. */
static void look_after(void) {
  const double t = ut_seconds();
  if (t - all.said < all.signs)
    return;
  /* This rank itself was stopped, or busy: what the others have said is not read yet. */
  const bool late = t - all.said > 2 * all.signs;
  all.said = t;
  for (int i = 1; i < all.t.ranks; i++) {
    struct helper *h = &all.helper[i];
    if (late || h->heard == 0)
      h->heard = t;
    if (h->state != LOST && t - h->heard > all.patience) {
      fprintf(stderr, "uturn: rank %d has been silent for %.0f s: its runs are given to others\n", i, all.patience);
      lose(i);
    } else if (h->state == THERE) {
      all.t.send(i, "A", 1);
    }
  }
}

static enum ut_crew_event take(void *ctx, struct ut_run *run, struct ut_outcome *o) {
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
    case 'O': ended = ended_job(data, run, o); break;
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
  struct job *j = &all.job[all.jobs];
  *j = (struct job){.id = ++all.last_id, .rank = rank, .run = *run};
  all.jobs++;
  all.helper[rank].running++;
  all.idle--;
  if (!send_run(rank, j)) { /* MPI has found out that its process is gone */
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

bool ut_crew_of_ranks(struct ut_crew *c, const volatile sig_atomic_t *interrupted) {
  if (!all.joined)
    return false;
  all.interrupted = interrupted;
  all.said = ut_seconds();
  *c = (struct ut_crew){.idle = idle, .give = give, .take = take, .wait = wait_for_message, .end = end};
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

static int start_run(struct help *h, const char *data, struct ut_error *e) {
  struct ut_run run;
  unsigned i = 0;
  while (i < h->jobs && h->worker[i].pid)
    i++;
  if (i == h->jobs)
    return ut_fail(e, UT_INTERNAL, "rank %d was given one run too many", all.t.rank);
  if (!read_run(data, &run, &h->id[i]))
    return ut_fail(e, UT_BAD_INPUT, "out of memory");
  if (ut_worker_start(&h->worker[i], &run, e)) {
    ut_run_free(&run);
    return -1;
  }
  h->running++;
  return 0;
}

static int obey(struct help *h, struct ut_error *e) {
  int from, status = 0;
  size_t bytes;
  char *data;
  while (!status && !h->over && (data = all.t.receive(&from, &bytes))) {
    h->heard = ut_seconds();
    if (data[0] == 'R')
      status = start_run(h, data, e);
    h->over = data[0] == 'E';
    h->together = h->over && data[1];
    free(data);
  }
  return status;
}

static int send_ended(struct help *h, struct ut_error *e) {
  for (unsigned i = 0; i < h->jobs; i++) {
    struct ut_run run;
    struct ut_outcome o;
    if (!ut_worker_ended(&h->worker[i], &run, &o))
      continue;
    h->running--;
    const bool sent = send_outcome(h->id[i], &o);
    ut_run_free(&run);
    ut_outcome_free(&o);
    if (!sent)
      return ut_fail(e, UT_INTERNAL, "cannot send an outcome to rank 0");
  }
  return 0;
}

static void say_alive(struct help *h) {
  char data[1 + sizeof h->running] = "A";
  if (ut_seconds() - h->said < all.signs)
    return;
  h->said = ut_seconds();
  memcpy(data + 1, &h->running, sizeof h->running);
  all.t.send(0, data, sizeof data);
}

static int help(struct help *h, const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  char hello[64] = "H";
  memcpy(hello + 1, &h->jobs, sizeof h->jobs);
  snprintf(hello + 1 + sizeof h->jobs, sizeof hello - 1 - sizeof h->jobs, "%s", ut_results_version());
  int status = all.t.send(0, hello, sizeof hello) ? 0 : ut_fail(e, UT_INTERNAL, "cannot reach rank 0");
  while (!status && !*interrupted) {
    status = obey(h, e) || h->over || send_ended(h, e);
    if (h->over)
      return 0;
    say_alive(h);
    if (!status && ut_seconds() - h->heard > RANK_0_PATIENCE_S)
      status = ut_fail(e, UT_INTERNAL, "rank %d has heard nothing of rank 0 for %d s", all.t.rank, RANK_0_PATIENCE_S);
    if (!status)
      ut_workers_wait(2e-3);
  }
  all.t.send(0, "B", 1);
  return status ? -1 : 0;
}

int ut_ranks_help(unsigned jobs, const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  struct help h = {.worker = calloc(jobs, sizeof *h.worker),
                   .id = calloc(jobs, sizeof *h.id),
                   .jobs = jobs,
                   .heard = ut_seconds(),
                   .said = ut_seconds()};
  const int status = h.worker && h.id ? help(&h, interrupted, e) : ut_fail(e, UT_BAD_INPUT, "out of memory");
  for (unsigned i = 0; h.worker && i < jobs; i++)
    ut_worker_stop(&h.worker[i]);
  free(h.worker);
  free(h.id);
  all.t.close(h.together);
  all.joined = false;
  return status;
}
