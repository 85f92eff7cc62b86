/* SPDX-License-Identifier: Apache-2.0 */
/* run_survey.h - what a page shows of a run apart from its packets: sums, intervals, node states, loads of links. */
#ifndef UT_RUN_SURVEY_H
#define UT_RUN_SURVEY_H

#include <jansson.h>

#include "deadlock.h"
#include "loads.h"
#include "page_source.h"
#include "recording.h"
#include "timeline.h"

/* Flits through each link in columns of some cycles; for networks that are too large to be drawn. */
struct ut_run_heat {
  uint32_t *channel; /* [rows]: the links, in the order in which they are shown */
  uint32_t rows, columns;
  uint64_t every;   /* cycles of a column */
  uint8_t *load;    /* [rows * columns]: 255 is a flit in each cycle */
  uint64_t *before; /* [rows]: flits before the column */
};

struct ut_run_survey {
  /* the request, set by the caller */
  const struct ut_scenario *scenario;
  uint64_t from, until;           /* window of intervals, recording, heat; unless UINT64_MAX, the run ends with it */
  uint64_t every;                 /* cycles of an interval */
  struct ut_recording *recording; /* or NULL */
  uint32_t heat_columns;          /* or 0 */
  uint64_t without_faults;        /* completion of the same workload without faults; UINT64_MAX: not known */

  /* the results; the network is in its final state */
  struct ut_network network;
  struct ut_watchdog watchdog;
  bool deadlock;
  struct ut_interval *interval;
  uint64_t *flit_hops; /* [intervals]: counts of each */
  size_t intervals, room;
  struct ut_run_heat heat;
  struct ut_loads loads; /* with a recording: its loads over the cycles that `net --loads` counts, or over all */
  json_t *states;        /* [{"cycle", "state"}]: if switches keep node states */

  /* private */
  struct ut_timeline timeline;
  struct ut_departures left;
  uint64_t flit_hops_before;
  size_t faults_seen;
  bool failure;
};

/* Makes the run.  Returns -1 and fills *e when out of memory, or interrupted.  To be ended in both cases. */
int ut_run_survey(struct ut_run_survey *survey, const struct ut_page_options *options, struct ut_error *e);
void ut_run_survey_end(struct ut_run_survey *survey);

/* Counts of the whole run, the same as those of `uturn run --json`. */
json_t *ut_run_totals_json(const struct ut_run_survey *survey);
/* Columns: {"from": [...], "throughput": [...], ...} */
json_t *ut_run_intervals_json(const struct ut_run_survey *survey);
/* Returns {"from", "until", "flits": [of each output port]}; NULL: out of memory. */
json_t *ut_run_loads_json(const struct ut_run_survey *survey);

#endif
