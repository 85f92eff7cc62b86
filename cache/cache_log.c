/* SPDX-License-Identifier: Apache-2.0 */
/* cache_log.c - see cache_log.h */
#include "cache_log.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache_files.h"
#include "tool.h"

enum { TAIL_LINES = 15, TAIL_CHARS = 1000 };

/* Where the log of a failure stays: beside the entry that it is not. */
static int failure_path(const struct ut_entry *entry, char *out, struct ut_error *e) {
  return ut_path_set(e, out, "%s/%s.log", entry->dir, entry->key);
}

/* Appends to build.log: the command, then what it said. */
static int append(const struct ut_entry *entry, const struct ut_job *job, struct ut_error *e) {
  char path[PATH_MAX], buffer[4096];
  if (ut_path_set(e, path, "%s/build.log", entry->tmp))
    return -1;
  FILE *f = fopen(path, "ae");
  if (!f)
    return ut_fail_os(e, errno, "write", path);
  fputc('$', f);
  for (size_t i = 0; i < job->command.n; i++)
    fprintf(f, " %s", job->command.v[i]);
  fputc('\n', f);
  ssize_t got;
  for (off_t at = 0; (got = pread(job->log_fd, buffer, sizeof buffer, at)) > 0; at += got)
    fwrite(buffer, 1, (size_t)got, f);
  bool failed = ferror(f);
  return fclose(f) || failed ? ut_fail_os(e, errno ? errno : EIO, "write", path) : 0;
}

/* Where the words of the last tool begin, after its command. */
static size_t last_words(const char *log) {
  size_t begin = 0;
  for (const char *p = log; p; p = strstr(p + 1, "\n$ "))
    begin = (size_t)(strchr(p + 1, '\n') ? strchr(p + 1, '\n') + 1 - log : p - log);
  return begin;
}

/* Where the last lines of the log begin, not before `own`. */
static size_t tail_begin(const char *log, size_t size, size_t own) {
  size_t begin = size, lines = 0;
  while (begin > own && lines < TAIL_LINES)
    if (log[--begin] == '\n' && begin + 1 < size)
      lines++;
  begin += lines == TAIL_LINES;
  while (size - begin > TAIL_CHARS) { /* too long for a message: the latest lines count */
    const char *next = strchr(log + begin, '\n');
    begin = next && next[1] ? (size_t)(next + 1 - log) : size - TAIL_CHARS;
  }
  return begin;
}

/* Words a failed tool: its first error, what may help, where the log now is, and its last lines. */
static int fail_job(const struct ut_entry *entry, const char *made_from, const struct ut_job *job, int status,
                    struct ut_error *e) {
  char from[PATH_MAX], to[PATH_MAX], why[96], line[UT_TOOL_LINE + 1], *log = NULL;
  size_t size = 0;
  if (ut_path_set(e, from, "%s/build.log", entry->tmp) || failure_path(entry, to, e))
    return -1;
  rename(from, to);
  if (ut_file_read(to, &log, &size))
    return ut_fail(e, UT_BAD_INPUT,
                   "%s failed with status %d, and its log %.900s cannot be read; is there room for it?", job->does,
                   status, to);
  if (strstr(log, "No space left on device") || strstr(log, "Disk quota exceeded")) {
    free(log);
    return ut_fail_os(e, ENOSPC, "build in", entry->dir);
  }
  if (status > 128)
    snprintf(why, sizeof why, "killed by signal %d%s", status - 128, status == 128 + SIGKILL ? ", out of memory?" : "");
  else if (status)
    snprintf(why, sizeof why, "status %d", status);
  else
    snprintf(why, sizeof why, "status 0, but %s is missing or empty", job->makes);
  size_t own = last_words(log), begin = tail_begin(log, size, own);
  ut_tool_first_error(log + own, line);
  while (size > begin && isspace((unsigned char)log[size - 1]))
    size--;
  log[size] = '\0';
  ut_fail(e, UT_BAD_INPUT,
          "%s failed (%s)%s%s; correct the sources in %.150s or, if they are uturn's own, reinstall %.150s; whole log: "
          "%.250s%s%s",
          job->does, why, *line ? ": " : "", line, made_from, job->command.v[0], to, begin < size ? "\n" : "",
          log + begin);
  free(log);
  return -1;
}

/* The first job that has left nothing, though it has ended well; UT_JOBS_DONE: none. */
static int made_nothing(const struct ut_entry *entry, const struct ut_job *jobs, int count) {
  for (int i = 0; i < count; i++) {
    char path[PATH_MAX];
    struct stat st;
    if (jobs[i].makes && (ut_path_set(NULL, path, "%s/%s", jobs[i].makes[0] == '/' ? "" : entry->tmp, jobs[i].makes) ||
                          stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size))
      return i;
  }
  return UT_JOBS_DONE;
}

int ut_log_run(const struct ut_caller *caller, const struct ut_entry *entry, const char *from, struct ut_job *jobs,
               int count) {
  int tool_status = 0;
  for (int i = 0; i < count; i++)
    jobs[i].in_entry = true;
  int failed = ut_jobs_run(caller, jobs, count, entry->tmp, &tool_status);
  if (failed == UT_JOBS_ERROR)
    return -1;
  if (failed == UT_JOBS_DONE)
    failed = made_nothing(entry, jobs, count);
  for (int i = 0; i < count; i++)
    if (i != failed && append(entry, &jobs[i], caller->e))
      return -1;
  if (failed == UT_JOBS_DONE)
    return 0;
  /* Last, so that the end of the log is its own. */
  return append(entry, &jobs[failed], caller->e) ? -1 : fail_job(entry, from, &jobs[failed], tool_status, caller->e);
}

int ut_log_keep(const struct ut_entry *entry, struct ut_error *e) {
  char from[PATH_MAX], to[PATH_MAX];
  if (ut_path_set(e, from, "%s/build.log", entry->tmp) || ut_path_set(e, to, "%s/entry/build.log", entry->tmp))
    return -1;
  return rename(from, to) && errno != ENOENT ? ut_fail_os(e, errno, "move", from) : 0;
}

void ut_log_forget_failure(const struct ut_entry *entry) {
  char path[PATH_MAX];
  if (!failure_path(entry, path, NULL))
    unlink(path);
}
