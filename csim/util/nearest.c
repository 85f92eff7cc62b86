/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.c - see nearest.h */
#include "nearest.h"

#include <string.h>

enum { MAX_LENGTH = 48 }; /* no name of ours is longer, so a longer word is not a misspelling of one */

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* Optimal string alignment distance; both at most MAX_LENGTH letters. */
static unsigned distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  unsigned row[MAX_LENGTH + 1][MAX_LENGTH + 1];
  for (size_t i = 0; i <= n; i++)
    row[i][0] = (unsigned)i;
  for (size_t j = 0; j <= m; j++)
    row[0][j] = (unsigned)j;
  for (size_t i = 1; i <= n; i++) {
    for (size_t j = 1; j <= m; j++) {
      unsigned best = least(row[i - 1][j], row[i][j - 1]) + 1;
      best = least(best, row[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = least(best, row[i - 2][j - 2] + 1);
      row[i][j] = best;
    }
  }
  return row[n][m];
}

const char *ut_nearest(const char *word, const char *const *names, size_t count) {
  size_t length = strlen(word);
  if (length > MAX_LENGTH)
    return NULL;
  const char *nearest = NULL;
  unsigned best = length < 6 ? 2 : (unsigned)length / 3; /* short words: one slip, or two neighbours swapped */
  if (length < 3)
    best = 1;
  for (size_t i = 0; i < count; i++) {
    if (strlen(names[i]) > MAX_LENGTH)
      continue;
    unsigned d = distance(word, names[i]);
    if (nearest ? d < best : d <= best) {
      nearest = names[i];
      best = d;
    }
  }
  return nearest;
}
