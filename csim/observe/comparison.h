/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.h - results of several networks, run with the same seeds, compared. */
#ifndef UT_COMPARISON_H
#define UT_COMPARISON_H

#include "estimate.h"
#include "network.h"

enum ut_result {
  UT_RESULT_THROUGHPUT, /* flits per cycle and terminal */
  UT_RESULT_LATENCY,    /* cycles: mean, */
  UT_RESULT_P50,
  UT_RESULT_P99,
  UT_RESULT_DISCARDED, /* packets */
  UT_RESULT_U_TURNS,
  UT_RESULT_COMPLETION, /* cycles; NAN: no workload, or an incomplete one */
  UT_RESULTS
};
/* "throughput_flits_per_cycle_per_terminal", ... */
extern const char *const ut_result_name[UT_RESULTS];

/* The result of a run. */
struct ut_sample {
  double value[UT_RESULTS]; /* latencies of a run that has delivered nothing: NaN */
  bool there;               /* it has been run */
  bool deadlock;
  unsigned warnings;  /* of its results, bits by enum ut_run_warning */
  uint64_t after_end; /* packets of a trace that the run is too short for */
};
void ut_sample_take(struct ut_sample *sample, const struct ut_network *net);

enum { UT_CONFIDENCE_PERCENT = 95 };
/* Returns the mean of a result over the seeds that have one, with its confidence interval; NaN if none has. */
struct ut_estimate ut_sample_estimate(const struct ut_sample *sample, unsigned seeds, enum ut_result result);
/* Returns the same for the differences of b to a in runs with the same seed. */
struct ut_estimate ut_sample_difference(const struct ut_sample *a, const struct ut_sample *b, unsigned seeds,
                                        enum ut_result result);
/* Returns whether the interval excludes 0; if every value is 0, it does not exclude it. */
bool ut_estimate_is_not_0(const struct ut_estimate *estimate);

enum { UT_MAX_SEEDS = 10000 };

#endif
