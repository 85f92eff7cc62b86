/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_complement.c - all bits inverted: d(i) = not s(i). */
#include "pattern.h"

static uint32_t complement(uint32_t source, unsigned bits) {
  return ~source & ((UINT32_C(1) << bits) - 1);
}

const struct ut_pattern ut_pattern_complement = {
    .name = "complement",
    .summary = "all address bits inverted",
    .keys = {"traffic.over", "traffic.member"},
    .booksim = "bitcomp",
    .permute_bits = complement,
};
