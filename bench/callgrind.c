/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind.c - see callgrind.h */
#define _GNU_SOURCE
#include "callgrind.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cache_files.h"
#include "tool.h"

enum { SWITCH_CYCLES = 96000, LEAST_CYCLES = 400, MOST_CYCLES = 2000 };

int ut_callgrind_find(struct ut_callgrind *callgrind, const volatile sig_atomic_t *interrupted, struct ut_error *e) {
  callgrind->interrupted = interrupted;
  return ut_tool_need("valgrind", "valgrind", "counting instructions", callgrind->valgrind, e);
}

unsigned ut_counted_cycles(unsigned switches) {
  const unsigned cycles = SWITCH_CYCLES / switches;
  return cycles < LEAST_CYCLES ? LEAST_CYCLES : cycles > MOST_CYCLES ? MOST_CYCLES : cycles;
}

static void put_command(const struct ut_callgrind *callgrind, const struct ut_counted *run, struct ut_args *args) {
  if (run->any_status) /* a monitor that ends well */
    ut_args_add_all(args, (const char *const[]){"/bin/sh", "-c", "\"$@\" || exit 0", "sh", NULL});
  ut_args_add_all(args, (const char *const[]){callgrind->valgrind, "--command-line-only=yes", "--tool=callgrind",
                                              "--callgrind-out-file=/dev/null", "--vgdb=no",
                                              NULL}); /* for a debugger it makes files in TMPDIR */
  if (run->command.v)
    ut_args_add_all(args, (const char *const *)run->command.v);
  args->failed |= run->command.failed;
}

int ut_callgrind_run(const struct ut_callgrind *callgrind, struct ut_counted run[UT_RUNS], struct ut_error *e) {
  const struct ut_caller caller = {.interrupted = callgrind->interrupted, .e = e};
  struct ut_job job[UT_RUNS] = {{.weight = 2, .log_fd = -1, .has_home = true},
                                {.weight = 1, .log_fd = -1, .has_home = true}}; /* stays in this order */
  int status = 0;
  for (unsigned i = 0; i < UT_RUNS; i++)
    put_command(callgrind, &run[i], &job[i].command);
  const int ended = ut_jobs_run(&caller, job, UT_RUNS, NULL, &status);
  for (unsigned i = 0; i < UT_RUNS; i++)
    run[i].output = ut_job_output(&job[i]);
  ut_jobs_free(job, UT_RUNS);
  if (ended == UT_JOBS_ERROR)
    return -1;
  for (unsigned i = 0; i < UT_RUNS; i++) {
    if (!run[i].output)
      return ut_fail_memory(e);
    run[i].instructions = ut_number_behind(run[i].output, "Collected : ");
  }
  if (ended != UT_JOBS_DONE || isnan(run[UT_LONGER].instructions) || isnan(run[UT_SHORTER].instructions)) {
    const struct ut_counted *bad = &run[ended == UT_JOBS_DONE ? UT_LONGER : ended];
    const size_t length = strlen(bad->output), shown = 800;
    return ut_fail(
        e, UT_BAD_INPUT,
        "%s under valgrind: no count of instructions, status %d; reinstall valgrind (Debian: valgrind), or look "
        "at what they say: %s",
        bad->command.v[0], status, bad->output + (length > shown ? length - shown : 0));
  }
  return 0;
}

void ut_counted_free(struct ut_counted run[UT_RUNS]) {
  for (unsigned i = 0; i < UT_RUNS; i++) {
    struct ut_job job = {.command = run[i].command, .log_fd = -1};
    ut_jobs_free(&job, 1);
    free(run[i].output);
  }
}
