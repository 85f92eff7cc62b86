/* SPDX-License-Identifier: Apache-2.0 */
/* toggles.h - counts how often each bit of several words changes; part of the shim, and of its test.
 *
 * It counts settled values, one set for each cycle: a net that rises and falls within a cycle (a glitch) is not seen.
 * The counters of a word's 64 bits are stored in planes: bit i of plane p is digit p of the counter of bit i.  So a
 * word is added with two operations for each digit, and more than two digits rarely change.
 */
#ifndef UT_TOGGLES_H
#define UT_TOGGLES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { UT_TOGGLE_PLANES = 16, UT_TOGGLE_FULL = (1 << UT_TOGGLE_PLANES) - 1 };
/* Words of memory that counters need. */
#define UT_TOGGLE_CAPACITY(words) ((words) * (1 + UT_TOGGLE_PLANES + 64))

struct ut_toggles {
  uint64_t *last, *plane, *sum; /* [words], [planes][words], [words * 64] */
  uint64_t cycles;              /* cycles that were compared with the one before */
  unsigned words;
  unsigned added; /* cycles since the planes were empty */
  bool known;     /* last[] holds the previous cycle; false: the next cycle is compared with nothing */
};

static inline void ut_toggles_init(struct ut_toggles *toggles, uint64_t *room, unsigned words) {
  memset(toggles, 0, sizeof *toggles);
  memset(room, 0, UT_TOGGLE_CAPACITY(words) * sizeof *room);
  toggles->last = room;
  toggles->plane = room + words;
  toggles->sum = toggles->plane + UT_TOGGLE_PLANES * words;
  toggles->words = words;
}

/* Adds the planes to the sums and clears them. */
static inline void ut_toggles_empty(struct ut_toggles *toggles) {
  for (unsigned p = 0; p < UT_TOGGLE_PLANES; p++)
    for (unsigned w = 0; w < toggles->words; w++)
      for (uint64_t bits = toggles->plane[p * toggles->words + w]; bits; bits &= bits - 1)
        toggles->sum[w * 64 + (unsigned)__builtin_ctzll(bits)] += UINT64_C(1) << p;
  memset(toggles->plane, 0, UT_TOGGLE_PLANES * toggles->words * sizeof *toggles->plane);
  toggles->added = 0;
}

/* Counts the words of the next cycle. */
static inline void ut_toggles_sample(struct ut_toggles *toggles, const uint64_t *now) {
  if (toggles->added == UT_TOGGLE_FULL)
    ut_toggles_empty(toggles);
  for (unsigned w = 0; w < toggles->words; w++) {
    uint64_t changed = toggles->known ? now[w] ^ toggles->last[w] : 0;
    for (uint64_t *plane = toggles->plane + w; changed; plane += toggles->words) {
      const uint64_t carry = *plane & changed;
      *plane ^= changed;
      changed = carry;
    }
    toggles->last[w] = now[w];
  }
  toggles->added++;
  toggles->cycles += toggles->known;
  toggles->known = true;
}

/* Starts a new count. */
static inline void ut_toggles_forget(struct ut_toggles *toggles) {
  ut_toggles_empty(toggles);
  memset(toggles->sum, 0, (size_t)toggles->words * 64 * sizeof *toggles->sum);
  toggles->cycles = 0;
}

#endif
