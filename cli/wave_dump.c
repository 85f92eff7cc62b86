/* SPDX-License-Identifier: Apache-2.0 */
/* wave_dump.c - see wave_dump.h */
#define _GNU_SOURCE
#include "wave_dump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dump.h"
#include "ending.h"
#include "fst_file.h"
#include "output.h"
#include "program_name.h"

/* ---- options */

#define UT_INPUT struct ut_excerpt_options
static const struct ut_option options[] = {
    {"wave", 0, "FILE.fst", "dump waves; the run is repeated up to the window's end with a traced model",
     UT_FILE(path)},
    {"wave-window", 0, "A:B|fault|mismatch",
     "cycles to dump: A to B, around the first fault (default if there is one), or around the first mismatch",
     UT_OWN(ut_read_window, window), .with = "wave"},
    {"wave-switches", 0, "L.I,...|all", "switches to dump; default: those of the first fault or mismatch, else all",
     UT_TEXT(switches), .with = "wave"},
    {0},
};
const struct ut_syntax ut_wave_syntax = {.option = options};

/* ---- the run that is dumped */

static int begin(void *ctx, struct ut_lockstep *lockstep, struct ut_error *e) {
  return ut_dump_open(lockstep, ctx, e);
}

/* Has it made; what was written is complete, or *e says why not. */
static int make_apart(const struct ut_scenario *scenario, const struct ut_models *models, struct ut_wave *wave,
                      const struct ut_excerpt *part, int *status, struct ut_error *e) {
  static const char full[] = "is there room on its disk and in /tmp, and no `ulimit -f`?";
  int ended = 0;
  fflush(NULL);
  const pid_t child = ut_child_fork();
  if (child == 0)
    _exit(ut_excerpt_run(part, scenario, models, begin, wave));
  if (child > 0)
    ended = ut_child_join(child);
  if (child < 0)
    return ut_child_fail("the dump", e);
  if (WIFSIGNALED(ended))
    return ut_fail(e, UT_BAD_INPUT, "the dump was ended by '%s'; %s", strsignal(WTERMSIG(ended)), full);
  *status = WEXITSTATUS(ended);
  if (*status == UT_OK && ut_fst_check(wave->path, NULL, e))
    return ut_fail(e, UT_BAD_INPUT, "the dump could not be written completely; %s", full);
  return 0;
}

/* make_apart(), and nothing is left of what Verilator's writer has beside its file while it writes. */
static int make(const struct ut_scenario *scenario, const struct ut_models *models, struct ut_wave *wave,
                const struct ut_excerpt *part, int *status, struct ut_error *e) {
  char *beside;
  if (asprintf(&beside, "%s.hier", wave->path) < 0)
    return ut_fail_memory(e);
  ut_temporary_add(beside);
  const int failed = make_apart(scenario, models, wave, part, status, e);
  remove(beside);
  ut_temporary_forget(beside);
  free(beside);
  return failed;
}

/* The last cycle of a dump that was interrupted, if it is one that can be shown.  false: it holds nothing. */
static bool is_worth_keeping(const struct ut_wave *wave, uint64_t *last) {
  struct ut_error e;
  uint64_t end;
  if (ut_fst_check(wave->path, &end, &e) || end < wave->first * UT_DUMP_CYCLE_PS)
    return false;
  *last = end / UT_DUMP_CYCLE_PS;
  return true;
}

static void say_interrupted(const struct ut_excerpt_options *options, const char *when) {
  fprintf(stderr, "uturn: interrupted %s: no %s is written\n", when, options->path);
}

static int write_dump(const struct ut_excerpt_options *options, const struct ut_scenario *scenario,
                      const struct ut_models *models, const struct ut_excerpt *part) {
  struct ut_output out;
  struct ut_error e;
  int status = UT_OK;
  if (ut_output_open(&out, options->path, UT_OUTPUT_REGULAR, &e))
    return ut_print_error(&e);
  struct ut_wave wave = {out.part, part->first, part->last, part->switches, part->count};
  const int failed = make(scenario, models, &wave, part, &status, &e);
  uint64_t last = part->last;
  const bool interrupted = !failed && status == UT_INTERRUPTED, kept = interrupted && is_worth_keeping(&wave, &last);
  if (failed || (status != UT_OK && !kept)) {
    ut_output_drop(&out);
    if (failed)
      fprintf(stderr, "uturn: %s: %s\n", options->path, e.text);
    else if (interrupted)
      say_interrupted(options, "before the first cycle of the window");
    return failed ? (int)e.code : status;
  }
  if (ut_output_close(&out, &e))
    return ut_print_error(&e);
  fprintf(stderr, "uturn: %s%s holds cycles %" PRIu64 " to %" PRIu64 " of %u switches; show it with: %s wave %s\n",
          kept ? "interrupted: " : "", options->path, part->first, last, part->count, ut_program_name(), options->path);
  return status;
}

int ut_wave_dump(const struct ut_excerpt_options *options, const struct ut_device *device,
                 const struct ut_scenario *scenario, const struct ut_lockstep *done) {
  if (ut_interrupted) {
    say_interrupted(options, "before the run that is dumped");
    return UT_INTERRUPTED;
  }
  struct ut_device traced = *device;
  struct ut_models models;
  struct ut_excerpt part;
  struct ut_error e;
  int status = UT_OK;
  if (ut_excerpt_choose(options, done, &part, &e)) {
    free(part.switches);
    return ut_print_error(&e);
  }
  traced.traced = true;
  traced.lanes = false; /* which behave alike, but only Verilator dumps */
  if (ut_get_models(scenario, &traced, &models, &status))
    status = write_dump(options, scenario, &models, &part);
  ut_free_models(&models);
  free(part.switches);
  return status;
}
