/* SPDX-License-Identifier: Apache-2.0 */
/* statistics.h - exact distribution of latencies in cycles.
 *
 * One counter for every latency, in pages of 4096 that exist only where a latency fell: mean and percentiles are exact,
 * and a single packet that waited a million cycles costs one page.
 */
#ifndef UT_STATISTICS_H
#define UT_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UT_HISTOGRAM_PAGE = 4096 };
#define UT_HISTOGRAM_LIMIT (UINT64_C(1) << 36) /* values from here on are refused: no run is that long */

struct ut_histogram {
  uint64_t *low;   /* page 0, always there */
  uint64_t **page; /* pages 1..pages, NULL where empty */
  size_t pages;
  uint64_t count, sum, max; /* of all values added; max = 0 when there are none */
};

/* An empty histogram.  false when memory ran out. */
bool ut_histogram_init(struct ut_histogram *histogram);
void ut_histogram_free(struct ut_histogram *histogram);
/* Empty again; its pages stay. */
void ut_histogram_clear(struct ut_histogram *histogram);

/* Adds a value that does not fall into page 0; called by ut_histogram_add only. */
bool ut_histogram_add_far(struct ut_histogram *histogram, uint64_t cycles);

/* Adds a value that falls into page 0. */
static inline void ut_histogram_add_near(struct ut_histogram *histogram, uint64_t cycles) {
  histogram->low[cycles]++;
  histogram->count++;
  histogram->sum += cycles;
  if (cycles > histogram->max)
    histogram->max = cycles;
}

/* Adds one value below UT_HISTOGRAM_LIMIT.  Returns false, without adding it, if it is larger or when out of memory;
 * neither can happen for values below 4096. */
static inline bool ut_histogram_add(struct ut_histogram *histogram, uint64_t cycles) {
  if (cycles >= UT_HISTOGRAM_PAGE)
    return ut_histogram_add_far(histogram, cycles);
  ut_histogram_add_near(histogram, cycles);
  return true;
}

/* Adds all values of `from` to `into`.  false, and `into` holds the same values as before, when memory ran out. */
bool ut_histogram_merge(struct ut_histogram *into, const struct ut_histogram *from);

/* Arithmetic mean; 0 when empty. */
double ut_histogram_mean(const struct ut_histogram *histogram);

/* Percentile by nearest rank: the smallest value that at least `percent` (0..100) of all values do not exceed; 0 when
 * empty. */
uint64_t ut_histogram_percentile(const struct ut_histogram *histogram, double percent);

#endif
