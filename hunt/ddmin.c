/* SPDX-License-Identifier: Apache-2.0 */
/* ddmin.c - see ddmin.h */
#include "ddmin.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Copies the set without `size` elements from place `from` on; returns how many are left. */
static size_t without(size_t *trial, const size_t *kept, size_t count, size_t from, size_t size) {
  memcpy(trial, kept, from * sizeof *kept);
  memcpy(trial + from, kept + from + size, (count - from - size) * sizeof *kept);
  return count - size;
}

size_t ut_ddmin(size_t *kept, size_t count, ut_ddmin_fails *fails, void *ctx) {
  size_t *trial = malloc((count + 1) * sizeof *trial);
  if (!trial)
    return SIZE_MAX;
  for (size_t part = count; part;) { /* the whole set first: often nothing is needed */
    bool removed = false;
    for (size_t from = 0; from < count;) {
      const size_t size = part < count - from ? part : count - from;
      const size_t left = without(trial, kept, count, from, size);
      if (fails(ctx, trial, left)) {
        memcpy(kept, trial, left * sizeof *kept);
        count = left;
        removed = true;
      } else {
        from += size;
      }
    }
    if (part == 1 && !removed) /* a whole round with single elements */
      break;
    part = part > 1 ? part / 2 : 1;
    if (!count)
      break;
  }
  free(trial);
  return count;
}
