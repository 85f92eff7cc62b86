/* SPDX-License-Identifier: Apache-2.0 */
/* workload_run.c - see workload_run.h */
#include "workload_run.h"

#include <stdlib.h>
#include <string.h>

#include "scenario.h"

/* Flags of tasks. */
enum { BEGUN = 1, FINISHED = 2, LOST = 4, NEEDED = 8 /* somebody waits for its end */ };

/* Kinds of timers, in the order of what happens in the same cycle. */
enum { COMPUTE_BEGINS, COMPUTE_ENDS, SEND_AGAIN };
struct ut_timer {
  uint64_t cycle;
  uint32_t task, packet;
  uint16_t again;
  uint8_t kind;
};

struct ut_sending {
  uint64_t from, last; /* its packets, among all of the terminal */
  uint32_t task;
};

/* Room for one more; the list's new place, or the old one and r->failure. */
static bool extend(struct ut_workload_run *r, void **list, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return true;
  void *bigger = realloc(*list, (*room ? 2 * *room : 8) * size);
  r->failure |= !bigger;
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

static void add_timer(struct ut_workload_run *r, struct ut_timer what) {
  if (!EXTEND(r, r->timer, r->timers, r->timer_room))
    return;
  size_t at = r->timers++;
  for (; at && earlier(&what, &r->timer[(at - 1) / 2]); at = (at - 1) / 2)
    r->timer[at] = r->timer[(at - 1) / 2];
  r->timer[at] = what;
}

static struct ut_timer take_timer(struct ut_workload_run *r) {
  const struct ut_timer first = r->timer[0], last = r->timer[--r->timers];
  size_t at = 0;
  for (size_t below; (below = 2 * at + 1) < r->timers; at = below) {
    /* behind all others still stands `last`: where that is earlier, its place is found */
    below += earlier(&r->timer[below + 1], &r->timer[below]);
    if (!earlier(&r->timer[below], &last))
      break;
    r->timer[at] = r->timer[below];
  }
  r->timer[at] = last;
  return first;
}

/* ---- releases */

static void put_out(struct ut_workload_run *r, uint32_t task, uint32_t first, uint32_t packets, uint16_t again) {
  const struct ut_packing *p = &r->workload.packing;
  const struct ut_task *t = &r->workload.task[task];
  if (!EXTEND(r, r->out, r->outs, r->out_room))
    return;
  r->out[r->outs++] = (struct ut_release){.task = task,
                                          .first = first,
                                          .packets = packets,
                                          .dst = t->peer,
                                          .flits = (uint16_t)p->longest_flits,
                                          .last_flits = (uint16_t)ut_message_flits(p, t->amount, first + packets - 1),
                                          .again = again};
}

static int by_task(const void *left, const void *right) {
  const struct ut_release *a = left, *b = right;
  if (a->task != b->task)
    return a->task < b->task ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

/* Somebody waits for the end of that send. */
static void watch(struct ut_workload_run *r, uint32_t id, struct ut_sending what) {
  struct ut_sendings *s = &r->sending[id];
  if (s->end == s->room && s->first > s->room / 2) {
    s->end -= s->first;
    memmove(s->send, s->send + s->first, s->end * sizeof *s->send);
    s->first = 0;
  }
  if (!EXTEND(r, s->send, s->end, s->room))
    return;
  s->send[s->end++] = what;
  r->senders[id / 64] |= UINT64_C(1) << id % 64;
}

static void release(struct ut_workload_run *r, struct ut_release what) {
  const uint32_t id = r->workload.task[what.task].terminal;
  struct ut_release_list *l = &r->releases.list[id];
  if (!EXTEND(r, l->release, l->count, l->room))
    return;
  const struct ut_release *before = l->count ? &l->release[l->count - 1] : NULL;
  what.sequence = before ? before->sequence + before->packets : 0;
  l->release[l->count++] = what;
  r->releases.now[what.cycle % 2][id / 64] |= UINT64_C(1) << id % 64;
  if (r->state[what.task] & NEEDED && !what.again)
    watch(r, id, (struct ut_sending){what.sequence, what.sequence + what.packets - 1, what.task});
}

/* Releases what was put out, for that cycle, in the order of tasks. */
static void release_all(struct ut_workload_run *r, uint64_t cycle) {
  memset(r->releases.now[cycle % 2], 0, (r->workload.terminals + 63) / 64 * sizeof(uint64_t));
  r->released = r->outs != 0;
  if (r->outs > 1)
    qsort(r->out, r->outs, sizeof *r->out, by_task);
  for (size_t i = 0; i < r->outs; i++) {
    r->out[i].cycle = cycle;
    release(r, r->out[i]);
  }
  r->outs = 0;
}

/* The release of a packet that a terminal has sent. */
static const struct ut_release *release_of(const struct ut_release_list *l, uint64_t sequence) {
  size_t from = 0, to = l->count;
  while (to - from > 1) {
    const size_t middle = (from + to) / 2;
    if (l->release[middle].sequence <= sequence)
      from = middle;
    else
      to = middle;
  }
  return &l->release[from];
}

/* ---- tasks */

/* An event that others may wait for: a task has begun, or is finished. */
static inline void tell(struct ut_workload_run *r, uint32_t task, unsigned flag, size_t *events) {
  r->state[task] |= (uint8_t)flag;
  r->ready[(*events)++] = 2 * task + (flag == FINISHED);
}

static void finish(struct ut_workload_run *r, uint32_t task, size_t *events) {
  tell(r, task, FINISHED, events);
  if (r->workload.task[task].kind != UT_TASK_SEND)
    r->open--;
}

static void begin_compute(struct ut_workload_run *r, uint32_t task, uint64_t cycle, size_t *events) {
  const struct ut_task *t = &r->workload.task[task];
  uint64_t *busy = t->cpu == UT_ANY_CPU ? NULL : &r->busy_until[(size_t)t->terminal * r->workload.cpus + t->cpu];
  const uint64_t from = busy && *busy > cycle ? *busy : cycle, until = from + t->amount;
  if (busy)
    *busy = until;
  if (from > cycle)
    add_timer(r, (struct ut_timer){.cycle = from, .task = task, .kind = COMPUTE_BEGINS});
  else
    tell(r, task, BEGUN, events);
  if (until > cycle)
    add_timer(r, (struct ut_timer){.cycle = until, .task = task, .kind = COMPUTE_ENDS});
  else
    finish(r, task, events);
}

/* All that it requires is there. */
static void begin(struct ut_workload_run *r, uint32_t task, uint64_t cycle, size_t *events) {
  const struct ut_workload *w = &r->workload;
  const struct ut_task *t = &w->task[task];
  if (t->kind == UT_TASK_COMPUTE) {
    begin_compute(r, task, cycle, events);
    return;
  }
  tell(r, task, BEGUN, events);
  if (t->kind == UT_TASK_SEND)
    put_out(r, task, 0, ut_message_packets(&w->packing, t->amount), 0);
  else if (r->left[task] == 0)
    finish(r, task, events);
}

/* Tells everybody of the events, and of those that follow from them at once. */
static void follow(struct ut_workload_run *r, size_t events, uint64_t cycle) {
  const struct ut_workload *w = &r->workload;
  for (size_t i = 0; i < events; i++) {
    const uint32_t task = r->ready[i] / 2;
    const bool begun = r->ready[i] % 2 == 0;
    for (uint32_t k = w->first[task]; k < w->first[task + 1]; k++)
      if (w->requirement[k].begun == begun && --r->waits[w->requirement[k].task] == 0)
        begin(r, w->requirement[k].task, cycle, &events);
  }
  if (!r->open && r->completion == UINT64_MAX)
    r->completion = cycle - r->start;
  release_all(r, cycle);
}

/* ---- life and death */

static bool allocate(struct ut_workload_run *r) {
  const struct ut_workload *w = &r->workload;
  const size_t tasks = w->tasks + (size_t)1, rolls = (w->terminals + 63) / 64;
  r->waits = malloc(tasks * sizeof *r->waits);
  r->left = calloc(tasks, sizeof *r->left);
  r->state = calloc(tasks, sizeof *r->state);
  r->ready = malloc(2 * tasks * sizeof *r->ready);
  r->busy_until = calloc((size_t)w->terminals * w->cpus + 1, sizeof *r->busy_until);
  r->sending = calloc(w->terminals, sizeof *r->sending);
  r->senders = calloc(rolls, sizeof *r->senders);
  r->releases.list = calloc(w->terminals, sizeof *r->releases.list);
  r->releases.now[0] = calloc(rolls, sizeof(uint64_t));
  r->releases.now[1] = calloc(rolls, sizeof(uint64_t));
  return r->waits && r->left && r->state && r->ready && r->busy_until && r->sending && r->senders && r->releases.list &&
         r->releases.now[0] && r->releases.now[1];
}

void ut_workload_run_fini(struct ut_workload_run *r) {
  for (uint32_t i = 0; r->releases.list && i < r->workload.terminals; i++)
    free(r->releases.list[i].release);
  for (uint32_t i = 0; r->sending && i < r->workload.terminals; i++)
    free(r->sending[i].send);
  free(r->releases.list), free(r->releases.now[0]), free(r->releases.now[1]);
  free(r->waits), free(r->left), free(r->state), free(r->ready), free(r->sending), free(r->senders);
  free(r->busy_until), free(r->timer), free(r->out);
  ut_workload_free(&r->workload);
  *r = (struct ut_workload_run){0};
}

/* Tasks that require nothing begin. */
static void begin_all(struct ut_workload_run *r) {
  size_t events = 0;
  r->begun = true;
  for (uint32_t i = 0; i < r->workload.tasks; i++)
    if (!r->workload.waits[i])
      begin(r, i, r->start, &events);
  follow(r, events, r->start);
}

int ut_workload_run_init(struct ut_workload_run *r, const struct ut_scenario *s, const struct ut_topology *t,
                         uint64_t start, struct ut_error *e) {
  *r = (struct ut_workload_run){
      .start = start, .resend_after = s->traffic.resend_after_cycles, .completion = UINT64_MAX};
  if (ut_workload_of(&r->workload, s, t, e))
    return -1;
  const struct ut_workload *w = &r->workload;
  if (!allocate(r)) {
    ut_workload_run_fini(r);
    return ut_fail(e, UT_BAD_INPUT, "traffic: not enough memory to run %u tasks", (unsigned)w->tasks);
  }
  memcpy(r->waits, w->waits, w->tasks * sizeof *r->waits);
  for (uint32_t i = 0; i < w->requirements; i++)
    if (!w->requirement[i].begun)
      r->state[w->requirement[i].needs] |= NEEDED;
  for (uint32_t i = 0; i < w->tasks; i++) {
    r->open += w->task[i].kind != UT_TASK_SEND;
    if (w->task[i].kind == UT_TASK_RECEIVE)
      r->left[i] = ut_message_packets(&w->packing, w->task[i].amount);
  }
  if (!start)
    begin_all(r);
  return 0;
}

/* ---- a cycle */

static int by_number(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* A packet of a message has left the network. */
static void depart(struct ut_workload_run *r, const struct ut_departure *d, uint64_t cycle, size_t *arrived) {
  const struct ut_release *x = release_of(&r->releases.list[d->src], d->sequence);
  const uint32_t receive = r->workload.task[x->task].other;
  if (d->reason == UT_DELIVERED) {
    if (--r->left[receive] == 0)
      r->ready[(*arrived)++] = receive;
  } else if (r->resend_after && x->again + 1 < UT_MOST_SENDS) {
    add_timer(r, (struct ut_timer){.cycle = cycle + r->resend_after,
                                   .task = x->task,
                                   .packet = x->first + (uint32_t)(d->sequence - x->sequence),
                                   .again = (uint16_t)(x->again + 1),
                                   .kind = SEND_AGAIN});
  } else if (!(r->state[receive] & LOST)) {
    r->state[receive] |= LOST;
    r->lost++;
  }
}

/* The packets of this cycle; receives that are finished with them, in the order of tasks. */
static size_t hear_departures(struct ut_workload_run *r, struct ut_terminals *t, uint64_t cycle) {
  size_t arrived = 0, finished = 0;
  for (struct ut_terminal_range *range = t->range; range != t->range + t->ranges; range++) {
    for (size_t i = 0; i < range->departures.count; i++)
      depart(r, &range->departures.list[i], cycle, &arrived);
    if (!t->shared)
      range->departures.count = 0;
  }
  if (arrived > 1)
    qsort(r->ready, arrived, sizeof *r->ready, by_number);
  r->delivered += (uint32_t)arrived;
  for (size_t i = 0; i < arrived; i++)
    if (r->state[r->ready[i]] & BEGUN)
      finish(r, r->ready[i], &finished);
  return finished;
}

/* Sends of a terminal that are finished with this cycle: all packets have left it, or were lost there.  Packets begin
 * to leave in their order; those that have begun end in any order, one for each link. */
static size_t look_at_sends_of(struct ut_workload_run *r, const struct ut_terminals *t, uint32_t id, size_t events) {
  struct ut_sendings *s = &r->sending[id];
  size_t still = s->first, i = s->first;
  for (; i < s->end && s->send[i].last < t->terminal[id].injected; i++)
    if (ut_terminal_is_sending_packets(t, id, s->send[i].from, s->send[i].last))
      s->send[still++] = s->send[i];
    else
      finish(r, s->send[i].task, &events);
  const size_t kept = still - s->first;
  memmove(s->send + i - kept, s->send + s->first, kept * sizeof *s->send);
  s->first = i - kept;
  if (s->first == s->end) {
    s->first = s->end = 0;
    r->senders[id / 64] &= ~(UINT64_C(1) << id % 64);
  }
  return events;
}

static size_t look_at_sends(struct ut_workload_run *r, const struct ut_terminals *t, size_t events) {
  for (uint32_t base = 0; base < r->workload.terminals; base += 64)
    for (uint64_t some = r->senders[base / 64]; some; some &= some - 1)
      events = look_at_sends_of(r, t, base + (uint32_t)__builtin_ctzll(some), events);
  return events;
}

static size_t run_timers(struct ut_workload_run *r, uint64_t cycle, size_t events) {
  while (r->timers && r->timer[0].cycle <= cycle) {
    const struct ut_timer t = take_timer(r);
    if (t.kind == COMPUTE_BEGINS) {
      tell(r, t.task, BEGUN, &events);
    } else if (t.kind == COMPUTE_ENDS) {
      finish(r, t.task, &events);
    } else {
      put_out(r, t.task, t.packet, 1, t.again);
      r->resent++;
    }
  }
  return events;
}

uint64_t ut_workload_run_next_cycle(const struct ut_workload_run *r) {
  if (r->released)
    return 0;
  if (!r->begun)
    return r->start - 1;
  return r->timers ? r->timer[0].cycle - 1 : UINT64_MAX;
}

void ut_workload_run_jump(struct ut_workload_run *r) {
  for (unsigned i = 0; i < 2; i++)
    memset(r->releases.now[i], 0, (r->workload.terminals + 63) / 64 * sizeof *r->releases.now[i]);
}

uint32_t ut_workload_run_waiting(const struct ut_workload_run *r) {
  const struct ut_workload *w = &r->workload;
  uint32_t first = UT_NO_TASK;
  for (uint32_t i = 0; i < w->tasks; i++) {
    if (w->task[i].kind == UT_TASK_SEND || r->state[i] & FINISHED)
      continue;
    if (r->state[i] & LOST)
      return i;
    first = first == UT_NO_TASK ? i : first;
  }
  return first;
}

void ut_workload_run_step(struct ut_workload_run *r, struct ut_terminals *t, uint64_t cycle) {
  if (!r->begun && cycle + 1 == r->start)
    begin_all(r);
  if (!r->begun || cycle < r->start)
    return;
  const size_t events = look_at_sends(r, t, hear_departures(r, t, cycle));
  follow(r, run_timers(r, cycle + 1, events), cycle + 1);
}
