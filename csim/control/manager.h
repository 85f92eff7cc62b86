/* SPDX-License-Identifier: Apache-2.0 */
/* manager.h - the fault manager: it plans forwarding tables, or exclusion intervals, and writes them through the
 * switches' configuration ports.  An entry is that of a table, or an interval.
 *
 * Before the first cycle every switch gets the tables of the fault-free network, or the intervals for the faults of
 * cycle 0. When links or switches go down or come back, the manager learns it at once and plans new tables at once
 * (REROUTE section IX.C assumes the same).  After `delay` cycles it begins to distribute them: the tables of the i-th
 * switch begin to arrive (i + 1) * `pace` cycles later, one entry in a cycle, only entries that change.  Events during
 * a round are handled in the next round.  Entries for a switch that has failed are kept until it is back and another
 * round begins.
 *
 * That is the `mixed` update: meanwhile old entries stand beside new ones, which may be a deadlock although neither
 * the old tables nor the new ones have one.
 *
 * two_phase  A round visits the switches twice.  First entries that change are withdrawn (withdrawals.h): packets that
 *            ask for them are discarded.  When the last one has been withdrawn, sources write the new layers into
 *            headers, and all packets that have been begun must leave the network; then the new entries are written.
 *            So at each moment packets go by old entries alone, or by new ones alone.
 * safe       The same, but only for entries that must not be mixed (mixable.h); the others are written in the first
 *            visit.  If there are none, the update is mixed.  What has met both old and new entries must leave before
 *            the next round.
 *
 * Events meanwhile are handled in the next round, which begins with what the switches hold by then: before the second
 * visit, if they come before it.
 */
#ifndef UT_MANAGER_H
#define UT_MANAGER_H

#include "exclusions.h"
#include "faults.h"
#include "forwarding.h"
#include "held_words.h"
#include "mixable.h"
#include "scenario.h"
#include "withdrawals.h"

/* A switch that is being written. */
struct ut_stream {
  uint32_t sw;
  uint32_t next;  /* how many of its words have been checked */
  bool withdraws; /* entries, before words are written */
  struct ut_withdrawals withdrawals;
};

/* How the manager goes about it: what the scenario says. */
struct ut_manager_rule {
  bool active; /* false: the tables are never changed (scenario: tables: static) */
  enum ut_update update;
  uint64_t delay, pace; /* cycles until it begins to write, and from switch to switch */
};

/* drains: until what had been begun before has left the network. */
enum ut_manager_phase { UT_MANAGER_IDLE, UT_MANAGER_WITHDRAWS, UT_MANAGER_DRAINS, UT_MANAGER_WRITES };

/* What rounds have cost so far.  cycles: from the survey to the end of the round; drain_cycles are among them. */
struct ut_manager_costs {
  uint64_t rounds, withholding_rounds, withdrawn, written, cycles, drain_cycles;
};

struct ut_manager {
  struct ut_forwarding forwarding; /* one of these two */
  struct ut_exclusions exclusions;
  struct ut_manager_rule rule;
  uint32_t switches;
  uint32_t entries;          /* entries of a switch, with the banks of its input ports */
  struct ut_held_words held; /* the switches' present entries */
  struct ut_mixable mixable; /* of a safe update */
  uint64_t *word;            /* [switches]: word at the configuration port in this cycle; 0: none */
  struct ut_stream *stream;
  uint32_t streams, begun;     /* begun: switches to which this phase has begun to send */
  bool told;                   /* an event has happened since the last survey */
  enum ut_manager_phase phase; /* of the round in progress */
  bool withheld;               /* entries are withdrawn in this round, and not written yet */
  uint64_t since, start;       /* of the phase; of its visits */
  struct ut_manager_costs costs;
  uint64_t next_cycle; /* no action is due before this cycle */
};

/* false: out of memory. */
bool ut_manager_init(struct ut_manager *manager, const struct ut_topology *topo, const struct ut_shape *shape,
                     const struct ut_planning *planning, const struct ut_manager_rule *rule);
void ut_manager_fini(struct ut_manager *manager);

/* Surveys the present network; it determines the words until the next survey. */
void ut_manager_survey(struct ut_manager *manager, const ut_mask *link_up);

/* Tells the terminals what they write into headers by the last survey; the end of a round does so, too. */
void ut_manager_tell_terminals(struct ut_manager *manager);

/* Returns the word that loads entry i of a switch before the first cycle. */
uint64_t ut_manager_boot(struct ut_manager *manager, uint32_t sw, uint32_t i);

/* To be called when a link or switch has changed its state in this cycle. */
void ut_manager_tell(struct ut_manager *manager, uint64_t cycle);

/* Runs one cycle, which is manager->next_cycle or later: fills manager->word.  drained: the manager was draining before
 * this step, and all packets have left that had been begun when it began to. */
void ut_manager_step(struct ut_manager *manager, const struct ut_faults *faults, const ut_mask *link_up, bool drained,
                     uint64_t cycle);

#endif
