/* SPDX-License-Identifier: Apache-2.0 */
/* steady.c - see steady.h */
#define _POSIX_C_SOURCE 200809L
#include "steady.h"

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

double ut_seconds(void) {
  /* Microseconds, which 64 bits hold for 292,000 years: of the clock at the last look, of all steps forward. */
  static _Atomic int64_t before, sum;
  struct timespec timespec;
  clock_gettime(CLOCK_MONOTONIC, &timespec);
  const int64_t now = (int64_t)timespec.tv_sec * 1000000 + timespec.tv_nsec / 1000,
                last = atomic_exchange(&before, now);
  int64_t step = last && now > last ? now - last : 0;
  step += atomic_fetch_add(&sum, step);
  return (double)step * 1e-6;
}
