/* SPDX-License-Identifier: Apache-2.0 */
/* statistics.c - see statistics.h */
#include "statistics.h"

#include <stdlib.h>
#include <string.h>

bool ut_histogram_init(struct ut_histogram *histogram) {
  *histogram = (struct ut_histogram){.low = calloc(UT_HISTOGRAM_PAGE, sizeof *histogram->low)};
  return histogram->low != NULL;
}

void ut_histogram_free(struct ut_histogram *histogram) {
  for (size_t i = 0; i < histogram->pages; i++)
    free(histogram->page[i]);
  free(histogram->page);
  free(histogram->low);
  *histogram = (struct ut_histogram){0};
}

void ut_histogram_clear(struct ut_histogram *histogram) {
  memset(histogram->low, 0, UT_HISTOGRAM_PAGE * sizeof *histogram->low);
  for (size_t i = 0; i < histogram->pages; i++)
    if (histogram->page[i])
      memset(histogram->page[i], 0, UT_HISTOGRAM_PAGE * sizeof *histogram->low);
  histogram->count = histogram->sum = histogram->max = 0;
}

/* Page `number` >= 1, made when it is missing.  NULL when memory ran out. */
static uint64_t *page_of(struct ut_histogram *histogram, uint64_t number) {
  if (number > histogram->pages) {
    size_t pages = 2 * histogram->pages > number ? 2 * histogram->pages : number;
    uint64_t **page = realloc(histogram->page, pages * sizeof *page);
    if (!page)
      return NULL;
    for (size_t i = histogram->pages; i < pages; i++)
      page[i] = NULL;
    histogram->page = page;
    histogram->pages = pages;
  }
  if (!histogram->page[number - 1])
    histogram->page[number - 1] = calloc(UT_HISTOGRAM_PAGE, sizeof *histogram->low);
  return histogram->page[number - 1];
}

bool ut_histogram_add_far(struct ut_histogram *histogram, uint64_t cycles) {
  uint64_t *page = cycles < UT_HISTOGRAM_LIMIT ? page_of(histogram, cycles / UT_HISTOGRAM_PAGE) : NULL;
  if (!page)
    return false;
  page[cycles % UT_HISTOGRAM_PAGE]++;
  histogram->count++;
  histogram->sum += cycles;
  if (cycles > histogram->max)
    histogram->max = cycles;
  return true;
}

bool ut_histogram_merge(struct ut_histogram *into, const struct ut_histogram *from) {
  /* all memory first, so that a failure changes nothing that can be seen */
  for (size_t i = 0; i < from->pages; i++)
    if (from->page[i] && !page_of(into, i + 1))
      return false;
  for (size_t bin = 0; bin < UT_HISTOGRAM_PAGE; bin++)
    into->low[bin] += from->low[bin];
  for (size_t i = 0; i < from->pages; i++)
    for (size_t bin = 0; from->page[i] && bin < UT_HISTOGRAM_PAGE; bin++)
      into->page[i][bin] += from->page[i][bin];
  into->count += from->count;
  into->sum += from->sum;
  if (from->max > into->max)
    into->max = from->max;
  return true;
}

double ut_histogram_mean(const struct ut_histogram *histogram) {
  return histogram->count ? (double)histogram->sum / (double)histogram->count : 0;
}

uint64_t ut_histogram_percentile(const struct ut_histogram *histogram, double percent) {
  /* A percentage such as 99.9 has no exact double: without the margin its error would lift a whole rank to the next
   * one. */
  const uint64_t rank = (uint64_t)(percent / 100 * (double)histogram->count * (1 - 1e-13)) + 1;
  uint64_t seen = 0;
  for (size_t i = 0; i <= histogram->pages; i++) {
    const uint64_t *page = i ? histogram->page[i - 1] : histogram->low;
    for (size_t bin = 0; page && bin < UT_HISTOGRAM_PAGE; bin++) {
      seen += page[bin];
      if (seen >= rank)
        return i * UT_HISTOGRAM_PAGE + bin;
    }
  }
  return histogram->max;
}
