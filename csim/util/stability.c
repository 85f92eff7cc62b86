/* SPDX-License-Identifier: Apache-2.0 */
/* stability.c - see stability.h */
#include "stability.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_statistics_double.h>

enum {
  TREND_BATCHES = 8,     /* a trend of that many means has 6 degrees of freedom */
  INTERVAL_BATCHES = 10, /* Law recommends 10 to 20: fewer and longer ones are less correlated */
  LEAST_WINDOWS = 16,    /* two a batch */
  MANY_LATENCIES = 20,   /* more than that many latencies of a quiet network are no fluctuation */
  ENOUGH_PACKETS = 30,   /* in a window, for its mean latency to be one */
};
#define TREND_CHANCE 0.005 /* of a trend that is none, in one direction */
#define WAITING_RISE 0.1   /* a smaller rise within the windows, as a share of their mean, does not matter */
#define ACCEPTED_RISE 0.05
#define COLLAPSE 0.9 /* less than that of what was accepted before */

const char *ut_stability_name(enum ut_stability state) {
  static const char *const name[] = {[UT_STABILITY_UNKNOWN] = "unknown",
                                     [UT_STABILITY_STEADY] = "steady",
                                     [UT_STABILITY_GROWING] = "growing",
                                     [UT_STABILITY_COLLAPSED] = "collapsed"};
  return name[state];
}

/* ---- series */

void ut_stability_begin(struct ut_stability_series *series, uint64_t cycle) {
  series->count = 0;
  series->begin = cycle;
  series->cycles = UT_STABILITY_FIRST_CYCLES;
  series->quiet = INFINITY;
}

/* Returns the least mean latency of a window, of this series or of one before: about that of a network without
 * queueing. INFINITY: no window has enough packets. */
static double quiet_latency(const struct ut_stability_series *series) {
  double least = series->quiet;
  for (size_t i = 0; i < series->count; i++) {
    const struct ut_stability_window *window = &series->window[i];
    if (window->delivered >= ENOUGH_PACKETS)
      least = fmin(least, (double)window->latency / (double)window->delivered);
  }
  return least;
}

void ut_stability_begin_anew(struct ut_stability_series *series, uint64_t cycle) {
  const double quiet = quiet_latency(series);
  ut_stability_begin(series, cycle);
  series->quiet = quiet;
}

/* Compares two windows, the second one later. */
static struct ut_stability_window together(const struct ut_stability_window *a, const struct ut_stability_window *b) {
  return (struct ut_stability_window){.generated = a->generated + b->generated,
                                      .left = a->left + b->left,
                                      .accepted = a->accepted + b->accepted,
                                      .delivered = a->delivered + b->delivered,
                                      .latency = a->latency + b->latency,
                                      .waiting = b->waiting};
}

void ut_stability_add(struct ut_stability_series *series, const struct ut_stability_window *window) {
  series->window[series->count++] = *window;
  if (series->count < UT_STABILITY_WINDOWS)
    return;
  series->count /= 2;
  series->cycles *= 2;
  for (size_t i = 0; i < series->count; i++)
    series->window[i] = together(&series->window[2 * i], &series->window[2 * i + 1]);
}

uint64_t ut_stability_end(const struct ut_stability_series *series) {
  return series->begin + series->count * series->cycles;
}

size_t ut_stability_from(const struct ut_stability_series *series, uint64_t cycle) {
  const size_t from = cycle > series->begin ? (cycle - series->begin - 1) / series->cycles + 1 : 0;
  return from < series->count ? from : series->count;
}

/* ---- batches */

/* Batch i of `batches` of the windows from..count-1, all equally long; what is left over at the beginning is in none.
 */
static struct ut_stability_window batch(const struct ut_stability_series *series, size_t from, unsigned batches,
                                        unsigned i) {
  const size_t length = (series->count - from) / batches, first = series->count - length * (batches - i);
  struct ut_stability_window sum = series->window[first];
  for (size_t k = first + 1; k < first + length; k++)
    sum = together(&sum, &series->window[k]);
  return sum;
}

/* Returns the mean number of waiting packets in such a batch. */
static double batch_waiting(const struct ut_stability_series *series, size_t from, unsigned batches, unsigned i) {
  const size_t length = (series->count - from) / batches, first = series->count - length * (batches - i);
  double sum = 0;
  for (size_t k = first; k < first + length; k++)
    sum += (double)series->window[k].waiting;
  return sum / (double)length;
}

struct trend {
  double rise;          /* of the line, from the first batch to the last one, as a share of the mean */
  bool rising, falling; /* by more than chance explains */
};

static struct trend trend_of(const double value[TREND_BATCHES]) {
  double x[TREND_BATCHES], c0, c1, cov00, cov01, cov11, sum;
  for (unsigned i = 0; i < TREND_BATCHES; i++)
    x[i] = i;
  gsl_fit_linear(x, 1, value, 1, TREND_BATCHES, &c0, &c1, &cov00, &cov01, &cov11, &sum);
  const double mean = gsl_stats_mean(value, 1, TREND_BATCHES),
               limit = gsl_cdf_tdist_Qinv(TREND_CHANCE, TREND_BATCHES - 2);
  const double doubt = limit * sqrt(cov11);
  return (struct trend){
      .rise = mean > 0 ? c1 * (TREND_BATCHES - 1) / mean : 0, .rising = c1 > doubt, .falling = c1 < -doubt};
}

static struct trend waiting_trend(const struct ut_stability_series *series, size_t from) {
  double value[TREND_BATCHES];
  for (unsigned i = 0; i < TREND_BATCHES; i++)
    value[i] = batch_waiting(series, from, TREND_BATCHES, i);
  return trend_of(value);
}

static struct trend accepted_trend(const struct ut_stability_series *series, size_t from) {
  double value[TREND_BATCHES];
  for (unsigned i = 0; i < TREND_BATCHES; i++)
    value[i] = (double)batch(series, from, TREND_BATCHES, i).accepted;
  return trend_of(value);
}

/* ---- overload */

bool ut_stability_overloaded(const struct ut_stability_series *series) {
  const size_t half = series->count / 2;
  double grown[TREND_BATCHES], left = 0, sum = 0;
  if (series->count < 2 * LEAST_WINDOWS)
    return false;
  for (unsigned i = 0; i < TREND_BATCHES; i++) {
    const struct ut_stability_window window = batch(series, half, TREND_BATCHES, i);
    grown[i] = (double)window.generated - (double)window.left;
    sum += grown[i];
    left += (double)window.left;
  }
  const struct ut_estimate estimate = ut_estimate_of(grown, TREND_BATCHES, 1 - 2 * TREND_CHANCE);
  const double cycles = (double)(half / TREND_BATCHES * TREND_BATCHES * series->cycles); /* in which `left` have left */
  return estimate.mean > estimate.half_width && sum * cycles > MANY_LATENCIES * quiet_latency(series) * left;
}

/* ---- the end of the warm-up */

bool ut_stability_warmup(const struct ut_stability_series *series, bool overloaded, size_t *first) {
  const size_t least_left = series->count / 4; /* fewer values have a small variance by chance */
  double sum = 0, squares = 0, least = INFINITY;
  *first = series->count;
  for (size_t i = series->count, n = 1; i-- > 0; n++) {
    const double x = (double)(overloaded ? series->window[i].accepted : series->window[i].waiting);
    sum += x;
    squares += x * x;
    const double mean = sum / (double)n, error = fmax(squares / (double)n - mean * mean, 0) / (double)n;
    if (n >= least_left && error <= least)
      least = error, *first = i;
  }
  return *first <= series->count / 2;
}

/* ---- the verdict */

static void estimate(const struct ut_stability_series *series, size_t from, struct ut_stability_verdict *verdict) {
  double accepted[INTERVAL_BATCHES], latency[INTERVAL_BATCHES];
  const double cycles = (double)((series->count - from) / INTERVAL_BATCHES * series->cycles);
  size_t latencies = 0;
  for (unsigned i = 0; i < INTERVAL_BATCHES; i++) {
    const struct ut_stability_window window = batch(series, from, INTERVAL_BATCHES, i);
    accepted[i] = (double)window.accepted / cycles;
    if (window.delivered)
      latency[latencies++] = (double)window.latency / (double)window.delivered;
  }
  verdict->accepted = ut_estimate_of(accepted, INTERVAL_BATCHES, 0.95);
  verdict->latency = ut_estimate_of(latency, latencies, 0.95);
}

/* Returns whether fewer flits are accepted in the last quarter of the windows from..count-1 than in the best stretch
 * before, by more than chance explains: differences of neighbouring windows show how much a window varies, whatever the
 * trend. */
static bool has_fallen(const struct ut_stability_series *series, size_t from) {
  const size_t late = series->count - (series->count - from) / 4, length = series->count / 32 ? series->count / 32 : 1;
  double now = 0, best = 0, squares = 0;
  for (size_t i = late; i < series->count; i++) {
    const double step = (double)series->window[i].accepted - (double)series->window[i - 1].accepted;
    now += (double)series->window[i].accepted / (double)(series->count - late);
    squares += step * step / 2 / (double)(series->count - late);
  }
  for (size_t i = 0; i + length <= late; i++) {
    double level = 0;
    for (size_t k = i; k < i + length; k++)
      level += (double)series->window[k].accepted / (double)length;
    best = fmax(best, level);
  }
  return now < COLLAPSE * best && best - now > 5 * sqrt(squares / (double)length);
}

struct ut_stability_verdict ut_stability_judge(const struct ut_stability_series *series, size_t from) {
  struct ut_stability_verdict verdict = {.accepted = {.mean = NAN, .half_width = NAN},
                                         .latency = {.mean = NAN, .half_width = NAN}};
  if (series->count < from + LEAST_WINDOWS)
    return verdict;
  estimate(series, from, &verdict);
  const struct ut_stability_window all = batch(series, from, 1, 0);
  const struct trend waiting = waiting_trend(series, from), accepted = accepted_trend(series, from);
  const bool rising = waiting.rising && waiting.rise > WAITING_RISE;
  verdict.growth = all.generated ? ((double)all.generated - (double)all.left) / (double)all.generated : 0;
  verdict.accepted_level = !((accepted.rising || accepted.falling) && fabs(accepted.rise) > ACCEPTED_RISE);
  if (rising || ut_stability_overloaded(series))
    verdict.state = has_fallen(series, from) ? UT_STABILITY_COLLAPSED : UT_STABILITY_GROWING;
  else if (!(waiting.falling && waiting.rise < -WAITING_RISE))
    verdict.state = UT_STABILITY_STEADY;
  return verdict;
}
