/* SPDX-License-Identifier: Apache-2.0 */
/* shares.c - see shares.h */
#define _GNU_SOURCE
#include "shares.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "store.h"
#include "tool.h"

size_t ut_shares_most(const struct ut_sweep *sweep) {
  return ut_points_count(sweep) * (sweep->stopping.result ? 1 : sweep->stopping.most);
}

/* ---- files */

/* "x.sqlite": "x.tasks" (malloc'd). */
static char *folder_of(const char *results, struct ut_error *e) {
  const size_t length = strlen(results), end = length > 7 && !strcmp(results + length - 7, ".sqlite") ? 7 : 0;
  char *folder = NULL;
  if (asprintf(&folder, "%.*s.tasks", (int)(length - end), results) < 0) {
    ut_fail(e, UT_BAD_INPUT, "out of memory");
    return NULL;
  }
  return folder;
}

static char *make_folder(const char *results, struct ut_error *e) {
  char *folder = folder_of(results, e);
  if (!folder || !mkdir(folder, 0777) || errno == EEXIST)
    return folder;
  ut_fail(e, UT_BAD_INPUT, "%s: cannot make the folder of the tasks: %s", folder, strerror(errno));
  free(folder);
  return NULL;
}

char *ut_share_results(const char *results, struct ut_share share, struct ut_error *e) {
  char *folder = make_folder(results, e), *path = NULL;
  if (folder && asprintf(&path, "%s/%u-of-%u.sqlite", folder, share.index, share.count) < 0) {
    path = NULL;
    ut_fail(e, UT_BAD_INPUT, "out of memory");
  }
  free(folder);
  return path;
}

/* ---- the job */

/* As one word of a shell. */
static void put_word(FILE *f, const char *text) {
  putc('\'', f);
  for (; *text; text++)
    fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, f);
  putc('\'', f);
}

static void put_job(FILE *f, const char *folder, const char *sweep, const char *results, unsigned tasks,
                    const char *program, const char *here) {
  fprintf(f,
          "#!/bin/sh\n"
          "#SBATCH --job-name=uturn-sweep\n"
          "#SBATCH --array=0-%u\n"
          "#SBATCH --cpus-per-task=1\n"
          "#SBATCH --output=\"%s/%%a-of-%u.log\"\n"
          "# Any of these tasks once more: sbatch --array=3,7 THIS_FILE\n"
          "cd ",
          tasks - 1, folder, tasks);
  put_word(f, here);
  fputs(" && exec ", f);
  put_word(f, program);
  fputs(" sweep --results ", f);
  put_word(f, results);
  fprintf(f, " --share \"$SLURM_ARRAY_TASK_ID/%u\" --jobs \"${SLURM_CPUS_PER_TASK:-1}\" -- ", tasks);
  put_word(f, sweep);
  putc('\n', f);
}

char *ut_shares_write_job(const char *sweep, const char *results, unsigned tasks, struct ut_error *e) {
  char program[PATH_MAX], here[PATH_MAX], *path = NULL;
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0 || !getcwd(here, sizeof here)) {
    ut_fail(e, UT_BAD_INPUT, "%s: where the job has to run cannot be told: %s", sweep, strerror(errno));
    return NULL;
  }
  /* Nothing quotes these characters in the line of the log, which Slurm reads. */
  for (const char *c = results; *c; c++)
    if (strchr("\"\\%", *c) || (unsigned char)*c < ' ' || *c == 0x7f) {
      ut_fail(e, UT_BAD_INPUT,
              "%s: Slurm cannot be told of a name with one of \"\\%% or a control character: rename it", results);
      return NULL;
    }
  char *folder = make_folder(results, e);
  if (!folder)
    return NULL;
  program[length] = '\0';
  struct ut_output out = {0};
  if (asprintf(&path, "%s/job.sh", folder) < 0)
    path = NULL;
  int failed = path ? ut_output_open(&out, path, UT_OUTPUT_REGULAR, e) : ut_fail(e, UT_BAD_INPUT, "out of memory");
  if (!failed) {
    put_job(out.file, folder, sweep, results, tasks, program, here);
    failed = ut_output_close(&out, e);
  }
  if (failed) {
    rmdir(folder); /* nothing is in it, unless it was there */
    free(path);
    path = NULL;
  }
  free(folder);
  return path;
}

int ut_shares_submit(const char *job, struct ut_error *e) {
  char sbatch[PATH_MAX], line[UT_TOOL_LINE + 1], *file = NULL;
  struct ut_tool tool = {.has_home = true}; /* in the current folder, which names in the job begin at */
  struct ut_tool_answer answer;
  struct ut_error why;
  if (ut_tool_need("sbatch", "slurm-client", "a job", sbatch, &why))
    return ut_fail(e, UT_BAD_INPUT, "%.900s is written, but sbatch cannot be started: %s", job, why.text);
  if (asprintf(&file, "%s%s", job[0] == '/' ? "" : "./", job) < 0)
    return ut_fail_memory(e);
  tool.command = (char *[]){sbatch, file, NULL};
  int status = ut_tool_ask(&tool, "", 0, NULL, &answer, e);
  free(file);
  if (status)
    return -1;
  fwrite(answer.data, 1, answer.size, stdout);
  ut_tool_first_error(answer.said, line);
  if (answer.status)
    status =
        ut_fail(e, UT_BAD_INPUT, "%.900s is written, but sbatch has refused it: %s; correct it, then: sbatch %.900s",
                job, line, job);
  ut_tool_answer_free(&answer);
  return status;
}

/* ---- collecting */

/* Collects one share.  It is opened for writing first: this completes what a killed task has begun, and keeps other
 * writers out. */
static int collect_one(struct ut_store *store, const char *path, const volatile sig_atomic_t *interrupted,
                       struct ut_collected *collected, struct ut_error *e) {
  struct ut_store share;
  struct ut_error why;
  if (ut_store_busy(path)) {
    collected->busy++;
    return 0;
  }
  if (ut_store_open(&share, path, false, interrupted, &why) || ut_store_close(&share, &why))
    return ut_fail(e, why.code, "%s", why.text);
  collected->databases++;
  return ut_store_merge(store, path, e);
}

static int collect_all(struct ut_store *store, const char *results, const volatile sig_atomic_t *interrupted,
                       struct ut_collected *collected, struct ut_error *e) {
  char *folder = folder_of(results, e), *pattern = NULL;
  glob_t found = {0};
  unsigned of = 0;
  int status = folder && asprintf(&pattern, "%s/*-of-*.sqlite", folder) >= 0 ? 0 : -1;
  if (!status)
    glob(pattern, 0, NULL, &found);
  for (size_t i = 0; !status && i < found.gl_pathc && !*interrupted; i++) {
    unsigned index, count;
    if (sscanf(strrchr(found.gl_pathv[i], '/'), "/%u-of-%u", &index, &count) == 2 && count > of)
      of = count;
    status = collect_one(store, found.gl_pathv[i], interrupted, collected, e);
  }
  for (unsigned i = 0; !status && i < of; i++) {
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s/%u-of-%u.sqlite", folder, i, of);
    collected->no_database += access(name, F_OK) != 0;
  }
  globfree(&found);
  free(pattern);
  free(folder);
  return status;
}

/* Assigns points to all rows, and counts the missing ones. */
static int count_missing(struct ut_schedule *schedule, struct ut_collected *collected, struct ut_error *e) {
  struct ut_run run;
  int there;
  while ((there = ut_schedule_next(schedule, &run, e)) == 1) {
    collected->missing++;
    ut_run_free(&run);
  }
  ut_schedule_standing(schedule, &collected->standing);
  return there;
}

int ut_shares_collect(struct ut_sweep *sweep, const char *results, const volatile sig_atomic_t *interrupted,
                      struct ut_collected *collected, struct ut_error *e) {
  struct ut_store store;
  *collected = (struct ut_collected){0};
  if (ut_store_open(&store, results, false, interrupted, e))
    return -1;
  int status = ut_store_plan(&store, sweep, e) ? -1 : collect_all(&store, results, interrupted, collected, e);
  struct ut_schedule *schedule = status ? NULL : ut_schedule_make(sweep, &store, (struct ut_share){0, 1}, false, e);
  status = schedule ? count_missing(schedule, collected, e) : -1;
  ut_schedule_free(schedule);
  return ut_store_close(&store, status ? NULL : e) || status ? -1 : 0;
}
