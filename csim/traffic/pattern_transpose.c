/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_transpose.c - the transpose of a matrix that is stored row by row: d(i) = s(i + b/2 mod b). */
#include "pattern.h"
#include "scenario_refusal.h"

static int check(const struct ut_check *checker, uint32_t terminals) {
  return terminals & 0xaaaaaaaa
             ? ut_impossible(
                   checker, "traffic.pattern", "choose k or n so that k^n is a power of four",
                   "pattern transpose swaps the halves of an address: %u terminals have an odd number of bits",
                   (unsigned)terminals)
             : 0;
}

static uint32_t transpose(uint32_t source, unsigned bits) {
  return ut_pattern_rotate(source, bits, bits / 2);
}

const struct ut_pattern ut_pattern_transpose = {
    .name = "transpose",
    .summary = "halves of the address bits swapped; the terminals must be a power of four",
    .keys = {"traffic.over", "traffic.member"},
    .booksim = "transpose",
    .check = check,
    .permute_bits = transpose,
};
