/* SPDX-License-Identifier: Apache-2.0 */
/* releases.h - what terminals of a workload may send: messages whose tasks have begun, and lost packets once more.
 *
 * Whoever runs the workload appends to them between two cycles (workload_run.c); terminals read them in the cycle that
 * a release is for.  The networks of a lockstep read the same ones.
 */
#ifndef UT_RELEASES_H
#define UT_RELEASES_H

#include <stddef.h>
#include <stdint.h>

/* Some packets of a message. */
struct ut_release {
  uint64_t cycle;          /* they wait for the wire from here on */
  uint64_t sequence;       /* of the first one, among all packets of the terminal */
  uint32_t task;           /* that sends */
  uint32_t first, packets; /* of those of the message */
  uint16_t dst;
  uint16_t flits, last_flits; /* of each; of the last one */
  uint16_t again;             /* how often they have been lost */
};

/* Of a terminal, in order. */
struct ut_release_list {
  struct ut_release *release;
  size_t count, room;
};

struct ut_releases {
  struct ut_release_list *list; /* [terminals] */
  uint64_t *now[2];             /* [terminals / 64] bitmaps: who has some for cycle t, by t % 2 */
};

#endif
