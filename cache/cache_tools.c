/* SPDX-License-Identifier: Apache-2.0 */
/* cache_tools.c - see cache_tools.h */
#define _GNU_SOURCE
#include "cache_tools.h"
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ending.h"
#include "steady.h"
#include "threads.h"

enum { MAX_PARALLEL = 2 };

/* ---- commands ---- */

void ut_args_add(struct ut_args *args, const char *format, ...) {
  char *text = NULL;
  va_list ap;
  va_start(ap, format);
  int n = vasprintf(&text, format, ap);
  va_end(ap);
  char **v = n < 0 ? NULL : realloc(args->v, (args->n + 2) * sizeof *v);
  if (!v) {
    if (n >= 0)
      free(text);
    args->failed = true;
    return;
  }
  args->v = v;
  args->v[args->n++] = text;
  args->v[args->n] = NULL;
}

void ut_args_add_all(struct ut_args *args, const char *const *list) {
  for (; *list; list++)
    ut_args_add(args, "%s", *list);
}

/* ---- jobs ---- */

static void stop_job(struct ut_job *job) {
  if (job->pid <= 0)
    return;
  ut_tool_stop(job->pid);
  job->pid = 0;
}

static int compare_jobs(const void *a, const void *b) {
  const struct ut_job *x = a, *y = b;
  return x->weight < y->weight ? 1 : x->weight > y->weight ? -1 : 0;
}

static int open_logs(struct ut_job *jobs, int n, struct ut_error *e) {
  for (int i = 0; i < n; i++) {
    jobs[i].log_fd = memfd_create("uturn", MFD_CLOEXEC);
    if (jobs[i].log_fd < 0)
      return ut_fail(e, UT_INTERNAL, "cache: cannot create a memory file: %s", strerror(errno));
  }
  return 0;
}

static int start_job(struct ut_job *job, const char *cwd, struct ut_error *e) {
  const struct ut_tool tool = {.command = job->command.v,
                               .folder = cwd,
                               .private_folder = job->in_entry,
                               .has_home = job->has_home,
                               .in = -1,
                               .out = job->log_fd,
                               .err = job->log_fd};
  if (job->command.failed)
    return ut_fail(e, UT_BAD_INPUT, "cache: cannot start a tool: out of memory");
  job->pid = ut_tool_start(&tool);
  return job->pid < 0 ? ut_child_fail(job->command.v[0], e) : 0;
}

/* Has the job ended?  Its exit status in *status. */
static bool reap_job(struct ut_job *job, int *status) {
  int wait_status;
  pid_t got = ut_child_wait(job->pid, &wait_status, WNOHANG, NULL);
  if (got == 0 || (got < 0 && errno == EINTR))
    return false;
  *status = got < 0 ? 126 : WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
  job->pid = 0;
  job->done = true;
  return true;
}

/* ---- a job that takes long says so: after 2 s, 4, 8, then every ten seconds */

struct long_job {
  double start, next; /* seconds */
};
static const double FIRST_SAY_S = 2, MOST_SAY_S = 10;

/* The last step that Yosys has told of in a log, "12.3. Executing ABC pass (...)"; "": it has told of none. */
static void find_step(int log_fd, char *step, size_t size) {
  char tail[16384];
  const off_t end = lseek(log_fd, 0, SEEK_CUR);
  const off_t from = end > (off_t)sizeof tail - 1 ? end - (off_t)sizeof tail + 1 : 0;
  const ssize_t got = pread(log_fd, tail, sizeof tail - 1, from);
  tail[got > 0 ? got : 0] = '\0';
  for (char *line = tail, *next; line; line = next) {
    next = strchr(line, '\n');
    if (next)
      *next++ = '\0';
    const char *word = line + strspn(line, "0123456789.");
    if (next && word != line && !strncmp(word, " Executing ", 11))
      snprintf(step, size, "%.*s", (int)size - 1, line);
  }
}

static void say_long(const struct ut_caller *caller, const struct ut_job *jobs, int n, struct long_job *job) {
  char step[128] = "";
  const double now = ut_seconds();
  if (now < job->next)
    return;
  for (int i = 0; i < n && !step[0]; i++)
    if (jobs[i].pid > 0)
      find_step(jobs[i].log_fd, step, sizeof step);
  ut_caller_say(caller, "%.0f s so far%s%s", now - job->start, step[0] ? ": " : "", step);
  job->next = now + (now - job->start < MOST_SAY_S ? now - job->start : MOST_SAY_S);
}

/* The loop of ut_jobs_run. */
static int run_all(const struct ut_caller *caller, struct ut_job *jobs, int n, const char *cwd, int *status) {
  useconds_t pause = 1000;
  struct long_job long_job = {.start = ut_seconds()};
  long_job.next = long_job.start + FIRST_SAY_S;
  for (int running = 0, ended = 0; ended < n;) {
    if (ut_caller_check(caller))
      return UT_JOBS_ERROR;
    bool changed = false;
    for (int i = 0; i < n; i++) {
      struct ut_job *job = &jobs[i];
      if (!job->done && job->pid == 0 && running < MAX_PARALLEL) {
        if (start_job(job, cwd, caller->e))
          return UT_JOBS_ERROR;
        running++;
        changed = true;
      } else if (job->pid > 0 && reap_job(job, status)) {
        if (*status)
          return i;
        running--;
        changed = true;
        if (++ended < n)
          ut_caller_say(caller, "%d of %d done", ended, n);
      }
    }
    say_long(caller, jobs, n, &long_job);
    if (!changed) {
      usleep(pause); /* a signal shortens it: that is wanted */
      pause = pause < 20000 ? pause + 1000 : 20000;
    }
  }
  return UT_JOBS_DONE;
}

/* Tools that cannot start others fail without saying why, or wait for ever, as Perl does. */
static int check_processes(const char *tool, struct ut_error *e) {
  enum { AT_ONCE = 12 };
  if (ut_threads_possible(AT_ONCE))
    return 0;
  return ut_fail(e, UT_BAD_INPUT,
                 "%s needs up to %d processes at once, and so many cannot be started: end others, or raise `ulimit -u`",
                 tool, AT_ONCE);
}

int ut_jobs_run(const struct ut_caller *caller, struct ut_job *jobs, int n, const char *cwd, int *status) {
  qsort(jobs, (size_t)n, sizeof *jobs, compare_jobs);
  if ((n && check_processes(jobs[0].command.v[0], caller->e)) || open_logs(jobs, n, caller->e))
    return UT_JOBS_ERROR;
  int result = run_all(caller, jobs, n, cwd, status);
  for (int i = 0; i < n; i++)
    stop_job(&jobs[i]);
  return result;
}

char *ut_job_output(const struct ut_job *job) {
  struct stat st;
  if (job->log_fd < 0 || fstat(job->log_fd, &st))
    return NULL;
  char *text = calloc(1, (size_t)st.st_size + 1);
  if (text && pread(job->log_fd, text, (size_t)st.st_size, 0) < 0)
    text[0] = '\0';
  return text;
}

double ut_number_behind(const char *text, const char *key) {
  double number = NAN;
  for (const char *at = text; at && (at = strstr(at, key)); at += strlen(key))
    number = strtod(at + strlen(key), NULL);
  return number;
}

void ut_jobs_free(struct ut_job *jobs, int n) {
  for (int i = 0; i < n; i++) {
    for (size_t a = 0; a < jobs[i].command.n; a++)
      free(jobs[i].command.v[a]);
    free(jobs[i].command.v);
    if (jobs[i].log_fd >= 0)
      close(jobs[i].log_fd);
  }
}

/* ---- tools ---- */

int ut_tool_says(const struct ut_caller *caller, const char *tool, const char *argument, const char *argument2,
                 char *out, size_t size) {
  struct ut_job job = {.log_fd = -1, .has_home = true};
  char line[UT_TOOL_LINE + 1];
  ut_args_add(&job.command, "%s", tool);
  ut_args_add(&job.command, "%s", argument);
  if (argument2)
    ut_args_add(&job.command, "%s", argument2);
  int status = 0, result = ut_jobs_run(caller, &job, 1, "/", &status);
  ssize_t n = result == UT_JOBS_ERROR ? 0 : pread(job.log_fd, out, size - 1, 0);
  out[n > 0 ? n : 0] = '\0';
  while (n > 0 && isspace((unsigned char)out[n - 1]))
    out[--n] = '\0';
  ut_jobs_free(&job, 1);
  ut_tool_first_error(out, line);
  if (result >= 0)
    return ut_fail(caller->e, UT_BAD_INPUT, "`%.300s %s%s%s` fails with status %d%s%s; reinstall the tool", tool,
                   argument, argument2 ? " " : "", argument2 ? argument2 : "", status, *line ? ": " : "", line);
  return result == UT_JOBS_ERROR ? -1 : 0;
}

void ut_tool_features(const char *features[UT_FEATURES]) {
  size_t n = 0;
#ifdef __x86_64__
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2"))
    features[n++] = "-mavx2";
  if (__builtin_cpu_supports("bmi"))
    features[n++] = "-mbmi";
  if (__builtin_cpu_supports("bmi2"))
    features[n++] = "-mbmi2";
  if (__builtin_cpu_supports("popcnt"))
    features[n++] = "-mpopcnt";
#endif
  features[n] = NULL;
}
