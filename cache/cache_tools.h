/* SPDX-License-Identifier: Apache-2.0 */
/* cache_tools.h - runs Verilator, compilers and others, several at once, with logs and progress (tool.h). */
#ifndef UT_CACHE_TOOLS_H
#define UT_CACHE_TOOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cache_caller.h"

struct ut_args {
  char **v; /* NULL-terminated */
  size_t n;
  bool failed; /* out of memory: checked once, when the command starts */
};

void ut_args_add(struct ut_args *args, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ut_args_add_all(struct ut_args *args, const char *const *list);

/* One run of a tool.  At first: the command, what it does, its weight, and log_fd -1. */
struct ut_job {
  struct ut_args command;
  const char *does; /* for messages: "compiling the shim" */
  uint64_t weight;  /* estimated cost: the heaviest starts first */
  pid_t pid;        /* 0: not started, or reaped */
  bool done;
  int log_fd;        /* nameless file of what the tool says; -1: none */
  bool has_home;     /* it may read the user's home: compilers, which may be those of ccache */
  bool in_entry;     /* it runs in the temporary folder of an entry: so its temporary files go there */
  const char *makes; /* a file that it must leave, absolute or in that folder; NULL: none is looked for */
};

/* Runs the jobs in folder `cwd` - NULL: in the current one -, two at once, the heaviest first: they are sorted. Returns
 * UT_JOBS_DONE when all ended well; the index of the first one that failed, its exit status in *status (128 + signal);
 * UT_JOBS_ERROR after filling the error.  None runs on return. */
enum { UT_JOBS_DONE = -1, UT_JOBS_ERROR = -2 };
int ut_jobs_run(const struct ut_caller *caller, struct ut_job *jobs, int n, const char *cwd, int *status);
/* All that a job has said (malloc'd); NULL: out of memory. */
char *ut_job_output(const struct ut_job *job);
/* The number that follows the last `key` of a text; NAN: there is none. */
double ut_number_behind(const char *text, const char *key);
/* Frees the commands and closes the logs. */
void ut_jobs_free(struct ut_job *jobs, int n);

/* The output of `tool argument argument2`, without the last line feed; argument2 may be NULL. */
int ut_tool_says(const struct ut_caller *caller, const char *tool, const char *argument, const char *argument2,
                 char *out, size_t size);

/* Flags for a compiler of C or C++: what csim/switch/lanes.h and tb/shim_compare.h make use of and this processor has,
 * and no others (valgrind knows these); NULL-terminated. */
enum { UT_FEATURES = 5 };
void ut_tool_features(const char *features[UT_FEATURES]);

#endif
