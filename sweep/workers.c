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
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void ut_workers_init(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

void ut_workers_wait(double seconds) {
  sigset_t set;
  struct timespec t = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigtimedwait(&set, NULL, &t);
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
static void run_program(const struct ut_run *r, int in, const struct ut_worker *w) {
  sigset_t none;
  setpgid(0, 0);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGXFSZ, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (dup2(in, STDIN_FILENO) >= 0 && dup2(w->out, STDOUT_FILENO) >= 0 && dup2(w->err, STDERR_FILENO) >= 0)
    execv("/proc/self/exe", r->arguments);
  dprintf(w->err, "cannot start: %s\n", strerror(errno));
  _exit(126);
}

int ut_worker_start(struct ut_worker *w, const struct ut_run *run, struct ut_error *e) {
  const int in = memory_file("scenario", run->scenario);
  w->out = memory_file("results", NULL);
  w->err = memory_file("messages", NULL);
  w->started = today();
  w->clock = ut_seconds();
  const bool files = in >= 0 && w->out >= 0 && w->err >= 0;
  w->pid = files ? ut_child_fork() : -1;
  if (w->pid == 0)
    run_program(run, in, w);
  const int error = errno;
  if (in >= 0)
    close(in);
  if (w->pid > 0) {
    setpgid(w->pid, w->pid); /* whoever is first */
    w->run = *run;
    return 0;
  }
  if (w->out >= 0)
    close(w->out);
  if (w->err >= 0)
    close(w->err);
  w->pid = 0;
  errno = error;
  return ut_child_fail("a run", e);
}

/* ---- end */

/* The last bytes of a file in memory, all of them if most is 0, and its end (malloc'd); NULL: out of memory. */
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

/* The text without what is behind the last visible character; NULL if there is none. */
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

static void explain(struct ut_outcome *o, int status, bool json) {
  char *why = NULL;
  if (WIFSIGNALED(status) &&
      asprintf(&why, "killed by signal %d (%s)%s%s", WTERMSIG(status), strsignal(WTERMSIG(status)),
               o->message ? "\n" : "", o->message ? o->message : "") < 0)
    why = NULL;
  if (!WIFSIGNALED(status) && !json && !o->message)
    why = strdup("printed neither a result nor a message");
  if (why) {
    free(o->message);
    o->message = why;
  }
}

bool ut_worker_ended(struct ut_worker *w, struct ut_run *run, struct ut_outcome *o) {
  int status;
  struct rusage usage;
  if (!w->pid || ut_child_wait(w->pid, &status, WNOHANG, &usage) != w->pid)
    return false;
  *o = (struct ut_outcome){
      .status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
      .started = w->started,
      .wall_s = ut_seconds() - w->clock,
      .cpu_s = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6,
      .json = trimmed(contents(w->out, 0)),
      .message = trimmed(contents(w->err, MESSAGE_BYTES)),
  };
  json_t *value = o->json ? json_loads(o->json, 0, NULL) : NULL;
  if (!value) { /* half of one is none */
    free(o->json);
    o->json = NULL;
  }
  json_decref(value);
  explain(o, status, o->json != NULL);
  close(w->out);
  close(w->err);
  *run = w->run;
  *w = (struct ut_worker){0};
  return true;
}

void ut_worker_stop(struct ut_worker *w) {
  if (!w->pid)
    return;
  ut_child_end(w->pid);
  close(w->out);
  close(w->err);
  ut_run_free(&w->run);
  *w = (struct ut_worker){0};
}
