/* SPDX-License-Identifier: Apache-2.0 */
/* reconfiguration.h - static reconfiguration (INTERMEDIATE, section 1: the static fault model; REROUTE, section I):
 * when a link or a switch fails or comes back, traffic stops until there are routes for what is left.
 *
 *   detects      the manager does not know of the change yet, and traffic goes on: `delay` cycles
 *   drains       no terminal begins a packet; what is in the network arrives, or is discarded, until nothing is left
 *                after `drain_timeout_cycles` all switches are reset, and what is still in them is lost (`purged`):
 * packets for which a fault has taken the escape channel may wait for each other for ever distributes  routes or tables
 * are planned for the present network and written; terminals still begin no packet
 *
 * Then the terminals go on.  A change while traffic is halted is surveyed with the others if it comes before the routes
 * are planned; later, the network stays halted and another round follows.  Planned routes are written as tables are
 * (manager.h): entries of the i-th node begin to arrive (i + 1) * `pace` cycles after the survey, one entry in a cycle,
 * only entries that change.
 *
 * The manager learns that the network is empty from the counts of terminals and switches, so a network whose switches
 * do not tell what they discard follows another one (ut_network_follow()).
 */
#ifndef UT_RECONFIGURATION_H
#define UT_RECONFIGURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "accounting.h"

struct ut_network;
struct ut_paths;

/* How long a reset of all switches takes. */
enum { UT_RESET_CYCLES = 2 };

enum ut_reconfiguration_phase { UT_PHASE_IDLE, UT_PHASE_DETECTS, UT_PHASE_DRAINS, UT_PHASE_DISTRIBUTES };

struct ut_reconfiguration {
  bool active; /* scenario: `reconfiguration: static` */
  enum ut_reconfiguration_phase phase;
  bool told;            /* a change has not been surveyed */
  uint64_t since;       /* cycle in which the phase began */
  uint64_t heard;       /* cycle in which the manager knows of the last change */
  uint64_t end;         /* cycle in which the last node has its planned routes */
  uint64_t limit;       /* cycle in which the switches are reset if the network is not empty; UINT64_MAX: never */
  uint64_t reset_cycle; /* cycle in which a reset begins, or ends; UINT64_MAX: none */
  uint64_t next_cycle;  /* no action is due before this cycle */
  /* what it has cost so far */
  uint64_t rounds;  /* how often routes or tables were written */
  uint64_t resets;  /* of all switches */
  uint64_t entries; /* entries of planned routes that were written */
  uint64_t drain_cycles, distribute_cycles;
  uint64_t lost[UT_DISCARD_REASONS];   /* packets discarded from the change until terminals go on */
  uint64_t before[UT_DISCARD_REASONS]; /* packets that had been discarded when the change came */
};

/* To be called when links or switches have changed their state in this cycle.  before: the accounts before that. */
void ut_reconfiguration_tell(struct ut_network *net, const struct ut_accounts *before);

/* Returns whether packets that wait for each other will be purged. */
bool ut_reconfiguration_purges(const struct ut_network *net);

/* Runs one cycle, which is net->reconfiguration.next_cycle or later. */
void ut_reconfiguration_step(struct ut_network *net);

#endif
