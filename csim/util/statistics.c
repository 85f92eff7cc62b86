/* SPDX-License-Identifier: Apache-2.0 */
/* statistics.c - see statistics.h */
#include "statistics.h"

#include <stdlib.h>
#include <string.h>

bool ut_histogram_init(struct ut_histogram *h) {
  *h = (struct ut_histogram){.low = calloc(UT_HISTOGRAM_PAGE, sizeof *h->low)};
  return h->low != NULL;
}

void ut_histogram_free(struct ut_histogram *h) {
  for (size_t i = 0; i < h->pages; i++)
    free(h->page[i]);
  free(h->page);
  free(h->low);
  *h = (struct ut_histogram){0};
}

void ut_histogram_clear(struct ut_histogram *h) {
  memset(h->low, 0, UT_HISTOGRAM_PAGE * sizeof *h->low);
  for (size_t i = 0; i < h->pages; i++)
    if (h->page[i])
      memset(h->page[i], 0, UT_HISTOGRAM_PAGE * sizeof *h->low);
  h->count = h->sum = h->max = 0;
}

/* Page `number` >= 1, made when it is missing.  NULL when memory ran out. */
static uint64_t *page_of(struct ut_histogram *h, uint64_t number) {
  if (number > h->pages) {
    size_t pages = 2 * h->pages > number ? 2 * h->pages : number;
    uint64_t **page = realloc(h->page, pages * sizeof *page);
    if (!page)
      return NULL;
    for (size_t i = h->pages; i < pages; i++)
      page[i] = NULL;
    h->page = page;
    h->pages = pages;
  }
  if (!h->page[number - 1])
    h->page[number - 1] = calloc(UT_HISTOGRAM_PAGE, sizeof *h->low);
  return h->page[number - 1];
}

bool ut_histogram_add_far(struct ut_histogram *h, uint64_t cycles) {
  uint64_t *page = cycles < UT_HISTOGRAM_LIMIT ? page_of(h, cycles / UT_HISTOGRAM_PAGE) : NULL;
  if (!page)
    return false;
  page[cycles % UT_HISTOGRAM_PAGE]++;
  h->count++;
  h->sum += cycles;
  if (cycles > h->max)
    h->max = cycles;
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

double ut_histogram_mean(const struct ut_histogram *h) {
  return h->count ? (double)h->sum / (double)h->count : 0;
}

uint64_t ut_histogram_percentile(const struct ut_histogram *h, double percent) {
  /* A percentage such as 99.9 has no exact double: without the margin its error would lift a whole rank to the next
   * one. */
  const uint64_t rank = (uint64_t)(percent / 100 * (double)h->count * (1 - 1e-13)) + 1;
  uint64_t seen = 0;
  for (size_t i = 0; i <= h->pages; i++) {
    const uint64_t *page = i ? h->page[i - 1] : h->low;
    for (size_t bin = 0; page && bin < UT_HISTOGRAM_PAGE; bin++) {
      seen += page[bin];
      if (seen >= rank)
        return i * UT_HISTOGRAM_PAGE + bin;
    }
  }
  return h->max;
}
