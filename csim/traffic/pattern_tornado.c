/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_tornado.c - in each dimension almost half-way around: the worst case of minimal routing in rings, which all
 * packets go round the same way (Dally and Towles, section 3.2). */
#include "pattern.h"

static unsigned move(unsigned coordinate, unsigned size) {
  return (coordinate + (size + 1) / 2 - 1) % size;
}

const struct ut_pattern ut_pattern_tornado = {
    .name = "tornado",
    .summary = "in each dimension, of size k, coordinate x sends to x + ceil(k/2) - 1 modulo k",
    .booksim = "tornado",
    .move_coordinate = move,
};
