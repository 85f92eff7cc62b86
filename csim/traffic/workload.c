/* SPDX-License-Identifier: Apache-2.0 */
/* workload.c - see workload.h */
#include "workload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input_limits.h"
#include "pattern.h"
#include "scenario.h"
#include "switch.h"

/* ---- messages and packets */

struct ut_packing ut_packing_of(const struct ut_scenario *s) {
  const unsigned flit = s->sw.flit_bits / 8, header = 8;
  return (struct ut_packing){.payload_bytes = s->sw.packet_flits * flit - header,
                             .flit_bytes = flit,
                             .header_bytes = header,
                             .longest_flits = s->sw.packet_flits,
                             .shortest_flits = s->sw.shortest_packet_flits ? s->sw.shortest_packet_flits : 1};
}

uint32_t ut_message_packets(const struct ut_packing *p, uint64_t bytes) {
  return bytes ? (uint32_t)((bytes - 1) / p->payload_bytes + 1) : 1;
}

uint64_t ut_message_most_bytes(const struct ut_packing *p) {
  return (uint64_t)UT_LIMIT_MESSAGE_PACKETS * p->payload_bytes;
}

unsigned ut_message_flits(const struct ut_packing *p, uint64_t bytes, uint32_t packet) {
  const uint64_t before = (uint64_t)packet * p->payload_bytes;
  if (bytes >= before + p->payload_bytes)
    return p->longest_flits;
  const unsigned flits = ((unsigned)(bytes - before) + p->header_bytes + p->flit_bytes - 1) / p->flit_bytes;
  return flits < p->shortest_flits ? p->shortest_flits : flits;
}

/* ---- making one */

void ut_workload_init(struct ut_workload *w, const struct ut_scenario *s, uint32_t terminals) {
  *w = (struct ut_workload){.terminals = terminals, .packing = ut_packing_of(s)};
}

void ut_workload_free(struct ut_workload *w) {
  free(w->task);
  free(w->requirement);
  free(w->first);
  free(w->waits);
  *w = (struct ut_workload){0};
}

static int __attribute__((cold)) out_of_memory(const struct ut_workload *w, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "traffic: not enough memory for a workload of %" PRIu32 " tasks", w->tasks);
}

static int too_many(struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT,
                 "traffic: a workload has at most %d tasks: make the network or 'traffic.repeat' smaller",
                 (int)UT_MAX_TASKS);
}

/* Room for `count` things of that size in a list that had room for all but the last one; NULL: out of memory. */
static void *with_room(void *list, uint32_t *room, uint64_t count, size_t size) {
  if (count <= *room)
    return list;
  uint64_t more = *room ? 2 * (uint64_t)*room : 256;
  void *bigger = realloc(list, more * size);
  if (bigger)
    *room = (uint32_t)more;
  return bigger;
}

int ut_workload_expect(const struct ut_workload *w, uint64_t tasks, struct ut_error *e) {
  return tasks > UT_MAX_TASKS - w->tasks ? too_many(e) : 0;
}

uint32_t ut_workload_add(struct ut_workload *w, const struct ut_task *task, struct ut_error *e) {
  if (w->tasks == UT_MAX_TASKS) {
    too_many(e);
    return UT_NO_TASK;
  }
  struct ut_task *list = with_room(w->task, &w->task_room, w->tasks + UINT64_C(1), sizeof *list);
  if (!list) {
    out_of_memory(w, e);
    return UT_NO_TASK;
  }
  w->task = list;
  w->task[w->tasks] = *task;
  if (task->kind == UT_TASK_COMPUTE && task->cpu != UT_ANY_CPU && task->cpu >= w->cpus)
    w->cpus = task->cpu + 1u;
  return w->tasks++;
}

uint32_t ut_workload_message(struct ut_workload *w, uint32_t from, uint32_t to, uint64_t bytes, uint32_t line,
                             struct ut_error *e) {
  struct ut_task end = {.amount = bytes,
                        .other = w->tasks + 1,
                        .line = line,
                        .terminal = (uint16_t)from,
                        .peer = (uint16_t)to,
                        .kind = UT_TASK_SEND};
  const uint32_t send = ut_workload_add(w, &end, e);
  end.other = send;
  end.terminal = (uint16_t)to;
  end.peer = (uint16_t)from;
  end.kind = UT_TASK_RECEIVE;
  return send == UT_NO_TASK || ut_workload_add(w, &end, e) == UT_NO_TASK ? UT_NO_TASK : send;
}

int ut_workload_require(struct ut_workload *w, uint32_t task, uint32_t needs, bool begun, uint32_t line,
                        struct ut_error *e) {
  if (needs == UT_NO_TASK)
    return 0;
  if (w->requirements == UINT32_MAX)
    return too_many(e);
  struct ut_requirement *list =
      with_room(w->requirement, &w->requirement_room, w->requirements + UINT64_C(1), sizeof *list);
  if (!list)
    return out_of_memory(w, e);
  w->requirement = list;
  w->requirement[w->requirements++] = (struct ut_requirement){task, needs, line, begun};
  return 0;
}

const char *ut_task_text(const struct ut_workload *w, uint32_t task, char text[UT_TASK_TEXT_SIZE]) {
  const struct ut_task *t = &w->task[task];
  char place[24] = "";
  if (t->line)
    snprintf(place, sizeof place, "line %" PRIu32 ": ", t->line);
  if (t->kind == UT_TASK_COMPUTE)
    snprintf(text, UT_TASK_TEXT_SIZE, "%sterminal %u computes %" PRIu64 " cycles", place, t->terminal, t->amount);
  else
    snprintf(text, UT_TASK_TEXT_SIZE, "%sterminal %u %s %" PRIu64 " bytes %s %u", place, t->terminal,
             t->kind == UT_TASK_SEND ? "sends" : "receives", t->amount, t->kind == UT_TASK_SEND ? "to" : "from",
             t->peer);
  return text;
}

/* ---- joining both ends of messages */

struct end {
  uint64_t pair; /* from << 16 | to */
  uint32_t tag, task;
};

static int by_pair_and_tag(const void *left, const void *right) {
  const struct end *a = left, *b = right;
  if (a->pair != b->pair)
    return a->pair < b->pair ? -1 : 1;
  if (a->tag != b->tag)
    return a->tag < b->tag ? -1 : 1;
  return a->task < b->task ? -1 : 1;
}

static int alone(const struct ut_workload *w, const struct end *end, struct ut_error *e) {
  const struct ut_task *t = &w->task[end->task];
  const bool send = t->kind == UT_TASK_SEND;
  char text[UT_TASK_TEXT_SIZE];
  return ut_fail(
      e, UT_BAD_INPUT,
      "%s:%" PRIu32 ": %s, and there is no %s for it\nadd one in rank %u: %s %" PRIu64 "b %s %u tag %" PRIu32, w->path,
      t->line, strstr(ut_task_text(w, end->task, text), "terminal"), /* without its line */
      send ? "receive" : "send", t->peer, send ? "recv" : "send", t->amount, send ? "from" : "to", t->terminal, t->tag);
}

/* The ends of one kind that are still to be joined, sorted; NULL and *e. */
static struct end *open_ends(const struct ut_workload *w, enum ut_task_kind kind, size_t *count, struct ut_error *e) {
  struct end *list = malloc((w->tasks + (size_t)1) * sizeof *list);
  *count = 0;
  for (uint32_t i = 0; list && i < w->tasks; i++) {
    const struct ut_task *t = &w->task[i];
    const uint64_t from = kind == UT_TASK_SEND ? t->terminal : t->peer;
    const uint64_t to = kind == UT_TASK_SEND ? t->peer : t->terminal;
    if (t->kind == kind && t->other == UT_NO_TASK)
      list[(*count)++] = (struct end){from << 16 | to, t->tag, i};
  }
  if (!list)
    out_of_memory(w, e);
  else if (*count > 1)
    qsort(list, *count, sizeof *list, by_pair_and_tag);
  return list;
}

static int join(struct ut_workload *w, struct ut_error *e) {
  size_t sends, receives, i = 0, j = 0;
  int status = 0;
  struct end *send = open_ends(w, UT_TASK_SEND, &sends, e);
  struct end *receive = send ? open_ends(w, UT_TASK_RECEIVE, &receives, e) : NULL;
  if (!receive)
    status = -1;
  while (!status && (i < sends || j < receives)) {
    const struct end a = i < sends ? send[i] : (struct end){.pair = UINT64_MAX},
                     b = j < receives ? receive[j] : (struct end){.pair = UINT64_MAX};
    /* of those with the same tag the n-th one is the n-th one's */
    const int order = a.pair == b.pair && a.tag == b.tag ? 0 : by_pair_and_tag(&a, &b);
    if (order) {
      status = alone(w, order < 0 ? &send[i] : &receive[j], e);
      break;
    }
    struct ut_task *from = &w->task[send[i].task], *to = &w->task[receive[j].task];
    from->other = receive[j++].task;
    to->other = send[i++].task;
    to->amount = from->amount;
  }
  free(send);
  free(receive);
  return status;
}

/* ---- circles */

/* What can happen: a task begins, event 2 * task; it is finished, the next one. */
enum { BEGUN, FINISHED };
static inline uint32_t event_of(uint32_t task, unsigned what) {
  return 2 * task + what;
}

/* How many events are needed for each. */
static void count_needs(const struct ut_workload *w, uint32_t *needs) {
  for (uint32_t i = 0; i < w->tasks; i++) {
    needs[event_of(i, BEGUN)] = w->waits[i];
    needs[event_of(i, FINISHED)] = 1u + (w->task[i].kind == UT_TASK_RECEIVE);
  }
}

static inline void happens(uint32_t event, uint32_t *needs, uint32_t *queue, uint32_t *end) {
  if (--needs[event] == 0)
    queue[(*end)++] = event;
}

/* Lets happen what can; returns how many events. */
static uint32_t let_happen(const struct ut_workload *w, uint32_t *needs, uint32_t *queue) {
  uint32_t end = 0;
  for (uint32_t i = 0; i < w->tasks; i++)
    if (!w->waits[i])
      queue[end++] = event_of(i, BEGUN);
  for (uint32_t i = 0; i < end; i++) {
    const uint32_t task = queue[i] / 2, what = queue[i] % 2;
    for (uint32_t k = w->first[task]; k < w->first[task + 1]; k++)
      if (w->requirement[k].begun == (what == BEGUN))
        happens(event_of(w->requirement[k].task, BEGUN), needs, queue, &end);
    if (what == FINISHED)
      continue;
    happens(event_of(task, FINISHED), needs, queue, &end);
    if (w->task[task].kind == UT_TASK_SEND)
      happens(event_of(w->task[task].other, FINISHED), needs, queue, &end);
  }
  return end;
}

/* Of events that cannot happen: one that each waits for, and that cannot happen either. */
static void find_causes(const struct ut_workload *w, const uint32_t *needs, uint32_t *cause) {
  for (uint32_t i = 0; i < w->requirements; i++) {
    const struct ut_requirement *r = &w->requirement[i];
    const uint32_t needed = event_of(r->needs, r->begun ? BEGUN : FINISHED);
    if (needs[needed])
      cause[event_of(r->task, BEGUN)] = needed;
  }
  for (uint32_t i = 0; i < w->tasks; i++) {
    const uint32_t other = w->task[i].kind == UT_TASK_RECEIVE ? w->task[i].other : i;
    cause[event_of(i, FINISHED)] = needs[event_of(other, BEGUN)] ? event_of(other, BEGUN) : event_of(i, BEGUN);
  }
}

/* Words one circle; `needs` of what cannot happen is not 0. */
static int circle(const struct ut_workload *w, uint32_t *needs, uint32_t *cause, struct ut_error *e) {
  enum { SHOWN = 8 };
  uint32_t at = 0, shown[SHOWN], count = 0;
  size_t used = 0;
  char list[SHOWN * (UT_TASK_TEXT_SIZE + 32)] = "", text[UT_TASK_TEXT_SIZE];
  find_causes(w, needs, cause);
  while (!needs[at])
    at++;
  for (; needs[at] != UINT32_MAX; at = cause[at])
    needs[at] = UINT32_MAX; /* seen */
  const uint32_t start = at;
  do {
    if (!count || shown[(count - 1) % SHOWN] != at / 2) {
      if (count < SHOWN)
        shown[count] = at / 2;
      count++;
    }
    at = cause[at];
  } while (at != start && count <= SHOWN);
  count -= count <= SHOWN && shown[count - 1] == shown[0]; /* its end and its beginning */
  const uint32_t some = count < SHOWN ? count : SHOWN;
  for (uint32_t i = 0; i < some; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "\n  %s%s", ut_task_text(w, shown[i], text),
                             i + 1 < some    ? ", after"
                             : count > SHOWN ? ", after ..."
                                             : ", after the first of these");
  return ut_fail(e, UT_BAD_INPUT, "%s:%" PRIu32 ": tasks wait for each other in a circle, none of them can begin:%s",
                 w->path ? w->path : "workload", w->task[shown[0]].line, list);
}

static int check_circles(const struct ut_workload *w, struct ut_error *e) {
  const size_t events = 2 * (size_t)w->tasks;
  uint32_t *needs = malloc(2 * (events + 1) * sizeof *needs);
  if (!needs)
    return out_of_memory(w, e);
  count_needs(w, needs);
  const int status = let_happen(w, needs, needs + events) == events ? 0 : circle(w, needs, needs + events, e);
  free(needs);
  return status;
}

/* ---- finishing */

/* Sorts the requirements by what they need, and counts them. */
static int sort(struct ut_workload *w, struct ut_error *e) {
  free(w->first);
  free(w->waits);
  w->first = calloc(w->tasks + (size_t)2, sizeof *w->first);
  w->waits = calloc(w->tasks + (size_t)1, sizeof *w->waits);
  struct ut_requirement *sorted = malloc((w->requirements + (size_t)1) * sizeof *sorted);
  if (!w->first || !w->waits || !sorted) {
    free(sorted);
    return out_of_memory(w, e);
  }
  uint32_t *next = w->first + 1; /* becomes `first` when all are placed */
  for (uint32_t i = 0; i < w->requirements; i++)
    next[w->requirement[i].needs + 1]++;
  for (uint32_t i = 0; i < w->tasks; i++)
    next[i + 1] += next[i];
  for (uint32_t i = 0; i < w->requirements; i++) {
    const struct ut_requirement *r = &w->requirement[i];
    w->waits[r->task]++;
    sorted[next[r->needs]++] = *r;
  }
  free(w->requirement);
  w->requirement = sorted;
  w->requirement_room = w->requirements + 1;
  return 0;
}

/* Between two rounds of a terminal stands a task that computes nothing: after all that nobody waits for, before all
 * that waits for nothing.  `barrier`: [terminals], the last ones. */
static int add_round(struct ut_workload *w, uint32_t tasks, uint32_t requirements, const uint32_t *waits,
                     const bool *needed, uint32_t *barrier, struct ut_error *e) {
  const uint32_t last = w->tasks - tasks; /* of the former round, the first task */
  for (uint32_t i = 0; i < w->terminals; i++)
    barrier[i] = UT_NO_TASK;
  for (uint32_t i = 0; i < tasks; i++) {
    const uint16_t id = w->task[i].terminal;
    const struct ut_task none = {.terminal = id, .kind = UT_TASK_COMPUTE, .cpu = UT_ANY_CPU, .line = w->task[i].line};
    if (barrier[id] == UT_NO_TASK && (barrier[id] = ut_workload_add(w, &none, e)) == UT_NO_TASK)
      return -1;
    if (!needed[i] && ut_workload_require(w, barrier[id], last + i, false, 0, e))
      return -1;
  }
  const uint32_t first = w->tasks;
  for (uint32_t i = 0; i < tasks; i++) {
    struct ut_task copy = w->task[i];
    copy.other += copy.kind == UT_TASK_COMPUTE ? 0 : first;
    if (ut_workload_add(w, &copy, e) == UT_NO_TASK)
      return -1;
    if (!waits[i] && ut_workload_require(w, first + i, barrier[copy.terminal], false, 0, e))
      return -1;
  }
  for (uint32_t i = 0; i < requirements; i++) {
    const struct ut_requirement r = w->requirement[i];
    if (ut_workload_require(w, first + r.task, first + r.needs, r.begun, r.line, e))
      return -1;
  }
  return 0;
}

static int repeat_all(struct ut_workload *w, unsigned repeat, struct ut_error *e) {
  const uint32_t tasks = w->tasks, requirements = w->requirements;
  if (ut_workload_expect(w, (uint64_t)tasks * (repeat - 1), e))
    return -1;
  uint32_t *waits = malloc((tasks + w->terminals + (size_t)1) * sizeof *waits);
  bool *needed = calloc(tasks + (size_t)1, sizeof *needed);
  int status = waits && needed ? 0 : out_of_memory(w, e);
  if (!status)
    memcpy(waits, w->waits, tasks * sizeof *waits);
  for (uint32_t i = 0; !status && i < requirements; i++)
    needed[w->requirement[i].needs] |= !w->requirement[i].begun;
  for (unsigned round = 1; !status && round < repeat; round++)
    status = add_round(w, tasks, requirements, waits, needed, waits + tasks, e);
  free(waits);
  free(needed);
  return status ? -1 : sort(w, e);
}

int ut_workload_finish(struct ut_workload *w, unsigned repeat, struct ut_error *e) {
  if (join(w, e) || sort(w, e) || check_circles(w, e) || (repeat > 1 && repeat_all(w, repeat, e)))
    return -1;
  for (uint32_t i = 0; i < w->tasks; i++)
    if (w->task[i].kind == UT_TASK_RECEIVE) {
      w->messages++;
      w->packets += ut_message_packets(&w->packing, w->task[i].amount);
    }
  return 0;
}

int ut_workload_of(struct ut_workload *w, const struct ut_scenario *s, const struct ut_topology *t,
                   struct ut_error *e) {
  ut_workload_init(w, s, t->terminals);
  int status = s->traffic.pattern->tasks(w, s, t, e);
  if (!status && w->path && !w->tasks)
    status = ut_fail(e, UT_BAD_INPUT, "%s: nothing is sent or computed in it", w->path);
  if (!status && !ut_workload_finish(w, s->traffic.repeat, e))
    return 0;
  ut_workload_free(w);
  return -1;
}
