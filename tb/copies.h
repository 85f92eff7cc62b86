/* SPDX-License-Identifier: Apache-2.0 */
/* copies.h - many copies of one network, stepped together: their switches are lanes of gates, and lane i of every
 * switch belongs to copy i.
 *
 * Each copy has its own wires, terminals and accounts.  As long as nothing is flipped, all copies behave alike.
 */
#ifndef UT_COPIES_H
#define UT_COPIES_H

#include "lockstep.h"
#include "rtl.h"

struct ut_copies;
struct ut_copy {
  struct ut_network network;
  struct ut_backend backend;
  struct ut_copies *all;
  unsigned number;
  bool busy, error; /* state of the last cycle: the switch has work; its error_o is 1 */
  /* within a cycle: switches that have work, and how many of them have been stepped */
  const struct ut_batch *batch;
  unsigned offered, stepped;
};
struct ut_copies {
  struct ut_copy *copy;
  unsigned count;
  uint32_t switches;
  struct ut_rtl_class class[UT_MAX_ELABORATIONS];
  const struct ut_model_api **api; /* [switches] */
  void **model;                    /* [switches * count] */
};

/* Opens as many copies as the classes, which are made for lanes, have lanes; the scenario must outlive them.  Networks
 * with forwarding tables or workloads are not supported.  Returns 0, or -1 after filling *e; close in both cases. */
int ut_copies_open(struct ut_copies *copies, const struct ut_scenario *scenario, const struct ut_models *models,
                   struct ut_error *e);
void ut_copies_close(struct ut_copies *copies);

/* Advances all copies by one cycle. */
void ut_copies_step(struct ut_copies *copies);
/* Flips a flip-flop at the end of the next cycle, before any reader sees the register. */
void ut_copies_upset(struct ut_copies *copies, unsigned copy, uint32_t sw, unsigned flip_flop);
/* Steps all switches of a copy in the next cycle, also those that say that they are idle. */
void ut_copies_wake(struct ut_copy *copy);
/* Copies the state of copy 0's switches into those of another copy. */
void ut_copies_restore(struct ut_copies *copies, unsigned copy);
/* Sets a bit for each copy in which some flip-flop differs from copy 0. */
void ut_copies_differing(const struct ut_copies *copied, uint64_t copies[UT_MOST_TOGETHER / 64]);

#endif
