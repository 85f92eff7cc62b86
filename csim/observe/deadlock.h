/* SPDX-License-Identifier: Apache-2.0 */
/* deadlock.h - the deadlock watchdog: finds packets that can never move again, and the cycle of channels that wait for
 * each other.
 *
 * A channel is an input VC of a switch.  The packet at its front is stuck if every output VC that it may take is owned
 * by a stuck packet, or leads to a buffer whose front packet is stuck (REROUTE Definition 17: a set of queues in which
 * all next-hop queues of every first packet are in the set).  The search starts from all waiting channels and removes
 * those that can still move, until nothing changes; what is left is deadlocked, exactly.
 */
#ifndef UT_DEADLOCK_H
#define UT_DEADLOCK_H

#include <stdio.h>

#include "network.h"

struct ut_watchdog {
  uint64_t last; /* cycle of the last search */
  bool found;
  char *text; /* the cycle, one channel a line */
};

/* Searches every run.watchdog_cycles (0: never); returns true if there is a deadlock. */
bool ut_watchdog_check(struct ut_watchdog *watchdog, const struct ut_network *net);
/* Searches now. */
bool ut_deadlock_search(struct ut_watchdog *watchdog, const struct ut_network *net);
void ut_watchdog_print(const struct ut_watchdog *watchdog, FILE *f);
void ut_watchdog_free(struct ut_watchdog *watchdog);

#endif
