/* SPDX-License-Identifier: Apache-2.0 */
/* workload_run.h - the execution of a workload: which tasks have begun, which are finished, and what may be sent.
 *
 * After each cycle the workload reads the packets that have left the network, and appends the packets that may be sent
 * next to the releases of the terminals.  A task that ends in cycle t lets others begin in cycle t + 1.  The result
 * does not depend on the order in which the packets of a cycle are read, so it does not depend on threads.
 *
 * A packet that was discarded is sent again after the time that the scenario says, a few times at most.  Otherwise its
 * message is lost, and the tasks that require the message never begin.
 */
#ifndef UT_WORKLOAD_RUN_H
#define UT_WORKLOAD_RUN_H

#include "releases.h"
#include "resends.h"
#include "terminal.h"
#include "workload.h"

struct ut_timer;   /* an event in a future cycle */
struct ut_sending; /* a send that other tasks wait for, until its last flit has left */
/* Sends of one terminal, in the order in which they leave: send[first..end-1]. */
struct ut_sendings {
  struct ut_sending *send;
  size_t first, end, room;
};

struct ut_workload_run {
  struct ut_workload workload;
  struct ut_releases releases;
  uint64_t start;        /* cycle in which it begins */
  uint64_t resend_after; /* cycles; 0: never */
  unsigned resend_limit; /* resends of a packet */
  bool told_only;        /* see resends.h */
  uint32_t *waits;       /* [tasks]: required ones that are still open */
  uint32_t *left;        /* [tasks]: of a receive, the packets that are still to arrive; not used for other tasks */
  uint8_t *state;        /* [tasks]: flags */
  uint64_t *busy_until;  /* [terminals * cpus] */
  struct ut_timer *timer;
  size_t timers, timer_room; /* a heap */
  uint32_t *ready;           /* [2 * tasks]: events that the tasks waiting for them have not seen yet */
  struct ut_release *out;    /* to be released in the next cycle */
  size_t outs, out_room;
  struct ut_sendings *sending; /* [terminals] */
  uint64_t *senders;           /* [terminals / 64]: a bitmap of those that have some */
  uint32_t open;               /* unfinished tasks; a send does not count, its message does */
  uint32_t delivered;          /* messages */
  uint32_t lost;               /* messages that have lost a packet for good */
  uint64_t resent;             /* packets */
  uint64_t completion;         /* cycles from its start until all tasks were finished; UINT64_MAX: not yet */
  bool begun;                  /* the tasks that may begin at the start have begun */
  bool released;               /* releases exist for the next cycle */
  bool failure;                /* out of memory */
};

/* Starts the workload of a scenario in cycle `start`; if that is 0, what may be sent then is released.  Returns -1 and
 * fills *e like ut_workload_of(). */
int ut_workload_run_init(struct ut_workload_run *run, const struct ut_scenario *scenario,
                         const struct ut_topology *topo, uint64_t start, struct ut_error *e);
void ut_workload_run_fini(struct ut_workload_run *run);

/* To be called after a cycle: takes the departures of the terminals off their lists, unless an observer reads them,
 * too. */
void ut_workload_run_step(struct ut_workload_run *run, struct ut_terminals *terminals, uint64_t cycle);

/* Returns whether all tasks are finished. */
static inline bool ut_workload_run_complete(const struct ut_workload_run *run) {
  return run->open == 0;
}
/* Returns whether the workload will do nothing by itself; if the network is empty, the run has ended. */
static inline bool ut_workload_run_quiet(const struct ut_workload_run *run) {
  return run->begun && run->timers == 0 && !run->released;
}

/* Returns the next cycle after which the workload does something by itself, given an empty network; UINT64_MAX:
 * none. */
uint64_t ut_workload_run_next_cycle(const struct ut_workload_run *run);
/* To be called when idle cycles are skipped: nothing was released for the next cycle. */
void ut_workload_run_jump(struct ut_workload_run *run);

/* Returns the first receive that waits for a lost message, or else the first unfinished task; UT_NO_TASK: none. */
uint32_t ut_workload_run_waiting(const struct ut_workload_run *run);

#endif
