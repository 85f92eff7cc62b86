/* SPDX-License-Identifier: Apache-2.0 */
/* pattern_neighbour.c - the next node in each dimension (Dally and Towles, section 3.2). */
#include "pattern.h"

static unsigned move(unsigned coordinate, unsigned size) {
  return (coordinate + 1) % size;
}

const struct ut_pattern ut_pattern_neighbour = {
    .name = "neighbour",
    .summary = "in each dimension, of size k, coordinate x sends to x + 1 modulo k",
    .booksim = "neighbor",
    .move_coordinate = move,
};
