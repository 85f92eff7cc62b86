/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_bit_reverse.c - the bits in reverse order, as in a fast Fourier transform: d(i) = s(b - 1 - i). */
#include "pattern.h"

static uint32_t reverse(uint32_t source, unsigned bits) {
  uint32_t destination = 0;
  for (unsigned i = 0; i < bits; i++, source >>= 1)
    destination = destination << 1 | (source & 1);
  return destination;
}

const struct ut_pattern ut_pattern_bit_reverse = {
    .name = "bit_reverse",
    .summary = "address bits in reverse order",
    .keys = {"traffic.over", "traffic.member"},
    .booksim = "bitrev",
    .permute_bits = reverse,
};
