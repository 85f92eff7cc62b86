/* SPDX-License-Identifier: Apache-2.0 */
/* excerpt.h - the part of a lockstep run that is looked at: some cycles of some switches, for a wave dump or a page.
 *
 * The run itself is made without anybody looking.  It is made once more up to the end of the part; behind a mismatch
 * both sides go on, each by itself, so that what follows from it is seen.
 */
#ifndef UT_EXCERPT_H
#define UT_EXCERPT_H

#include "cli.h"
#include "lockstep.h"

enum ut_window_kind { UT_WINDOW_DEFAULT, UT_WINDOW_CYCLES, UT_WINDOW_FAULT, UT_WINDOW_MISMATCH };
struct ut_excerpt_window {
  enum ut_window_kind kind;
  uint64_t first, last; /* UT_WINDOW_CYCLES */
};

struct ut_excerpt_options {
  const char *option; /* "--wave": those of the part are --wave-window and --wave-switches */
  const char *path;   /* file that is to be written; NULL: none */
  struct ut_excerpt_window window;
  const char *switches; /* as given; NULL: those of the fault or mismatch, */
  uint32_t all_up_to;   /* in networks of up to so many switches all */
};

struct ut_excerpt {
  uint64_t first, last; /* cycles, both included */
  uint32_t *switches;   /* [count], malloc'd */
  unsigned count;
  bool spec;                           /* the golden side is the spec */
  struct ut_injected_bug injected_bug; /* what was planted before the run ended */
};

/* Of an option "...-window"; reads into a struct ut_excerpt_window. */
ut_read_value ut_read_window;

/* "L.I", or the name of a switch of a network from a file; false: no such switch. */
bool ut_parse_switch(const char *text, const struct ut_topology *topo, uint32_t *sw);

/* Before anything is built or run: window, switches, and whether the file can be written.  0, or -1 and *e. */
int ut_excerpt_check(const struct ut_excerpt_options *options, const struct ut_scenario *scenario, struct ut_error *e);
/* Of the run that is `done`.  0, or -1 and *e; switches are to be freed in both cases. */
int ut_excerpt_choose(const struct ut_excerpt_options *options, const struct ut_lockstep *done,
                      struct ut_excerpt *excerpt, struct ut_error *e);

/* Who looks begins with a lockstep that is at its start.  0, or -1 and *e. */
typedef int ut_excerpt_begin(void *ctx, struct ut_lockstep *l, struct ut_error *e);
/* The run once more, up to the end of the part.  Returns the exit status. */
int ut_excerpt_run(const struct ut_excerpt *excerpt, const struct ut_scenario *scenario, const struct ut_models *models,
                   ut_excerpt_begin *begin, void *ctx);

#endif
