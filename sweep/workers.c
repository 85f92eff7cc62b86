/* SPDX-License-Identifier: Apache-2.0 */
/* workers.c - see workers.h */
#define _GNU_SOURCE
#include "workers.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "ending.h"
#include "steady.h"

enum { MESSAGE_BYTES = 2000 };

/* Seconds of the calendar. */
static double today(void) {
  struct timespec timespec;
  clock_gettime(CLOCK_REALTIME, &timespec);
  return (double)timespec.tv_sec + (double)timespec.tv_nsec * 1e-9;
}

void ut_workers_init(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

void ut_workers_wait(double seconds) {
  sigset_t set;
  struct timespec timespec = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigtimedwait(&set, NULL, &timespec);
}

/* ---- start */

/* A file in memory with that text; -1 and errno. */
static int memory_file(const char *name, const char *text) {
  const int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0 || !text)
    return fd;
  for (size_t length = strlen(text); length;) {
    const ssize_t written = write(fd, text, length);
    if (written < 0 && errno != EINTR) {
      close(fd);
      return -1;
    }
    if (written > 0)
      text += written, length -= (size_t)written;
  }
  lseek(fd, 0, SEEK_SET);
  return fd;
}

/* In the child; does not come back. */
static void run_program(const struct ut_run *run, int in, const struct ut_worker *worker) {
  sigset_t none;
  setpgid(0, 0);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGXFSZ, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (dup2(in, STDIN_FILENO) >= 0 && dup2(worker->out, STDOUT_FILENO) >= 0 && dup2(worker->err, STDERR_FILENO) >= 0)
    execv("/proc/self/exe", run->arguments);
  dprintf(worker->err, "cannot start: %s\n", strerror(errno));
  _exit(126);
}

int ut_worker_start(struct ut_worker *worker, const struct ut_run *run, struct ut_error *e) {
  const int in = memory_file("scenario", run->scenario);
  worker->out = memory_file("results", NULL);
  worker->err = memory_file("messages", NULL);
  worker->started = today();
  worker->clock = ut_seconds();
  const bool files = in >= 0 && worker->out >= 0 && worker->err >= 0;
  worker->pid = files ? ut_child_fork() : -1;
  if (worker->pid == 0)
    run_program(run, in, worker);
  const int error = errno;
  if (in >= 0)
    close(in);
  if (worker->pid > 0) {
    setpgid(worker->pid, worker->pid); /* whoever is first */
    worker->run = *run;
    return 0;
  }
  if (worker->out >= 0)
    close(worker->out);
  if (worker->err >= 0)
    close(worker->err);
  worker->pid = 0;
  errno = error;
  return ut_child_fail("a run", e);
}

/* ---- end */

/* Returns the last bytes of a file in memory, all of them if most is 0, and a NUL (malloc'd); NULL: out of memory. */
static char *contents(int fd, size_t most) {
  struct stat status;
  size_t size = fstat(fd, &status) ? 0 : (size_t)status.st_size, from = most && size > most ? size - most : 0, read = 0;
  char *text = malloc(size - from + 1);
  while (text && from + read < size) {
    const ssize_t got = pread(fd, text + read, size - from - read, (off_t)(from + read));
    if (got <= 0 && errno != EINTR)
      break;
    read += got > 0 ? (size_t)got : 0;
  }
  if (text)
    text[read] = '\0';
  return text;
}

/* Returns the text up to its last visible character; NULL if there is none. */
static char *trimmed(char *text) {
  size_t length = text ? strlen(text) : 0;
  while (length && (unsigned char)text[length - 1] <= ' ')
    text[--length] = '\0';
  if (!length) {
    free(text);
    return NULL;
  }
  return text;
}

static void explain(struct ut_outcome *outcome, int status, bool json) {
  char *why = NULL;
  if (WIFSIGNALED(status) &&
      asprintf(&why, "killed by signal %d (%s)%s%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
               outcome->message ? "\n" : "", outcome->message ? outcome->message : "") < 0)
    why = NULL;
  if (!WIFSIGNALED(status) && !json && !outcome->message)
    why = strdup("printed neither a result nor a message");
  if (why) {
    free(outcome->message);
    outcome->message = why;
  }
}

bool ut_worker_ended(struct ut_worker *worker, struct ut_run *run, struct ut_outcome *outcome) {
  int status;
  struct rusage usage;
  if (!worker->pid || ut_child_wait(worker->pid, &status, WNOHANG, &usage) != worker->pid)
    return false;
  *outcome = (struct ut_outcome){
      .status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
      .started = worker->started,
      .wall_s = ut_seconds() - worker->clock,
      .cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6,
      .json = trimmed(contents(worker->out, 0)),
      .message = trimmed(contents(worker->err, MESSAGE_BYTES)),
  };
  json_t *value = outcome->json ? json_loads(outcome->json, 0, NULL) : NULL;
  if (!value) { /* half of one is none */
    free(outcome->json);
    outcome->json = NULL;
  }
  json_decref(value);
  explain(outcome, status, outcome->json != NULL);
  close(worker->out);
  close(worker->err);
  *run = worker->run;
  *worker = (struct ut_worker){0};
  return true;
}

void ut_worker_stop(struct ut_worker *worker) {
  if (!worker->pid)
    return;
  ut_child_end(worker->pid);
  close(worker->out);
  close(worker->err);
  ut_run_free(&worker->run);
  *worker = (struct ut_worker){0};
}
