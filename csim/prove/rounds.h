/* SPDX-License-Identifier: Apache-2.0 */
/* rounds.h - what the fault manager writes between two plans: its own words, in its own order, phase by phase.
 *
 * The manager (manager.h) is run without a network: its words go into the switches of an explorer.  It visits switches
 * at any pace, so only the order of the words of one switch is kept.  A phase ends where the manager waits until the
 * packets that have been begun have left, or where it has written all.
 */
#ifndef UT_ROUNDS_H
#define UT_ROUNDS_H

#include "explorer.h"
#include "manager.h"

struct ut_rounds {
  struct ut_explorer *explorer;
  struct ut_manager manager;
  struct ut_faults faults;  /* the failed switches */
  struct ut_next_hops told; /* what terminals write into headers */
  uint64_t cycle;
};

/* Loads the tables of the fault-free network.  Returns -1 and fills *e when out of memory. */
int ut_rounds_init(struct ut_rounds *rounds, const struct ut_scenario *scenario, struct ut_explorer *explorer,
                   struct ut_error *e);
void ut_rounds_fini(struct ut_rounds *rounds);

/* Begins a round: the manager learns of the explorer's present faults. */
void ut_rounds_begin(struct ut_rounds *rounds);
/* Writes the words of the next phase and notes them in `changes`, in their order.  Returns false if the round is over.
 */
bool ut_rounds_phase(struct ut_rounds *rounds, struct ut_table_changes *changes);
/* Whether another phase follows, when packets that have been begun by now have left. */
bool ut_rounds_drain(const struct ut_rounds *rounds);
/* Lets terminals know what the manager has told them in this phase. */
void ut_rounds_tell(struct ut_rounds *rounds);
/* Runs a whole round. */
void ut_rounds_settle(struct ut_rounds *rounds, struct ut_table_changes *changes);

#endif
