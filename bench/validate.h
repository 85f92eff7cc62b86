/* SPDX-License-Identifier: Apache-2.0 */
/* validate.h - a scenario on our simulator and on BookSim 2, side by side: the latency of each pair of terminals in an
 * almost empty network, and latency and throughput over the load (docs/reference/validate.md). */
#ifndef UT_BENCH_VALIDATE_H
#define UT_BENCH_VALIDATE_H

#include <stdint.h>

#include "booksim.h"
#include "cache_caller.h"

struct ut_validation {
  const struct ut_booksim *booksim;
  const char *const *theirs; /* "KEY=VALUE": more of BookSim's configuration, which overrides ours */
  size_t theirs_count;
  bool pairs, over_loads; /* what is measured */
  double from, to, step;  /* loads, flits per cycle and terminal */
  const volatile sig_atomic_t *interrupted;
  void (*progress)(void *ctx, uint64_t cycle, uint64_t of); /* of all of our runs */
  void *ctx;
  ut_cache_progress *says; /* what BookSim is doing, a line each; NULL: nobody is told */
};

/* Runs both.  What is not to be measured is not in the results.  Warm-up is as long as the window, and nothing is
 * drained, as BookSim does it; *scenario is changed so.
 *
 *   zero_load   pairs, unseen, equal: pairs of different terminals, without a packet, with the same latency in both
 *               distances: list of {switches, pairs, formula, equal, and low and high of uturn and booksim}
 *   loads       list of {load, and latency and accepted of uturn and booksim}; latency null: nothing arrived
 *   peak        uturn, booksim: the most that was accepted at any of the loads
 *   saturation  uturn, booksim: the highest load up to which 95 % of each load was accepted; 0: not the least one
 *
 * Cycles; flits per cycle and terminal.  To be freed with json_decref().  NULL and *e on failure. */
json_t *ut_validate(const struct ut_validation *validation, struct ut_scenario *scenario, struct ut_error *e);

/* The two simulators by their names in the results, and the figures of one of them. */
enum ut_simulator { UT_OURS, UT_THEIRS, UT_SIMULATORS };
extern const char *const ut_simulator_name[UT_SIMULATORS];

#endif
