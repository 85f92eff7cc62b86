/* SPDX-License-Identifier: Apache-2.0 */
/* workload_run.c - see workload_run.h */
#include "workload_run.h"

#include <stdlib.h>
#include <string.h>

#include "scenario.h"

/* Flags of tasks. */
enum { BEGUN = 1, FINISHED = 2, LOST = 4, NEEDED = 8 /* another task waits for its end */ };

/* Kinds of timers, in the order in which events of one cycle happen. */
enum { COMPUTE_BEGINS, COMPUTE_ENDS, SEND_AGAIN };
struct ut_timer {
  uint64_t cycle;
  uint32_t task, packet;
  uint16_t again;
  uint8_t kind;
};

struct ut_sending {
  uint64_t from, last; /* number of its first packet, among all packets of the terminal */
  uint32_t task;
};

/* Makes room in the list for one more element; returns the list's new address, or the old one after setting
 * run->failure. */
static bool extend(struct ut_workload_run *run, void **list, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return true;
  void *bigger = realloc(*list, (*room ? 2 * *room : 8) * size);
  run->failure |= !bigger;
  if (!bigger)
    return false;
  *list = bigger;
  *room = *room ? 2 * *room : 8;
  return true;
}
#define EXTEND(r, list, count, room) extend(r, (void **)&(list), count, &(room), sizeof *(list))

/* ---- timers: a heap, the earliest first */

static bool earlier(const struct ut_timer *a, const struct ut_timer *b) {
  if (a->cycle != b->cycle)
    return a->cycle < b->cycle;
  if (a->kind != b->kind)
    return a->kind < b->kind;
  return a->task != b->task ? a->task < b->task : a->packet < b->packet;
}

static void add_timer(struct ut_workload_run *run, struct ut_timer what) {
  if (!EXTEND(run, run->timer, run->timers, run->timer_room))
    return;
  size_t at = run->timers++;
  for (; at && earlier(&what, &run->timer[(at - 1) / 2]); at = (at - 1) / 2)
    run->timer[at] = run->timer[(at - 1) / 2];
  run->timer[at] = what;
}

static struct ut_timer take_timer(struct ut_workload_run *run) {
  const struct ut_timer first = run->timer[0], last = run->timer[--run->timers];
  size_t at = 0;
  for (size_t below; (below = 2 * at + 1) < run->timers; at = below) {
    /* `last` is still behind all others: finds the place where it belongs */
    below += earlier(&run->timer[below + 1], &run->timer[below]);
    if (!earlier(&run->timer[below], &last))
      break;
    run->timer[at] = run->timer[below];
  }
  run->timer[at] = last;
  return first;
}

/* ---- releases */

static void put_out(struct ut_workload_run *run, uint32_t task, uint32_t first, uint32_t packets, uint16_t again) {
  const struct ut_packing *packing = &run->workload.packing;
  const struct ut_task *entry = &run->workload.task[task];
  if (!EXTEND(run, run->out, run->outs, run->out_room))
    return;
  run->out[run->outs++] =
      (struct ut_release){.task = task,
                          .first = first,
                          .packets = packets,
                          .dst = entry->peer,
                          .flits = (uint16_t)packing->longest_flits,
                          .last_flits = (uint16_t)ut_message_flits(packing, entry->amount, first + packets - 1),
                          .again = again};
}

static int by_task(const void *left, const void *right) {
  const struct ut_release *a = left, *b = right;
  if (a->task != b->task)
    return a->task < b->task ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

/* Notes that a task waits for the end of that send. */
static void watch(struct ut_workload_run *run, uint32_t id, struct ut_sending what) {
  struct ut_sendings *sendings = &run->sending[id];
  if (sendings->end == sendings->room && sendings->first > sendings->room / 2) {
    sendings->end -= sendings->first;
    memmove(sendings->send, sendings->send + sendings->first, sendings->end * sizeof *sendings->send);
    sendings->first = 0;
  }
  if (!EXTEND(run, sendings->send, sendings->end, sendings->room))
    return;
  sendings->send[sendings->end++] = what;
  run->senders[id / 64] |= UINT64_C(1) << id % 64;
}

static void release(struct ut_workload_run *run, struct ut_release what) {
  const uint32_t id = run->workload.task[what.task].terminal;
  struct ut_release_list *list = &run->releases.list[id];
  if (!EXTEND(run, list->release, list->count, list->room))
    return;
  const struct ut_release *before = list->count ? &list->release[list->count - 1] : NULL;
  what.sequence = before ? before->sequence + before->packets : 0;
  list->release[list->count++] = what;
  run->releases.now[what.cycle % 2][id / 64] |= UINT64_C(1) << id % 64;
  if (run->state[what.task] & NEEDED && !what.again)
    watch(run, id, (struct ut_sending){what.sequence, what.sequence + what.packets - 1, what.task});
}

/* Appends the collected releases for that cycle, in the order of tasks. */
static void release_all(struct ut_workload_run *run, uint64_t cycle) {
  memset(run->releases.now[cycle % 2], 0, (run->workload.terminals + 63) / 64 * sizeof(uint64_t));
  run->released = run->outs != 0;
  if (run->outs > 1)
    qsort(run->out, run->outs, sizeof *run->out, by_task);
  for (size_t i = 0; i < run->outs; i++) {
    run->out[i].cycle = cycle;
    release(run, run->out[i]);
  }
  run->outs = 0;
}

/* Returns the release of a packet that a terminal has sent. */
static const struct ut_release *release_of(const struct ut_release_list *list, uint64_t sequence) {
  size_t from = 0, to = list->count;
  while (to - from > 1) {
    const size_t middle = (from + to) / 2;
    if (list->release[middle].sequence <= sequence)
      from = middle;
    else
      to = middle;
  }
  return &list->release[from];
}

/* ---- tasks */

/* Records an event that other tasks may wait for: a task has begun, or is finished. */
static inline void tell(struct ut_workload_run *run, uint32_t task, unsigned flag, size_t *events) {
  run->state[task] |= (uint8_t)flag;
  run->ready[(*events)++] = 2 * task + (flag == FINISHED);
}

static void finish(struct ut_workload_run *run, uint32_t task, size_t *events) {
  tell(run, task, FINISHED, events);
  if (run->workload.task[task].kind != UT_TASK_SEND)
    run->open--;
}

static void begin_compute(struct ut_workload_run *run, uint32_t task, uint64_t cycle, size_t *events) {
  const struct ut_task *entry = &run->workload.task[task];
  uint64_t *busy =
      entry->cpu == UT_ANY_CPU ? NULL : &run->busy_until[(size_t)entry->terminal * run->workload.cpus + entry->cpu];
  const uint64_t from = busy && *busy > cycle ? *busy : cycle, until = from + entry->amount;
  if (busy)
    *busy = until;
  if (from > cycle)
    add_timer(run, (struct ut_timer){.cycle = from, .task = task, .kind = COMPUTE_BEGINS});
  else
    tell(run, task, BEGUN, events);
  if (until > cycle)
    add_timer(run, (struct ut_timer){.cycle = until, .task = task, .kind = COMPUTE_ENDS});
  else
    finish(run, task, events);
}

/* Begins a task whose requirements are all met. */
static void begin(struct ut_workload_run *run, uint32_t task, uint64_t cycle, size_t *events) {
  const struct ut_workload *workload = &run->workload;
  const struct ut_task *entry = &workload->task[task];
  if (entry->kind == UT_TASK_COMPUTE) {
    begin_compute(run, task, cycle, events);
    return;
  }
  tell(run, task, BEGUN, events);
  if (entry->kind == UT_TASK_SEND)
    put_out(run, task, 0, ut_message_packets(&workload->packing, entry->amount), 0);
  else if (run->left[task] == 0)
    finish(run, task, events);
}

/* Reports the events, and those that follow from them at once, to the tasks that wait for them. */
static void follow(struct ut_workload_run *run, size_t events, uint64_t cycle) {
  const struct ut_workload *workload = &run->workload;
  for (size_t i = 0; i < events; i++) {
    const uint32_t task = run->ready[i] / 2;
    const bool begun = run->ready[i] % 2 == 0;
    for (uint32_t k = workload->first[task]; k < workload->first[task + 1]; k++)
      if (workload->requirement[k].begun == begun && --run->waits[workload->requirement[k].task] == 0)
        begin(run, workload->requirement[k].task, cycle, &events);
  }
  if (!run->open && run->completion == UINT64_MAX)
    run->completion = cycle - run->start;
  release_all(run, cycle);
}

/* ---- init and fini */

static bool allocate(struct ut_workload_run *run) {
  const struct ut_workload *workload = &run->workload;
  const size_t tasks = workload->tasks + (size_t)1, rolls = (workload->terminals + 63) / 64;
  run->waits = malloc(tasks * sizeof *run->waits);
  run->left = calloc(tasks, sizeof *run->left);
  run->state = calloc(tasks, sizeof *run->state);
  run->ready = malloc(2 * tasks * sizeof *run->ready);
  run->busy_until = calloc((size_t)workload->terminals * workload->cpus + 1, sizeof *run->busy_until);
  run->sending = calloc(workload->terminals, sizeof *run->sending);
  run->senders = calloc(rolls, sizeof *run->senders);
  run->releases.list = calloc(workload->terminals, sizeof *run->releases.list);
  run->releases.now[0] = calloc(rolls, sizeof(uint64_t));
  run->releases.now[1] = calloc(rolls, sizeof(uint64_t));
  return run->waits && run->left && run->state && run->ready && run->busy_until && run->sending && run->senders &&
         run->releases.list && run->releases.now[0] && run->releases.now[1];
}

void ut_workload_run_fini(struct ut_workload_run *run) {
  for (uint32_t i = 0; run->releases.list && i < run->workload.terminals; i++)
    free(run->releases.list[i].release);
  for (uint32_t i = 0; run->sending && i < run->workload.terminals; i++)
    free(run->sending[i].send);
  free(run->releases.list), free(run->releases.now[0]), free(run->releases.now[1]);
  free(run->waits), free(run->left), free(run->state), free(run->ready), free(run->sending), free(run->senders);
  free(run->busy_until), free(run->timer), free(run->out);
  ut_workload_free(&run->workload);
  *run = (struct ut_workload_run){0};
}

/* Tasks that require nothing begin. */
static void begin_all(struct ut_workload_run *run) {
  size_t events = 0;
  run->begun = true;
  for (uint32_t i = 0; i < run->workload.tasks; i++)
    if (!run->workload.waits[i])
      begin(run, i, run->start, &events);
  follow(run, events, run->start);
}

int ut_workload_run_init(struct ut_workload_run *run, const struct ut_scenario *scenario,
                         const struct ut_topology *topo, uint64_t start, struct ut_error *e) {
  *run = (struct ut_workload_run){.start = start,
                                  .resend_after = scenario->traffic.resend_after_cycles,
                                  .resend_limit = scenario->traffic.resend_limit,
                                  .told_only = scenario->traffic.resend_cause == UT_RESEND_NOTICE,
                                  .completion = UINT64_MAX};
  if (ut_workload_of(&run->workload, scenario, topo, e))
    return -1;
  const struct ut_workload *workload = &run->workload;
  if (!allocate(run)) {
    ut_workload_run_fini(run);
    return ut_fail(e, UT_BAD_INPUT, "traffic: not enough memory to run %u tasks", (unsigned)workload->tasks);
  }
  memcpy(run->waits, workload->waits, workload->tasks * sizeof *run->waits);
  for (uint32_t i = 0; i < workload->requirements; i++)
    if (!workload->requirement[i].begun)
      run->state[workload->requirement[i].needs] |= NEEDED;
  for (uint32_t i = 0; i < workload->tasks; i++) {
    run->open += workload->task[i].kind != UT_TASK_SEND;
    if (workload->task[i].kind == UT_TASK_RECEIVE)
      run->left[i] = ut_message_packets(&workload->packing, workload->task[i].amount);
  }
  if (!start)
    begin_all(run);
  return 0;
}

/* ---- a cycle */

static int by_number(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* A packet of a message has left the network. */
static void depart(struct ut_workload_run *run, const struct ut_departure *departure, uint64_t cycle, size_t *arrived) {
  const struct ut_release *release = release_of(&run->releases.list[departure->src], departure->sequence);
  const uint32_t receive = run->workload.task[release->task].other;
  if (departure->reason == UT_DELIVERED) {
    if (--run->left[receive] == 0)
      run->ready[(*arrived)++] = receive;
  } else if (run->resend_after && release->again < run->resend_limit &&
             ut_resend_hears(run->told_only, departure->reason)) {
    add_timer(run, (struct ut_timer){.cycle = cycle + run->resend_after,
                                     .task = release->task,
                                     .packet = release->first + (uint32_t)(departure->sequence - release->sequence),
                                     .again = (uint16_t)(release->again + 1),
                                     .kind = SEND_AGAIN});
  } else if (!(run->state[receive] & LOST)) {
    run->state[receive] |= LOST;
    run->lost++;
  }
}

/* Counts the packets that have left in this cycle, and finishes their receives in the order of tasks. */
static size_t hear_departures(struct ut_workload_run *run, struct ut_terminals *terminals, uint64_t cycle) {
  size_t arrived = 0, finished = 0;
  for (struct ut_terminal_range *range = terminals->range; range != terminals->range + terminals->ranges; range++) {
    for (size_t i = 0; i < range->departures.count; i++)
      depart(run, &range->departures.list[i], cycle, &arrived);
    if (!terminals->shared)
      range->departures.count = 0;
  }
  if (arrived > 1)
    qsort(run->ready, arrived, sizeof *run->ready, by_number);
  run->delivered += (uint32_t)arrived;
  for (size_t i = 0; i < arrived; i++)
    if (run->state[run->ready[i]] & BEGUN)
      finish(run, run->ready[i], &finished);
  return finished;
}

/* Finishes the sends of a terminal that are complete in this cycle: all their packets have left the terminal, or were
 * lost there.  Packets begin to leave in order; those that have begun end in any order, one on each link. */
static size_t look_at_sends_of(struct ut_workload_run *run, const struct ut_terminals *terminals, uint32_t id,
                               size_t events) {
  struct ut_sendings *sendings = &run->sending[id];
  size_t still = sendings->first, i = sendings->first;
  for (; i < sendings->end && sendings->send[i].last < terminals->terminal[id].injected; i++)
    if (ut_terminal_is_sending_packets(terminals, id, sendings->send[i].from, sendings->send[i].last))
      sendings->send[still++] = sendings->send[i];
    else
      finish(run, sendings->send[i].task, &events);
  const size_t kept = still - sendings->first;
  memmove(sendings->send + i - kept, sendings->send + sendings->first, kept * sizeof *sendings->send);
  sendings->first = i - kept;
  if (sendings->first == sendings->end) {
    sendings->first = sendings->end = 0;
    run->senders[id / 64] &= ~(UINT64_C(1) << id % 64);
  }
  return events;
}

static size_t look_at_sends(struct ut_workload_run *run, const struct ut_terminals *terminals, size_t events) {
  for (uint32_t base = 0; base < run->workload.terminals; base += 64)
    for (uint64_t some = run->senders[base / 64]; some; some &= some - 1)
      events = look_at_sends_of(run, terminals, base + (uint32_t)__builtin_ctzll(some), events);
  return events;
}

static size_t run_timers(struct ut_workload_run *run, uint64_t cycle, size_t events) {
  while (run->timers && run->timer[0].cycle <= cycle) {
    const struct ut_timer timer = take_timer(run);
    if (timer.kind == COMPUTE_BEGINS) {
      tell(run, timer.task, BEGUN, &events);
    } else if (timer.kind == COMPUTE_ENDS) {
      finish(run, timer.task, &events);
    } else {
      put_out(run, timer.task, timer.packet, 1, timer.again);
      run->resent++;
    }
  }
  return events;
}

uint64_t ut_workload_run_next_cycle(const struct ut_workload_run *run) {
  if (run->released)
    return 0;
  if (!run->begun)
    return run->start - 1;
  return run->timers ? run->timer[0].cycle - 1 : UINT64_MAX;
}

void ut_workload_run_jump(struct ut_workload_run *run) {
  for (unsigned i = 0; i < 2; i++)
    memset(run->releases.now[i], 0, (run->workload.terminals + 63) / 64 * sizeof *run->releases.now[i]);
}

uint32_t ut_workload_run_waiting(const struct ut_workload_run *run) {
  const struct ut_workload *workload = &run->workload;
  uint32_t first = UT_NO_TASK;
  for (uint32_t i = 0; i < workload->tasks; i++) {
    if (workload->task[i].kind == UT_TASK_SEND || run->state[i] & FINISHED)
      continue;
    if (run->state[i] & LOST)
      return i;
    first = first == UT_NO_TASK ? i : first;
  }
  return first;
}

void ut_workload_run_step(struct ut_workload_run *run, struct ut_terminals *terminals, uint64_t cycle) {
  if (!run->begun && cycle + 1 == run->start)
    begin_all(run);
  if (!run->begun || cycle < run->start)
    return;
  const size_t events = look_at_sends(run, terminals, hear_departures(run, terminals, cycle));
  follow(run, run_timers(run, cycle + 1, events), cycle + 1);
}
