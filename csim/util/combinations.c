/* SPDX-License-Identifier: Apache-2.0 */
/* combinations.c - see combinations.h */
#include "combinations.h"

uint64_t ut_binomial(uint64_t n, uint64_t r) {
  if (r > n)
    return 0;
  if (r > n - r)
    r = n - r;
  uint64_t result = 1;
  for (uint64_t i = 1; i <= r; i++) {
    if (result >> 32 == 0 && n >> 32 == 0) { /* the common case, without a long division */
      result = result * (n - r + i) / i;
      continue;
    }
    unsigned __int128 product = (unsigned __int128)result * (n - r + i);
    if (product / i >= UINT64_MAX)
      return UINT64_MAX;
    result = (uint64_t)(product / i);
  }
  return result;
}

void ut_combination_get(uint64_t index, uint32_t n, unsigned r, uint32_t *out) {
  uint32_t next = 0;
  for (unsigned i = 0; i < r; i++)
    for (;; next++) {
      uint64_t with = ut_binomial(n - next - 1, r - i - 1);
      if (index < with) {
        out[i] = next++;
        break;
      }
      index -= with;
    }
}

void ut_combination_draw(struct ut_random *random, uint32_t n, unsigned r, uint32_t *out) {
  for (unsigned i = 0; i < r; i++) {
    uint32_t last = n - r + i, number = ut_random_below(random, last + 1);
    for (unsigned j = 0; j < i; j++)
      if (out[j] == number)
        number = last;
    unsigned at = i;
    for (; at && out[at - 1] > number; at--)
      out[at] = out[at - 1];
    out[at] = number;
  }
}
