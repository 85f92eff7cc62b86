/* SPDX-License-Identifier: Apache-2.0 */
/* slice.h - a circuit as C that evaluates many copies of it at once: every value is a vector with a bit for each of
 * them, its lanes.
 *
 * The files that are written:
 *   gates.h       ut_lanes, the vector; sizes; the declarations of
 *   gates_N.c     ut_gates_clock(): what all flip-flops hold next; ut_gates_show(): what outputs and registers show
 *   root_gen.h    struct Root, a lane as a program reads and writes it (image.h)
 *
 * A switch of some ten thousand gates becomes straight-line code, cut into functions; values that one of them computes
 * for another are stored in as few places as possible.
 */
#ifndef UT_SLICE_H
#define UT_SLICE_H

#include "circuit.h"

enum { UT_SLICE_MAX_WORDS = 8, UT_SLICE_FILES = 4, UT_SLICE_TEXTS = UT_SLICE_FILES + 2 };

struct ut_slice_text {
  char name[16], *data;
  size_t size;
};
struct ut_slice {
  struct ut_slice_text text[UT_SLICE_TEXTS];
  unsigned texts;
};

/* Words of a vector for that many circuits. */
unsigned ut_slice_words(uint32_t circuits);

/* words: 64-bit words of a vector, 1, 2, 4 or 8.  Returns 0, or -1 after filling *e; free in both cases. */
int ut_slice_make(struct ut_slice *slice, const struct ut_circuit *circuit, unsigned words, struct ut_error *e);
void ut_slice_free(struct ut_slice *slice);

#endif
