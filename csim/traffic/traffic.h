/* SPDX-License-Identifier: Apache-2.0 */
/* traffic.h - which packets the terminals want to send, and when.
 *
 * A struct ut_traffic is read-only after init; every terminal has its own source.  The packets of a source depend only
 * on the scenario, its seed and the terminal's number, never on the network, on other terminals or on threads.
 */
#ifndef UT_TRAFFIC_H
#define UT_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "lengths.h"
#include "list.h"
#include "pattern.h"
#include "random.h"

struct ut_packet_request {
  uint64_t cycle; /* the cycle from which the terminal wants to send it */
  uint16_t dst;
  uint16_t flits; /* 1..packet_flits, header included */
};

struct ut_trace_entry {
  uint64_t cycle;
  uint32_t order; /* place in the file: packets of one source and cycle keep this order */
  uint16_t src, dst, flits;
};

/* A pair of terminals of pattern rates. */
struct ut_pair_rate {
  double until;             /* sum of the rates of its source's pairs up to this one, as a share of all of them */
  uint32_t on, off, period; /* it sends in cycles on..off-1 of each period; period 0: always */
  uint16_t dst;
};

enum { UT_GAP_BITS = 10, UT_GAP_UNKNOWN = 0xffff };

struct ut_scenario;
struct ut_traffic_source;
struct ut_traffic {
  const struct ut_pattern *pattern;
  bool uniform; /* the pattern is ut_pattern_uniform, whose destinations are drawn inline */
  /* Draws a destination by the pattern; NULL: uniform, or the destinations are in map or trace. */
  uint16_t (*draw)(const struct ut_traffic *t, struct ut_traffic_source *source, uint32_t bits);
  bool poisson; /* the process; else Bernoulli */
  uint32_t terminals;
  struct ut_list hot_spots;
  double hot_spot_fraction;
  /* Factors from an exponential of mean 1 to a gap in cycles; negative: no packets at all.  Of all terminals; or, where
   * they have loads of their own, [terminals]. */
  double mean_gap, *mean_gaps;
  uint64_t seed;
  uint32_t others, unfair;               /* terminals minus one; 2^24 modulo that */
  uint16_t packet_flits, shortest_flits; /* longest and shortest packet */
  struct ut_lengths lengths;             /* those between them, of a distribution */
  uint16_t
      gap[1 << UT_GAP_BITS]; /* by the first bits of a draw: the gap of uniform Bernoulli traffic, or UT_GAP_UNKNOWN */
  uint16_t *map;             /* [terminals], patterns with one destination per source; else NULL */
  struct ut_pattern_units units; /* of the numbers in a pattern */
  uint32_t spread;               /* not 0: the destination is one of so many terminals from that in map on, at random */
  struct ut_trace_entry *trace;  /* sorted by (src, cycle, order), pattern trace; else NULL */
  size_t *trace_first;           /* [terminals + 1]: first entry of each source */
  struct ut_pair_rate *pair;     /* pattern rates, by source; else NULL */
  size_t *pair_first;            /* [terminals + 1]: first pair of each source */
};

enum { UT_DRAWS = 2 * UT_RANDOM_PAIRS };
struct ut_traffic_source {
  struct ut_random random, lengths; /* random numbers of times and destinations; of lengths, if they are drawn */
  uint64_t bits[UT_DRAWS];          /* bits drawn in advance */
  unsigned used;                    /* how many of them are left, from the first one on */
  uint64_t cycle;  /* Bernoulli: first cycle that may hold the next packet; Poisson: cycle of the last packet */
  double fraction; /* Poisson: where in that cycle, 0 <= fraction < 1 */
  double mean_gap; /* of the terminal */
  size_t pair;     /* rates: that of the last destination */
  size_t next;     /* trace: next entry */
  uint32_t terminal;
};

/* Prepares the scenario's traffic for that many terminals (1..65536), reading its permutation or trace file:
 *   permutation  (over groups or switches: their numbers in place of terminals)
 *                one destination per line for terminal 0, 1, ..., or "src dst" pairs; every terminal once;
 *                several sources may name the same destination: then it is a map, and no permutation
 *   trace        "cycle src dst flits", in any order; flits 1..packet_flits
 *   rates        "src dst rate [on off period]", relative rates
 * '#' starts a comment.  -1 and *e (UT_BAD_INPUT with file, line and column) on failure; *traffic is then empty. */
int ut_traffic_init(struct ut_traffic *traffic, const struct ut_scenario *scenario, unsigned terminals,
                    struct ut_error *e);
void ut_traffic_free(struct ut_traffic *traffic);

/* Of a trace: the flits of the packets due in cycles from..until-1, and the packets due in cycle `end` or later. */
uint64_t ut_traffic_flits(const struct ut_traffic *traffic, uint64_t from, uint64_t until);
uint64_t ut_traffic_packets_from(const struct ut_traffic *traffic, uint64_t end);

/* Starts the packets of one terminal.  Owns no memory; may be called again to start over. */
void ut_traffic_source_init(struct ut_traffic_source *source, const struct ut_traffic *traffic, unsigned terminal);

/* The terminal's next packet, in order of time.  Bernoulli: at most one in a cycle, each cycle with probability
 * load / mean length; Poisson: exponential gaps of that rate, several in a cycle are possible.  Lengths of a
 * distribution have random numbers of their own: times and destinations do not depend on it.  A fixed destination, or
 * that of a trace, may be the source itself: such a packet turns around in the first switch.
 * false: there are no more; *out is unchanged. */
bool ut_traffic_next(const struct ut_traffic *traffic, struct ut_traffic_source *source, struct ut_packet_request *out);

/* Draws the next `count` packets; returns how many there are. */
unsigned ut_traffic_draw(const struct ut_traffic *traffic, struct ut_traffic_source *source, unsigned count,
                         struct ut_packet_request out[]);

/* Word `index` (from 1; 0 is the header) of the payload of packet (src, tag): the receiver computes it again and so
 * checks every bit.  Bit 63 is `last`; the other bits depend on all of src, tag and index, so that a word of another
 * packet or place is not taken for this one.  From word to word UT_BODY_STEP is added to what it is computed from. */
#define UT_BODY_FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define UT_BODY_STEP (UT_BODY_FACTOR << 24)
#define UT_BODY_LAST (UINT64_C(1) << 63)
static inline uint64_t ut_body_begin(uint16_t src, uint8_t tag, uint32_t index) {
  return ((uint64_t)index << 24 | (uint64_t)tag << 16 | src) * UT_BODY_FACTOR;
}
static inline uint64_t ut_body_end(uint64_t x, bool last) {
  x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return (x ^ x >> 32) >> 1 | (uint64_t)last << 63;
}
static inline uint64_t ut_body_word(uint16_t src, uint8_t tag, uint32_t index, bool last) {
  return ut_body_end(ut_body_begin(src, tag, index), last);
}

#endif
