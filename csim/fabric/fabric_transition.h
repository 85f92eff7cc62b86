/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_transition.h - what may happen while a manager writes new tables over old ones.
 *
 * Entries are written one after the other, in any order, so a packet meets the old entry at some switches and the new
 * one at others.  Every mixture is examined: at each switch a packet goes either way.  A way on which no switch comes
 * twice exists in some mixture, and so does a loop.  The dependencies are those of all ways together, which is their
 * union over all mixtures where no packet can loop, and may be more where one can.
 */
#ifndef UT_FABRIC_TRANSITION_H
#define UT_FABRIC_TRANSITION_H

#include "fabric_routes.h"

struct ut_fabric_transition {
  uint64_t entries; /* that change, of those that are examined */
  uint64_t pairs;
  uint64_t lost, looping; /* pairs with a mixture in which they are not delivered: at a switch without a way, on a loop;
                             a pair may be both */
  struct ut_fabric_cycles waits;
  struct ut_fabric_loss loss; /* the first one */
};

/* Examines a fabric that has old tables; to be freed.  0, or -1 and *e: out of memory. */
int ut_fabric_transition_find(struct ut_fabric_transition *transition, const struct ut_fabric *fabric,
                              struct ut_error *e);
void ut_fabric_transition_free(struct ut_fabric_transition *transition);

/* How many entries of two tables differ: those of switches to terminals, with `switches` also to switches. */
uint64_t ut_fabric_differences(const struct ut_switch_tables *tables, const struct ut_switch_tables *other,
                               bool switches);

#endif
