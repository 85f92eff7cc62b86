/* SPDX-License-Identifier: Apache-2.0 */
/* inside.h - --histogram, --packets and --timeline: what happened inside a run, as files (docs/reference/inside.md). */
#ifndef UT_INSIDE_H
#define UT_INSIDE_H

#include "option_table.h"
#include "packet_log.h"
#include "sheet.h"
#include "timeline.h"

struct ut_inside_options {
  const char *histogram, *packets, *timeline; /* files; NULL: not wanted */
  uint64_t every;                             /* cycles; 0: not given */
};
/* Group of options; its struct: ut_inside_options. */
extern const struct ut_syntax ut_inside_syntax;

struct ut_inside {
  struct ut_network *network; /* NULL: nothing is wanted */
  struct ut_departures left;
  struct ut_sheet histogram, packets, timeline;
  struct ut_packet_log all;
  struct ut_timeline intervals;
  bool failure; /* out of memory */
};

/* Before the first step of the network, a golden one.  -1 and *e; to be ended in both cases. */
int ut_inside_start(struct ut_inside *inside, const struct ut_inside_options *options, struct ut_network *net,
                    struct ut_error *e);
/* After each step; false: there is no use in going on, ut_inside_end() says why. */
bool ut_inside_look(struct ut_inside *inside);
static inline bool ut_inside_observe(struct ut_inside *inside) {
  return !inside->network || ut_inside_look(inside);
}
/* The cycle of the network in which it looks next for anything but packets. */
static inline uint64_t ut_inside_next(const struct ut_inside *inside) {
  return ut_sheet_is_open(&inside->timeline) ? ut_timeline_next(&inside->intervals) : UINT64_MAX;
}
/* After the run, when the latencies have been counted: completes the files.  -1 and *e. */
int ut_inside_end(struct ut_inside *inside, struct ut_error *e);

#endif
