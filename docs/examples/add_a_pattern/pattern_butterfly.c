/* pattern_butterfly.c - one stage of a butterfly network: the highest and the lowest bit change places, d(0) = s(b - 1)
 * and d(b - 1) = s(0), and the others stay. */
#include "pattern.h"

static uint32_t butterfly(uint32_t source, unsigned bits) {
  if (bits < 2)
    return source;
  const uint32_t lowest = source & 1, highest = source >> (bits - 1), ends = UINT32_C(1) << (bits - 1) | 1;
  return (source & ~ends) | lowest << (bits - 1) | highest;
}

const struct ut_pattern ut_pattern_butterfly = {
    .name = "butterfly",
    .summary = "highest and lowest address bit swapped",
    .permute_bits = butterfly,
};
