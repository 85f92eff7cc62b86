/* SPDX-License-Identifier: Apache-2.0 */
/* parallel.c - see parallel.h */
#define _GNU_SOURCE
#include "parallel.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ending.h"

enum { MAX_WORKERS = 256 };

bool ut_item_source_stopped(const struct ut_item_source *source) {
  return (source->stop && *source->stop) || atomic_load(&source->stopped);
}

bool ut_item_source_take(struct ut_item_source *source, uint64_t *from, uint64_t *to) {
  if (ut_item_source_stopped(source))
    return false;
  *from = atomic_fetch_add(&source->next, source->chunk);
  if (*from >= source->items)
    return false;
  *to = source->items - *from < source->chunk ? source->items : *from + source->chunk;
  if (source->alone && source->alone->progress && !source->alone->units)
    source->alone->progress(source->alone->ctx, *from, source->items);
  return true;
}

void ut_item_source_did(struct ut_item_source *source, uint64_t units) {
  const uint64_t did = atomic_fetch_add(&source->did, units) + units;
  if (source->alone && source->alone->progress)
    source->alone->progress(source->alone->ctx, did, source->alone->units);
}

unsigned ut_parallel_workers(const struct ut_parallel *parallel) {
  long cores = parallel->workers ? (long)parallel->workers : sysconf(_SC_NPROCESSORS_ONLN);
  uint64_t chunks = parallel->items / parallel->chunk + 1;
  if (cores < 1)
    cores = 1;
  if (cores > MAX_WORKERS)
    cores = MAX_WORKERS;
  return (uint64_t)cores > chunks ? (unsigned)chunks : (unsigned)cores;
}

/* Data that the processes share; the results follow. */
struct common {
  struct ut_item_source source;
  struct ut_error error[MAX_WORKERS];
  bool done[MAX_WORKERS];
};

static size_t shared_size(const struct ut_parallel *parallel) {
  return sizeof(struct common) + parallel->result_size * ut_parallel_workers(parallel);
}

static void wait_for(const struct ut_parallel *parallel, struct common *common, const pid_t *pid, unsigned started,
                     int pipe) {
  struct pollfd ready = {.fd = pipe, .events = POLLIN};
  while (poll(&ready, 1, 500) <= 0) { /* the pipe closes when all have ended */
    const uint64_t done = atomic_load(parallel->units ? &common->source.did : &common->source.next);
    const uint64_t all = parallel->units ? parallel->units : parallel->items;
    if (parallel->stop && *parallel->stop && !atomic_exchange(&common->source.stopped, true))
      for (unsigned i = 0; i < started; i++)
        kill(pid[i], SIGINT); /* for those that did not get it from the terminal, because an item may take minutes */
    if (parallel->progress)
      parallel->progress(parallel->ctx, done < all ? done : all, all);
  }
}

/* How a process has ended, as waitpid says it. */
static int end_of(pid_t pid) {
  int status = 0;
  while (ut_child_wait(pid, &status, 0, NULL) < 0 && errno == EINTR)
    ;
  return status;
}

static int fail_killed(int end, struct ut_error *e) {
  if (WIFSIGNALED(end) && WTERMSIG(end) == SIGKILL)
    return ut_fail(e, UT_BAD_INPUT, "a process of the analysis was killed; is there enough memory?");
  return ut_fail(e, UT_INTERNAL, "a process of the analysis has failed, signal %d",
                 WIFSIGNALED(end) ? WTERMSIG(end) : 0);
}

static int fail_started(int error, struct ut_error *e) {
  errno = error;
  return ut_child_fail("the analysis", e);
}

int ut_parallel_run(const struct ut_parallel *parallel, ut_parallel_work *work, void *results, struct ut_error *e) {
  unsigned workers = ut_parallel_workers(parallel), started = 0;
  memset(results, 0, parallel->result_size * workers);
  if (workers == 1) {
    struct ut_item_source source = {
        .items = parallel->items, .chunk = parallel->chunk, .stop = parallel->stop, .alone = parallel};
    return work(parallel->ctx, &source, results, e);
  }
  size_t size = shared_size(parallel);
  struct common *common = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int ends[2];
  if (common == MAP_FAILED)
    return ut_fail(e, UT_BAD_INPUT, "out of memory for %u processes", workers);
  if (pipe(ends)) {
    munmap(common, size);
    return ut_fail(e, UT_BAD_INPUT, "no pipe: %s", strerror(errno));
  }
  common->source.items = parallel->items;
  common->source.chunk = parallel->chunk;
  common->source.stop = parallel->stop;
  unsigned char *result = (unsigned char *)(common + 1);
  pid_t pid[MAX_WORKERS];
  fflush(NULL);
  int error = 0;
  for (; started < workers; started++) {
    pid[started] = ut_child_fork();
    if (pid[started] < 0) {
      error = errno;
      break;
    }
    if (pid[started] == 0) {
      close(ends[0]);
      int bad = work(parallel->ctx, &common->source, result + parallel->result_size * started, &common->error[started]);
      common->done[started] = !bad;
      _exit(bad ? 1 : 0);
    }
  }
  close(ends[1]);
  if (started)
    wait_for(parallel, common, pid, started, ends[0]);
  close(ends[0]);
  int status = started ? 0 : fail_started(error, e);
  for (unsigned i = 0; i < started; i++) {
    const int end = end_of(pid[i]);
    if (status || common->done[i])
      continue;
    if (e)
      *e = common->error[i];
    status = -1;
    if (!common->error[i].text[0])
      fail_killed(end, e);
  }
  memcpy(results, result, parallel->result_size * workers);
  munmap(common, size);
  return status;
}
