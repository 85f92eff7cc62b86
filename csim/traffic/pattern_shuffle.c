/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_shuffle.c - the perfect shuffle: d(i) = s(i - 1 mod b). */
#include "pattern.h"

static uint32_t shuffle(uint32_t source, unsigned bits) {
  return ut_pattern_rotate(source, bits, bits > 1 ? 1 : 0);
}

const struct ut_pattern ut_pattern_shuffle = {
    .name = "shuffle",
    .summary = "address bits rotated left by one",
    .keys = {"traffic.over", "traffic.member"},
    .booksim = "shuffle",
    .permute_bits = shuffle,
};
