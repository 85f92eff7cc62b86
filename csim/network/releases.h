/* SPDX-License-Identifier: Apache-2.0 */
/* releases.h - the packets that the terminals of a workload may send: messages whose tasks have begun, and lost packets
 * that are sent again.
 *
 * workload_run.c appends releases between two cycles; terminals read them in the cycle for which they are released.
 * Both networks of a lockstep read the same list.
 */
#ifndef UT_RELEASES_H
#define UT_RELEASES_H

#include <stddef.h>
#include <stdint.h>

/* Several packets of one message. */
struct ut_release {
  uint64_t cycle;          /* the cycle from which they wait for the wire */
  uint64_t sequence;       /* number of the first one among all packets of the terminal */
  uint32_t task;           /* that sends */
  uint32_t first, packets; /* number of the first one among those of the message */
  uint16_t dst;
  uint16_t flits, last_flits; /* flits of each packet; of the last one */
  uint16_t again;             /* how often they have been lost before */
};

/* Releases of one terminal, in order. */
struct ut_release_list {
  struct ut_release *release;
  size_t count, room;
};

struct ut_releases {
  struct ut_release_list *list; /* [terminals] */
  uint64_t *now[2];             /* [terminals / 64] bitmaps: terminals with releases for cycle t, by t % 2 */
};

#endif
