/* SPDX-License-Identifier: Apache-2.0 */
/* workload_run.h - a workload while it runs: which tasks have begun, which are finished, what may be sent.
 *
 * It is told of the packets that have left the network, and appends what may be sent then to the releases of the
 * terminals.  What ends in cycle t lets others begin in cycle t + 1.  Nothing depends on the order in which packets of
 * a cycle are looked at, so threads change nothing.
 *
 * A packet that was discarded is sent again after a time that the scenario says, a few times at most; if not, its
 * message is lost, and what requires it never begins.
 */
#ifndef UT_WORKLOAD_RUN_H
#define UT_WORKLOAD_RUN_H

#include "releases.h"
#include "terminal.h"
#include "workload.h"

/* How often a packet is sent at most, where lost ones are sent again. */
enum { UT_MOST_SENDS = 17 };

struct ut_timer;   /* something that happens in a cycle to come */
struct ut_sending; /* a send that others wait for, until its last flit has left */
/* Those of a terminal, in the order in which they leave: send[first..end-1]. */
struct ut_sendings {
  struct ut_sending *send;
  size_t first, end, room;
};

struct ut_workload_run {
  struct ut_workload workload;
  struct ut_releases releases;
  uint64_t start;        /* cycle in which it begins */
  uint64_t resend_after; /* cycles; 0: never */
  uint32_t *waits;       /* [tasks]: required ones that are still open */
  uint32_t *left;        /* [tasks]: of receives packets that are still to come, of others not used */
  uint8_t *state;        /* [tasks]: flags */
  uint64_t *busy_until;  /* [terminals * cpus] */
  struct ut_timer *timer;
  size_t timers, timer_room; /* a heap */
  uint32_t *ready;           /* [2 * tasks]: events to be told to those that wait for them */
  struct ut_release *out;    /* to be released in the next cycle */
  size_t outs, out_room;
  struct ut_sendings *sending; /* [terminals] */
  uint64_t *senders;           /* [terminals / 64]: a bitmap of those that have some */
  uint32_t open;               /* tasks that are not finished; sends do not count, their messages do */
  uint32_t delivered;          /* messages */
  uint32_t lost;               /* messages with a packet that is not sent again */
  uint64_t resent;             /* packets */
  uint64_t completion;         /* cycles from its start until all tasks were finished; UINT64_MAX: not yet */
  bool begun;                  /* what may begin at the start has */
  bool released;               /* something, for the next cycle */
  bool failure;                /* out of memory */
};

/* The workload of a scenario, which begins in cycle `start`: if that is 0, what may be sent then is released.  -1 and
 * *e as ut_workload_of(). */
int ut_workload_run_init(struct ut_workload_run *run, const struct ut_scenario *scenario,
                         const struct ut_topology *topo, uint64_t start, struct ut_error *e);
void ut_workload_run_fini(struct ut_workload_run *run);

/* After a cycle: takes the departures of the terminals off their lists, unless others look at them, too. */
void ut_workload_run_step(struct ut_workload_run *run, struct ut_terminals *terminals, uint64_t cycle);

/* All tasks are finished. */
static inline bool ut_workload_run_complete(const struct ut_workload_run *run) {
  return run->open == 0;
}
/* Nothing will happen by itself: with an empty network, that is the end. */
static inline bool ut_workload_run_quiet(const struct ut_workload_run *run) {
  return run->begun && run->timers == 0 && !run->released;
}

/* The next cycle behind which it does something by itself, in an empty network; UINT64_MAX: there is none. */
uint64_t ut_workload_run_next_cycle(const struct ut_workload_run *run);
/* Cycles in which nothing happens are left out: nothing was released for the cycle that comes. */
void ut_workload_run_jump(struct ut_workload_run *run);

/* The first receive that waits for a lost message, or else the first task that is not finished; UT_NO_TASK: none. */
uint32_t ut_workload_run_waiting(const struct ut_workload_run *run);

#endif
