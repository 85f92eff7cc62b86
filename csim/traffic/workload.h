/* SPDX-License-Identifier: Apache-2.0 */
/* workload.h - tasks of terminals that wait for each other: collective operations, dependency traces and GOAL schedules
 * consist of them.
 *
 * A task sends a message, receives one, or computes.  It begins when the tasks that it requires, of the same terminal,
 * are finished (or have begun).  A receive is finished when all packets of its message have arrived; a send, when its
 * last flit has left the terminal.  A send and the receive of its message are joined here, before the run.
 *
 * Interface: init; add tasks and their requirements, in any order; finish.  A workload is constant from then on.
 */
#ifndef UT_WORKLOAD_H
#define UT_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "topology.h"

struct ut_scenario;

enum ut_task_kind { UT_TASK_SEND, UT_TASK_RECEIVE, UT_TASK_COMPUTE };
/* The most tasks of a workload; the number of no task; computing that needs no processor. */
enum { UT_MAX_TASKS = 1 << 24, UT_ANY_CPU = 0xff };
#define UT_NO_TASK UINT32_MAX

struct ut_task {
  uint64_t amount; /* bytes of the message, or cycles */
  uint32_t other;  /* of a message: the task at its other end */
  uint32_t tag;    /* of a message that is still to be joined */
  uint32_t line;   /* of its file; 0: it has none */
  uint16_t terminal, peer;
  uint8_t kind, cpu; /* tasks on the same processor of a terminal compute one after the other */
};

/* `task` waits for `needs`, of the same terminal: until that has begun, or until it is finished. */
struct ut_requirement {
  uint32_t task, needs;
  uint32_t line;
  bool begun;
};

/* How messages become packets: bytes behind the header word of a packet, its longest and its shortest one. */
struct ut_packing {
  unsigned payload_bytes, flit_bytes, header_bytes, longest_flits, shortest_flits;
};

struct ut_workload {
  const char *path; /* of its file, for messages; or NULL */
  uint32_t terminals;
  struct ut_packing packing;
  struct ut_task *task;
  uint32_t tasks, task_room;
  struct ut_requirement *requirement; /* sorted by `needs`, then by `task`, when it is finished */
  uint32_t requirements, requirement_room;
  uint32_t *first;   /* [tasks + 1]: index of the first requirement that needs a task */
  uint32_t *waits;   /* [tasks]: how many requirements it has */
  uint32_t messages; /* receives */
  uint64_t packets;  /* of all messages */
  unsigned cpus;     /* processors of a terminal that are named: 0..cpus-1 */
};

/* Makes the workload of a scenario whose pattern is one (ut_pattern_is_workload()).  -1 and *e: bad input, with file
 * and line, or out of memory. */
int ut_workload_of(struct ut_workload *workload, const struct ut_scenario *scenario, const struct ut_topology *topo,
                   struct ut_error *e);

void ut_workload_init(struct ut_workload *workload, const struct ut_scenario *scenario, uint32_t terminals);
void ut_workload_free(struct ut_workload *workload);

/* Checks, before the first of them is added, that so many more tasks are allowed.  Returns -1 and fills *e: too
 * many. */
int ut_workload_expect(const struct ut_workload *workload, uint64_t tasks, struct ut_error *e);
/* Adds a task; UT_NO_TASK and *e: too many, or out of memory. */
uint32_t ut_workload_add(struct ut_workload *workload, const struct ut_task *task, struct ut_error *e);
/* Adds a message with both ends joined; returns the send; the receive is the next task. */
uint32_t ut_workload_message(struct ut_workload *workload, uint32_t from, uint32_t to, uint64_t bytes, uint32_t line,
                             struct ut_error *e);
/* Makes `task` begin after `needs`; UT_NO_TASK: after nothing. */
int ut_workload_require(struct ut_workload *workload, uint32_t task, uint32_t needs, bool begun, uint32_t line,
                        struct ut_error *e);

/* Joins the remaining sends and receives: the n-th send from one terminal to another with a tag belongs to the n-th
 * receive with these.  Repeats all tasks `rounds` times: a terminal begins again when all its tasks are finished.
 * Returns -1 and fills *e: a message without its other end, a cyclic dependency of tasks, or out of memory. */
int ut_workload_finish(struct ut_workload *workload, unsigned repeat, struct ut_error *e);

/* Packets of a message, and flits of one of them. */
uint32_t ut_message_packets(const struct ut_packing *packing, uint64_t bytes);
/* Returns the bytes of the largest message: UT_LIMIT_MESSAGE_PACKETS. */
uint64_t ut_message_most_bytes(const struct ut_packing *packing);
unsigned ut_message_flits(const struct ut_packing *packing, uint64_t bytes, uint32_t packet);
struct ut_packing ut_packing_of(const struct ut_scenario *scenario);

/* "line 4: terminal 0 sends 100 bytes to 1"; returns text. */
enum { UT_TASK_TEXT_SIZE = 96 };
const char *ut_task_text(const struct ut_workload *workload, uint32_t task, char text[UT_TASK_TEXT_SIZE]);

#endif
