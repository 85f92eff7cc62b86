/* SPDX-License-Identifier: Apache-2.0 */
/* timing.h - the longest path of a mapped netlist, by OpenSTA. */
#ifndef UT_TIMING_H
#define UT_TIMING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "cache_entry.h"
#include "synthesis.h"

enum { UT_POINT_SIZE = 256 };

struct ut_step { /* a cell of the path */
  char instance[UT_POINT_SIZE], cell[64];
  double ns; /* its delay, the net's before it included */
};

struct ut_timing {
  double ns;                                     /* with the setup time of the register at its end */
  char start[UT_POINT_SIZE], end[UT_POINT_SIZE]; /* register or port */
  struct ut_step *step;                          /* from the register at its beginning on, without the one at its end */
  size_t steps;
  unsigned levels; /* cells between the two registers */
};

/* Writes the script for a netlist: inputs are driven and outputs loaded as for abc, both within the clock's cycle. */
char *ut_timing_script(const struct ut_synthesis *synthesis, const char *netlist, const char *report);
/* Runs it in the temporary folder of a claimed entry; `netlist`: its name seen from there, of letters that need no
 * quotes.  Returns 0, or -1 after
 * filling the error; free in both cases. */
int ut_timing_run(struct ut_timing *timing, const struct ut_synthesis *synthesis, const char *sta, const char *netlist,
                  const struct ut_entry *entry, const struct ut_caller *caller);
/* Reads a report of the longest path.  time_ns: of one unit in it.  Returns 0, or -1 when there is no path in it. */
int ut_timing_parse(struct ut_timing *timing, const char *report, double time_ns);
/* Length and ends of the path, as keys of a report. */
void ut_timing_report(json_t *j, const struct ut_timing *timing);
/* A cell of the path, behind those that it has.  0, or -1: out of memory. */
int ut_timing_add(struct ut_timing *timing, const char *instance, const char *cell, double ns);
void ut_timing_free(struct ut_timing *timing);

#endif
