/* SPDX-License-Identifier: Apache-2.0 */
/* traffic_draw.h - the random numbers of a source, for traffic.c and for patterns that draw. */
#ifndef UT_TRAFFIC_DRAW_H
#define UT_TRAFFIC_DRAW_H

#include "traffic.h"

/* Draws bits in advance. */
void ut_traffic_draw_again(const struct ut_traffic *traffic, struct ut_traffic_source *source)
    __attribute__((noinline));

/* 64 random bits. */
static inline uint64_t ut_traffic_bits(const struct ut_traffic *traffic, struct ut_traffic_source *source) {
  if (source->used == UT_DRAWS)
    ut_traffic_draw_again(traffic, source);
  return source->bits[source->used++];
}

/* The lowest product, of 24 random bits and the number of other terminals, that is without bias. */
uint64_t ut_traffic_without_bias(const struct ut_traffic *traffic, struct ut_traffic_source *source)
    __attribute__((noinline));

/* Draws any other terminal, from 24 random bits, without bias (Lemire, ACM TOMACS 29(1), 2019): some draws are
 * rejected. */
static inline uint16_t ut_traffic_any_other(const struct ut_traffic *traffic, struct ut_traffic_source *source,
                                            uint32_t bits) {
  if (traffic->others == 0)
    return 0;
  uint64_t product = (uint64_t)bits * traffic->others;
  if (__builtin_expect((product & 0xffffff) < traffic->unfair, 0))
    product = ut_traffic_without_bias(traffic, source);
  uint32_t other = (uint32_t)(product >> 24);
  return (uint16_t)(other + (other >= source->terminal));
}

/* Draws a number below `bound`, at most 65536, from 24 random bits, without bias. */
static inline uint32_t ut_traffic_below(const struct ut_traffic *traffic, struct ut_traffic_source *source,
                                        uint32_t bits, uint32_t bound) {
  const uint32_t unfair = (UINT32_C(1) << 24) % bound;
  uint64_t product = (uint64_t)bits * bound;
  while ((product & 0xffffff) < unfair)
    product = (ut_traffic_bits(traffic, source) & 0xffffff) * bound;
  return (uint32_t)(product >> 24);
}

#endif
