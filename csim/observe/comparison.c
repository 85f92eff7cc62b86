/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.c - see comparison.h */
#include "comparison.h"

#include <math.h>

const char *const ut_result_name[UT_RESULTS] = {[UT_RESULT_THROUGHPUT] = "throughput_flits_per_cycle_per_terminal",
                                                [UT_RESULT_LATENCY] = "latency_mean_cycles",
                                                [UT_RESULT_P50] = "latency_p50_cycles",
                                                [UT_RESULT_P99] = "latency_p99_cycles",
                                                [UT_RESULT_DISCARDED] = "discarded_packets",
                                                [UT_RESULT_U_TURNS] = "u_turns",
                                                [UT_RESULT_COMPLETION] = "completion_cycles"};

void ut_sample_take(struct ut_sample *sample, const struct ut_network *net) {
  const struct ut_histogram *histogram = &net->terminals.latency;
  sample->value[UT_RESULT_THROUGHPUT] = ut_network_throughput(net);
  sample->value[UT_RESULT_LATENCY] = histogram->count ? ut_histogram_mean(histogram) : NAN;
  sample->value[UT_RESULT_P50] = histogram->count ? (double)ut_histogram_percentile(histogram, 50) : NAN;
  sample->value[UT_RESULT_P99] = histogram->count ? (double)ut_histogram_percentile(histogram, 99) : NAN;
  sample->value[UT_RESULT_DISCARDED] = (double)ut_accounts_discarded(&net->terminals.accounts);
  sample->value[UT_RESULT_U_TURNS] = (double)ut_network_u_turns(net);
  sample->value[UT_RESULT_COMPLETION] =
      net->workload && ut_workload_run_complete(net->workload) ? (double)net->workload->completion : (double)NAN;
  sample->after_end = ut_network_after_end(net);
  sample->there = true;
}

/* b minus a, or b alone; of the seeds that have a value. */
static struct ut_estimate estimate(const struct ut_sample *a, const struct ut_sample *b, unsigned seeds,
                                   enum ut_result result) {
  double value[UT_MAX_SEEDS];
  unsigned n = 0;
  for (unsigned i = 0; i < seeds; i++) {
    const double v = b[i].value[result] - (a ? a[i].value[result] : 0);
    if (!isnan(v))
      value[n++] = v;
  }
  return ut_estimate_of(value, n, UT_CONFIDENCE_PERCENT / 100.0);
}

struct ut_estimate ut_sample_estimate(const struct ut_sample *sample, unsigned seeds, enum ut_result result) {
  return estimate(NULL, sample, seeds, result);
}

struct ut_estimate ut_sample_difference(const struct ut_sample *a, const struct ut_sample *b, unsigned seeds,
                                        enum ut_result result) {
  return estimate(a, b, seeds, result);
}

bool ut_estimate_is_not_0(const struct ut_estimate *estimate) {
  return estimate->n > 1 && fabs(estimate->mean) > estimate->half_width;
}
