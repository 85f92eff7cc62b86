/* SPDX-License-Identifier: Apache-2.0 */
/* lengths.h - flits of packets whose lengths are drawn from a distribution.
 *
 * A length is an integer, so a distribution is a table: how many of 2^40 equally likely draws give a length of at most
 * a given number of flits.  The mean follows from the same table, so the load in flits is that of the packets that are
 * drawn.
 */
#ifndef UT_LENGTHS_H
#define UT_LENGTHS_H

#include <stdint.h>

#include "error.h"

enum ut_distribution { UT_LENGTHS_FIXED, UT_LENGTHS_EXPONENTIAL, UT_LENGTHS_UNIFORM, UT_LENGTHS_BIMODAL };
enum { UT_MAX_PACKET = 1023, UT_LENGTH_BITS = 40 }; /* flits of a packet; bits of a draw */

/* Which lengths (ut_scenario_lengths()):
 *   fixed        max
 *   exponential  of that mean, rounded to whole flits; what is beyond min and max becomes min or max
 *   uniform      min..max, equally likely
 *   bimodal      max with probability long_fraction, else min */
struct ut_length_rule {
  enum ut_distribution kind;
  unsigned min, max;    /* 1..UT_MAX_PACKET */
  double mean;          /* exponential; above 0 */
  double long_fraction; /* bimodal; 0..1 */
};

struct ut_lengths {
  unsigned min, max;
  double mean;       /* of the lengths that are drawn */
  uint64_t *at_most; /* [max - min + 1]: draws that give at most min + i flits; NULL: all packets have max flits */
};

/* -1 and *e: out of memory.  *lengths is then empty. */
int ut_lengths_init(struct ut_lengths *lengths, const struct ut_length_rule *rule, struct ut_error *e);
void ut_lengths_free(struct ut_lengths *lengths);

/* Returns the length for a draw below 2^40; at_most is not NULL. */
static inline unsigned ut_lengths_of(const struct ut_lengths *lengths, uint64_t draw) {
  unsigned from = 0, to = lengths->max - lengths->min; /* the last entry is 2^40 */
  while (from < to) {
    const unsigned middle = (from + to) / 2;
    if (draw < lengths->at_most[middle])
      to = middle;
    else
      from = middle + 1;
  }
  return lengths->min + from;
}

#endif
