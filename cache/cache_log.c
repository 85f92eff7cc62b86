/* cache_log.c - see cache_log.h */
#include "cache_log.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cache_files.h"

enum { TAIL_LINES = 15, TAIL_CHARS = 1300, LINE_CHARS = 240 };

/* Where the log of a failure stays: beside the entry that it is not. */
static int failure_path(const struct ut_entry *n, char *out, struct ut_error *e) {
  return ut_path_set(e, out, "%s/%s.log", n->dir, n->key);
}

/* Appends to build.log: the command, then what it said. */
static int append(const struct ut_entry *n, const struct ut_job *j, struct ut_error *e) {
  char path[PATH_MAX], buffer[4096];
  if (ut_path_set(e, path, "%s/build.log", n->tmp))
    return -1;
  FILE *f = fopen(path, "ae");
  if (!f)
    return ut_fail_os(e, errno, "write", path);
  fputc('$', f);
  for (size_t i = 0; i < j->command.n; i++)
    fprintf(f, " %s", j->command.v[i]);
  fputc('\n', f);
  ssize_t got;
  for (off_t at = 0; (got = pread(j->log_fd, buffer, sizeof buffer, at)) > 0; at += got)
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

/* The first line from `own` on that names an error, into `line`; empty when there is none before `tail`. */
static void first_error(const char *log, size_t own, size_t tail, char line[LINE_CHARS + 2]) {
  const char *mark = strstr(log + own, "%Error");
  if (!mark)
    mark = strstr(log + own, "error: ");
  if (!mark)
    mark = strstr(log + own, "ERROR: "); /* Yosys */
  line[0] = '\0';
  if (!mark || (size_t)(mark - log) >= tail)
    return;
  while (mark > log + own && mark[-1] != '\n')
    mark--;
  int length = (int)strcspn(mark, "\n");
  snprintf(line, LINE_CHARS + 2, "%.*s\n", length > LINE_CHARS ? LINE_CHARS : length, mark);
}

/* Words a failed tool: its first error line, the last lines of build.log, and where the log now is. */
static int fail_job(const struct ut_entry *n, const char *made_from, const struct ut_job *j, int status,
                    struct ut_error *e) {
  char from[PATH_MAX], to[PATH_MAX], why[64] = "", first[LINE_CHARS + 2], *log = NULL;
  size_t size = 0;
  if (ut_path_set(e, from, "%s/build.log", n->tmp) || failure_path(n, to, e))
    return -1;
  rename(from, to);
  if (ut_file_read(to, &log, &size))
    return ut_fail(e, UT_INTERNAL, "%s failed with status %d, and its log %.900s cannot be read", j->does, status, to);
  if (strstr(log, "No space left on device") || strstr(log, "Disk quota exceeded")) {
    free(log);
    return ut_fail_os(e, ENOSPC, "build in", n->dir);
  }
  if (status > 128)
    snprintf(why, sizeof why, " (killed by signal %d%s)", status - 128,
             status == 128 + SIGKILL ? ": out of memory?" : "");
  size_t own = last_words(log), begin = tail_begin(log, size, own);
  first_error(log, own, begin, first);
  while (size > begin && isspace((unsigned char)log[size - 1]))
    size--;
  log[size] = '\0';
  ut_fail(e, UT_INTERNAL, "%s failed%s; sources: %.150s; whole log: %.250s\n%s%s", j->does, why, made_from, to, first,
          log + begin);
  free(log);
  return -1;
}

int ut_log_run(const struct ut_caller *c, const struct ut_entry *n, const char *from, struct ut_job *jobs, int count) {
  int tool_status = 0, failed = ut_jobs_run(c, jobs, count, n->tmp, &tool_status);
  if (failed == UT_JOBS_ERROR)
    return -1;
  for (int i = 0; i < count; i++)
    if (i != failed && append(n, &jobs[i], c->e))
      return -1;
  if (failed == UT_JOBS_DONE)
    return 0;
  /* Last, so that the end of the log is its own. */
  return append(n, &jobs[failed], c->e) ? -1 : fail_job(n, from, &jobs[failed], tool_status, c->e);
}

int ut_log_keep(const struct ut_entry *n, struct ut_error *e) {
  char from[PATH_MAX], to[PATH_MAX];
  if (ut_path_set(e, from, "%s/build.log", n->tmp) || ut_path_set(e, to, "%s/entry/build.log", n->tmp))
    return -1;
  return rename(from, to) && errno != ENOENT ? ut_fail_os(e, errno, "move", from) : 0;
}

void ut_log_forget_failure(const struct ut_entry *n) {
  char path[PATH_MAX];
  if (!failure_path(n, path, NULL))
    unlink(path);
}
