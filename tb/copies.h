/* SPDX-License-Identifier: Apache-2.0 */
/* copies.h - many copies of one network, moved together: their switches are lanes of gates, and lane i of every switch
 * belongs to copy i.
 *
 * Each copy has wires and terminals of its own, and its own in-flight table.  As long as nothing is flipped, all do the
 * same.
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
  bool busy, error; /* in the last cycle: a switch has something to do; its error_o is 1 */
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

/* As many as the classes, made for lanes, have; the scenario must outlive them.  Networks with forwarding tables or
 * workloads are not supported.  Returns 0, or -1 after filling *e; close in both cases. */
int ut_copies_open(struct ut_copies *copies, const struct ut_scenario *scenario, const struct ut_models *models,
                   struct ut_error *e);
void ut_copies_close(struct ut_copies *copies);

/* One cycle of all of them. */
void ut_copies_step(struct ut_copies *copies);
/* A flip-flop is flipped when the next cycle has ended, before anybody sees it. */
void ut_copies_upset(struct ut_copies *copies, unsigned copy, uint32_t sw, unsigned flip_flop);
/* All switches of a copy are stepped in the next cycle, even those that say that they are idle. */
void ut_copies_wake(struct ut_copy *copy);
/* The switches of a copy hold what those of copy 0 hold. */
void ut_copies_restore(struct ut_copies *copies, unsigned copy);
/* A bit for each copy: some flip-flop of its switches holds something else than that of copy 0. */
void ut_copies_differing(const struct ut_copies *copied, uint64_t copies[UT_MOST_TOGETHER / 64]);

#endif
