/* SPDX-License-Identifier: Apache-2.0 */
/* booksim_runs.h - runs of BookSim 2: a quiet one of which every packet is told, and one for each of some loads. */
#ifndef UT_BENCH_BOOKSIM_RUNS_H
#define UT_BENCH_BOOKSIM_RUNS_H

#include <stddef.h>

#include <stdint.h>

#include "booksim.h"
#include "cache_caller.h"

/* A packet that has arrived, by our numbers of terminals; cycles from its generation until its tail was there. */
typedef void ut_booksim_packet(void *ctx, uint32_t src, uint32_t dst, unsigned latency);

/* A run: load in flits per cycle and terminal, what came of it, and latency in cycles, NAN: nothing arrived. */
struct ut_booksim_load {
  double load, latency, accepted;
};

struct ut_booksim_runs {
  const struct ut_booksim *booksim;
  const char *const *more; /* "KEY=VALUE": more of its configuration, which overrides ours */
  size_t more_count;
  const volatile sig_atomic_t *interrupted;
  ut_cache_progress *says; /* how far it is; NULL: nobody is told */
  unsigned quiet_cycles;   /* 0: no quiet run */
  double quiet_packets;    /* per cycle and terminal, to any terminal */
  ut_booksim_packet *packet;
  void *ctx;
  struct ut_booksim_load *load;
  size_t loads;
};

/* Makes all runs of a scenario, two at once; warm-up and window are measure_cycles long.  0, or -1 and *e. */
int ut_booksim_run(const struct ut_booksim_runs *runs, const struct ut_scenario *scenario, struct ut_error *e);

#endif
