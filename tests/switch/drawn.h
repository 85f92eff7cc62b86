/* SPDX-License-Identifier: Apache-2.0 */
/* drawn.h - numbers at random for states and packets of a test; the same ones after the same seed. */
#ifndef UT_TEST_DRAWN_H
#define UT_TEST_DRAWN_H

#include <stdint.h>

static uint64_t drawn; /* begins at any seed */

static inline unsigned any(unsigned below) {
  drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)((drawn >> 33) % below);
}

#endif
