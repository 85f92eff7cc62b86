/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_bit_rotation.c - the bits rotated right, the inverse of the shuffle: d(i) = s(i + 1 mod b). */
#include "pattern.h"

static uint32_t rotate(uint32_t source, unsigned bits) {
  return ut_pattern_rotate(source, bits, bits > 1 ? bits - 1 : 0);
}

const struct ut_pattern ut_pattern_bit_rotation = {
    .name = "bit_rotation",
    .summary = "address bits rotated right by one, the inverse of `shuffle`",
    .keys = {"traffic.over", "traffic.member"},
    .permute_bits = rotate,
};
