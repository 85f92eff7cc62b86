/* SPDX-License-Identifier: Apache-2.0 */
/* random.h - counter-based random numbers (Random123, threefry2x64 of 20 rounds; Salmon et al., SC 2011).
 *
 * A stream is a pure function of (seed, purpose, number of the stream): one stream per terminal, so that no result
 * depends on the number of threads or on the order in which terminals are simulated.  Nothing here calls the C
 * library's mathematics, whose last bits differ between libraries and processors: the same scenario gives the same
 * packets on every machine, provided that the compiler does not fuse multiplications and additions (-ffp-contract=off;
 * on x86-64 without -march it cannot).
 */
#ifndef UT_RANDOM_H
#define UT_RANDOM_H

#include <stdint.h>

/* The purpose of a stream, part of its key.  Append only: a changed number changes every published run. */
enum ut_random_purpose {
  UT_RANDOM_TRAFFIC,
  UT_RANDOM_FAULTS,
  UT_RANDOM_SAMPLING,
  UT_RANDOM_TEST,
  UT_RANDOM_INJECTION,
  UT_RANDOM_LENGTHS,
  UT_RANDOM_AVAILABILITY,
  UT_RANDOM_SWEEP,
  UT_RANDOM_UPSETS,
  UT_RANDOM_HUNT,
  UT_RANDOM_VIA,
};

struct ut_random {
  uint64_t key[2];  /* seed; purpose and stream */
  uint64_t counter; /* blocks of 4 words made so far */
  uint32_t word[4];
  uint32_t left; /* words of the block that are not used yet */
};

/* Starts stream number `stream` (any) of that purpose and seed. */
void ut_random_init(struct ut_random *random, uint64_t seed, enum ut_random_purpose purpose, uint32_t stream);

/* Makes the next block of words; called by ut_random_u32 only. */
void ut_random_refill(struct ut_random *random);

/* Draws 128 random bits: a block of its own, whatever words of the last block are left. */
void ut_random_pair(struct ut_random *random, uint64_t pair[2]);
/* Draws several such blocks, one after the other. */
enum { UT_RANDOM_PAIRS = 4 };
void ut_random_pairs(struct ut_random *random, uint64_t pair[2 * UT_RANDOM_PAIRS]);

/* -ln(x) for 0 < x < infinity (not subnormal), correct to about 1e-15, the same bits on every machine with IEEE
 * doubles. */
double ut_minus_log(double x);

/* 32 random bits. */
static inline uint32_t ut_random_u32(struct ut_random *random) {
  if (random->left == 0)
    ut_random_refill(random);
  return random->word[--random->left];
}

/* Uniform in (0, 1], a multiple of 2^-53. */
static inline double ut_random_unit(struct ut_random *random) {
  uint64_t high = ut_random_u32(random);
  uint64_t bits = (high << 32 | ut_random_u32(random)) >> 11;
  return (double)(bits + 1) * 0x1p-53;
}

/* Uniform in 0..n-1, without bias (Lemire, ACM TOMACS 29(1), 2019).  n >= 1. */
static inline uint32_t ut_random_below(struct ut_random *random, uint32_t n) {
  uint64_t product = (uint64_t)ut_random_u32(random) * n;
  if ((uint32_t)product < n) {
    uint32_t unfair = (0u - n) % n;
    while ((uint32_t)product < unfair)
      product = (uint64_t)ut_random_u32(random) * n;
  }
  return (uint32_t)(product >> 32);
}

/* Exponentially distributed with mean 1, 0 .. 27.7, from 40 random bits; never increases with them. */
static inline double ut_exponential_of(uint64_t bits) {
  return ut_minus_log((double)(bits + 1) * 0x1p-40);
}

#endif
