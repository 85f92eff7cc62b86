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

struct ut_packing ut_packing_of(const struct ut_scenario *scenario) {
  const unsigned flit = scenario->sw.flit_bits / 8, header = 8;
  return (struct ut_packing){.payload_bytes = scenario->sw.packet_flits * flit - header,
                             .flit_bytes = flit,
                             .header_bytes = header,
                             .longest_flits = scenario->sw.packet_flits,
                             .shortest_flits =
                                 scenario->sw.shortest_packet_flits ? scenario->sw.shortest_packet_flits : 1};
}

uint32_t ut_message_packets(const struct ut_packing *packing, uint64_t bytes) {
  return bytes ? (uint32_t)((bytes - 1) / packing->payload_bytes + 1) : 1;
}

uint64_t ut_message_most_bytes(const struct ut_packing *packing) {
  return (uint64_t)UT_LIMIT_MESSAGE_PACKETS * packing->payload_bytes;
}

unsigned ut_message_flits(const struct ut_packing *packing, uint64_t bytes, uint32_t packet) {
  const uint64_t before = (uint64_t)packet * packing->payload_bytes;
  if (bytes >= before + packing->payload_bytes)
    return packing->longest_flits;
  const unsigned flits =
      ((unsigned)(bytes - before) + packing->header_bytes + packing->flit_bytes - 1) / packing->flit_bytes;
  return flits < packing->shortest_flits ? packing->shortest_flits : flits;
}

/* ---- making a workload */

void ut_workload_init(struct ut_workload *workload, const struct ut_scenario *scenario, uint32_t terminals) {
  *workload = (struct ut_workload){.terminals = terminals, .packing = ut_packing_of(scenario)};
}

void ut_workload_free(struct ut_workload *workload) {
  free(workload->task);
  free(workload->requirement);
  free(workload->first);
  free(workload->waits);
  *workload = (struct ut_workload){0};
}

static int __attribute__((cold)) out_of_memory(const struct ut_workload *workload, struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT, "traffic: not enough memory for a workload of %" PRIu32 " tasks", workload->tasks);
}

static int too_many(struct ut_error *e) {
  return ut_fail(e, UT_BAD_INPUT,
                 "traffic: a workload has at most %d tasks: make the network or 'traffic.repeat' smaller",
                 (int)UT_MAX_TASKS);
}

/* Returns the list with room for `count` elements of that size; it has room for all but the last one; NULL: out of
 * memory. */
static void *with_room(void *list, uint32_t *room, uint64_t count, size_t size) {
  if (count <= *room)
    return list;
  uint64_t more = *room ? 2 * (uint64_t)*room : 256;
  void *bigger = realloc(list, more * size);
  if (bigger)
    *room = (uint32_t)more;
  return bigger;
}

int ut_workload_expect(const struct ut_workload *workload, uint64_t tasks, struct ut_error *e) {
  return tasks > UT_MAX_TASKS - workload->tasks ? too_many(e) : 0;
}

uint32_t ut_workload_add(struct ut_workload *workload, const struct ut_task *task, struct ut_error *e) {
  if (workload->tasks == UT_MAX_TASKS) {
    too_many(e);
    return UT_NO_TASK;
  }
  struct ut_task *list = with_room(workload->task, &workload->task_room, workload->tasks + UINT64_C(1), sizeof *list);
  if (!list) {
    out_of_memory(workload, e);
    return UT_NO_TASK;
  }
  workload->task = list;
  workload->task[workload->tasks] = *task;
  if (task->kind == UT_TASK_COMPUTE && task->cpu != UT_ANY_CPU && task->cpu >= workload->cpus)
    workload->cpus = task->cpu + 1u;
  return workload->tasks++;
}

uint32_t ut_workload_message(struct ut_workload *workload, uint32_t from, uint32_t to, uint64_t bytes, uint32_t line,
                             struct ut_error *e) {
  struct ut_task end = {.amount = bytes,
                        .other = workload->tasks + 1,
                        .line = line,
                        .terminal = (uint16_t)from,
                        .peer = (uint16_t)to,
                        .kind = UT_TASK_SEND};
  const uint32_t send = ut_workload_add(workload, &end, e);
  end.other = send;
  end.terminal = (uint16_t)to;
  end.peer = (uint16_t)from;
  end.kind = UT_TASK_RECEIVE;
  return send == UT_NO_TASK || ut_workload_add(workload, &end, e) == UT_NO_TASK ? UT_NO_TASK : send;
}

int ut_workload_require(struct ut_workload *workload, uint32_t task, uint32_t needs, bool begun, uint32_t line,
                        struct ut_error *e) {
  if (needs == UT_NO_TASK)
    return 0;
  if (workload->requirements == UINT32_MAX)
    return too_many(e);
  struct ut_requirement *list =
      with_room(workload->requirement, &workload->requirement_room, workload->requirements + UINT64_C(1), sizeof *list);
  if (!list)
    return out_of_memory(workload, e);
  workload->requirement = list;
  workload->requirement[workload->requirements++] = (struct ut_requirement){task, needs, line, begun};
  return 0;
}

const char *ut_task_text(const struct ut_workload *workload, uint32_t task, char text[UT_TASK_TEXT_SIZE]) {
  const struct ut_task *entry = &workload->task[task];
  char place[24] = "";
  if (entry->line)
    snprintf(place, sizeof place, "line %" PRIu32 ": ", entry->line);
  if (entry->kind == UT_TASK_COMPUTE)
    snprintf(text, UT_TASK_TEXT_SIZE, "%sterminal %u computes %" PRIu64 " cycles", place, entry->terminal,
             entry->amount);
  else
    snprintf(text, UT_TASK_TEXT_SIZE, "%sterminal %u %s %" PRIu64 " bytes %s %u", place, entry->terminal,
             entry->kind == UT_TASK_SEND ? "sends" : "receives", entry->amount,
             entry->kind == UT_TASK_SEND ? "to" : "from", entry->peer);
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

static int alone(const struct ut_workload *workload, const struct end *end, struct ut_error *e) {
  const struct ut_task *task = &workload->task[end->task];
  const bool send = task->kind == UT_TASK_SEND;
  char text[UT_TASK_TEXT_SIZE];
  return ut_fail(
      e, UT_BAD_INPUT,
      "%s:%" PRIu32 ": %s, and there is no %s for it\nadd one in rank %u: %s %" PRIu64 "b %s %u tag %" PRIu32,
      workload->path, task->line, strstr(ut_task_text(workload, end->task, text), "terminal"), /* without its line */
      send ? "receive" : "send", task->peer, send ? "recv" : "send", task->amount, send ? "from" : "to", task->terminal,
      task->tag);
}

/* Returns the ends of one kind that are still to be joined, sorted; NULL and *e on failure. */
static struct end *open_ends(const struct ut_workload *workload, enum ut_task_kind kind, size_t *count,
                             struct ut_error *e) {
  struct end *list = malloc((workload->tasks + (size_t)1) * sizeof *list);
  *count = 0;
  for (uint32_t i = 0; list && i < workload->tasks; i++) {
    const struct ut_task *task = &workload->task[i];
    const uint64_t from = kind == UT_TASK_SEND ? task->terminal : task->peer;
    const uint64_t to = kind == UT_TASK_SEND ? task->peer : task->terminal;
    if (task->kind == kind && task->other == UT_NO_TASK)
      list[(*count)++] = (struct end){from << 16 | to, task->tag, i};
  }
  if (!list)
    out_of_memory(workload, e);
  else if (*count > 1)
    qsort(list, *count, sizeof *list, by_pair_and_tag);
  return list;
}

static int join(struct ut_workload *workload, struct ut_error *e) {
  size_t sends, receives, i = 0, j = 0;
  int status = 0;
  struct end *send = open_ends(workload, UT_TASK_SEND, &sends, e);
  struct end *receive = send ? open_ends(workload, UT_TASK_RECEIVE, &receives, e) : NULL;
  if (!receive)
    status = -1;
  while (!status && (i < sends || j < receives)) {
    const struct end a = i < sends ? send[i] : (struct end){.pair = UINT64_MAX},
                     b = j < receives ? receive[j] : (struct end){.pair = UINT64_MAX};
    /* of messages with the same tag, the n-th send belongs to the n-th receive */
    const int order = a.pair == b.pair && a.tag == b.tag ? 0 : by_pair_and_tag(&a, &b);
    if (order) {
      status = alone(workload, order < 0 ? &send[i] : &receive[j], e);
      break;
    }
    struct ut_task *from = &workload->task[send[i].task], *to = &workload->task[receive[j].task];
    from->other = receive[j++].task;
    to->other = send[i++].task;
    to->amount = from->amount;
  }
  free(send);
  free(receive);
  return status;
}

/* ---- circles */

/* Events of tasks: a task begins, event 2 * task; it is finished, the next number. */
enum { BEGUN, FINISHED };
static inline uint32_t event_of(uint32_t task, unsigned what) {
  return 2 * task + what;
}

/* Counts how many events each event needs. */
static void count_needs(const struct ut_workload *workload, uint32_t *needs) {
  for (uint32_t i = 0; i < workload->tasks; i++) {
    needs[event_of(i, BEGUN)] = workload->waits[i];
    needs[event_of(i, FINISHED)] = 1u + (workload->task[i].kind == UT_TASK_RECEIVE);
  }
}

static inline void happens(uint32_t event, uint32_t *needs, uint32_t *queue, uint32_t *end) {
  if (--needs[event] == 0)
    queue[(*end)++] = event;
}

/* Lets all possible events happen; returns how many there were. */
static uint32_t let_happen(const struct ut_workload *workload, uint32_t *needs, uint32_t *queue) {
  uint32_t end = 0;
  for (uint32_t i = 0; i < workload->tasks; i++)
    if (!workload->waits[i])
      queue[end++] = event_of(i, BEGUN);
  for (uint32_t i = 0; i < end; i++) {
    const uint32_t task = queue[i] / 2, what = queue[i] % 2;
    for (uint32_t k = workload->first[task]; k < workload->first[task + 1]; k++)
      if (workload->requirement[k].begun == (what == BEGUN))
        happens(event_of(workload->requirement[k].task, BEGUN), needs, queue, &end);
    if (what == FINISHED)
      continue;
    happens(event_of(task, FINISHED), needs, queue, &end);
    if (workload->task[task].kind == UT_TASK_SEND)
      happens(event_of(workload->task[task].other, FINISHED), needs, queue, &end);
  }
  return end;
}

/* For an event that cannot happen, finds one that it waits for and that cannot happen either. */
static void find_causes(const struct ut_workload *workload, const uint32_t *needs, uint32_t *cause) {
  for (uint32_t i = 0; i < workload->requirements; i++) {
    const struct ut_requirement *requirement = &workload->requirement[i];
    const uint32_t needed = event_of(requirement->needs, requirement->begun ? BEGUN : FINISHED);
    if (needs[needed])
      cause[event_of(requirement->task, BEGUN)] = needed;
  }
  for (uint32_t i = 0; i < workload->tasks; i++) {
    const uint32_t other = workload->task[i].kind == UT_TASK_RECEIVE ? workload->task[i].other : i;
    cause[event_of(i, FINISHED)] = needs[event_of(other, BEGUN)] ? event_of(other, BEGUN) : event_of(i, BEGUN);
  }
}

/* Describes one cyclic dependency; `needs` of events that cannot happen is not 0. */
static int circle(const struct ut_workload *workload, uint32_t *needs, uint32_t *cause, struct ut_error *e) {
  enum { SHOWN = 8 };
  uint32_t at = 0, shown[SHOWN], count = 0;
  size_t used = 0;
  char list[SHOWN * (UT_TASK_TEXT_SIZE + 32)] = "", text[UT_TASK_TEXT_SIZE];
  find_causes(workload, needs, cause);
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
    used += (size_t)snprintf(list + used, sizeof list - used, "\n  %s%s", ut_task_text(workload, shown[i], text),
                             i + 1 < some    ? ", after"
                             : count > SHOWN ? ", after ..."
                                             : ", after the first of these");
  return ut_fail(e, UT_BAD_INPUT, "%s:%" PRIu32 ": tasks wait for each other in a circle, none of them can begin:%s",
                 workload->path ? workload->path : "workload", workload->task[shown[0]].line, list);
}

static int check_circles(const struct ut_workload *workload, struct ut_error *e) {
  const size_t events = 2 * (size_t)workload->tasks;
  uint32_t *needs = malloc(2 * (events + 1) * sizeof *needs);
  if (!needs)
    return out_of_memory(workload, e);
  count_needs(workload, needs);
  const int status =
      let_happen(workload, needs, needs + events) == events ? 0 : circle(workload, needs, needs + events, e);
  free(needs);
  return status;
}

/* ---- finishing */

/* Sorts the requirements by what they need, and counts them. */
static int sort(struct ut_workload *workload, struct ut_error *e) {
  free(workload->first);
  free(workload->waits);
  workload->first = calloc(workload->tasks + (size_t)2, sizeof *workload->first);
  workload->waits = calloc(workload->tasks + (size_t)1, sizeof *workload->waits);
  struct ut_requirement *sorted = malloc((workload->requirements + (size_t)1) * sizeof *sorted);
  if (!workload->first || !workload->waits || !sorted) {
    free(sorted);
    return out_of_memory(workload, e);
  }
  uint32_t *next = workload->first + 1; /* becomes `first` when all are placed */
  for (uint32_t i = 0; i < workload->requirements; i++)
    next[workload->requirement[i].needs + 1]++;
  for (uint32_t i = 0; i < workload->tasks; i++)
    next[i + 1] += next[i];
  for (uint32_t i = 0; i < workload->requirements; i++) {
    const struct ut_requirement *requirement = &workload->requirement[i];
    workload->waits[requirement->task]++;
    sorted[next[requirement->needs]++] = *requirement;
  }
  free(workload->requirement);
  workload->requirement = sorted;
  workload->requirement_room = workload->requirements + 1;
  return 0;
}

/* Adds a task that computes nothing between two rounds of a terminal: it follows all tasks that no other task waits
 * for, and precedes all tasks that wait for none.  `barrier`: [terminals], the last ones. */
static int add_round(struct ut_workload *workload, uint32_t tasks, uint32_t requirements, const uint32_t *waits,
                     const bool *needed, uint32_t *barrier, struct ut_error *e) {
  const uint32_t last = workload->tasks - tasks; /* first task of the previous round */
  for (uint32_t i = 0; i < workload->terminals; i++)
    barrier[i] = UT_NO_TASK;
  for (uint32_t i = 0; i < tasks; i++) {
    const uint16_t id = workload->task[i].terminal;
    const struct ut_task none = {
        .terminal = id, .kind = UT_TASK_COMPUTE, .cpu = UT_ANY_CPU, .line = workload->task[i].line};
    if (barrier[id] == UT_NO_TASK && (barrier[id] = ut_workload_add(workload, &none, e)) == UT_NO_TASK)
      return -1;
    if (!needed[i] && ut_workload_require(workload, barrier[id], last + i, false, 0, e))
      return -1;
  }
  const uint32_t first = workload->tasks;
  for (uint32_t i = 0; i < tasks; i++) {
    struct ut_task copy = workload->task[i];
    copy.other += copy.kind == UT_TASK_COMPUTE ? 0 : first;
    if (ut_workload_add(workload, &copy, e) == UT_NO_TASK)
      return -1;
    if (!waits[i] && ut_workload_require(workload, first + i, barrier[copy.terminal], false, 0, e))
      return -1;
  }
  for (uint32_t i = 0; i < requirements; i++) {
    const struct ut_requirement requirement = workload->requirement[i];
    if (ut_workload_require(workload, first + requirement.task, first + requirement.needs, requirement.begun,
                            requirement.line, e))
      return -1;
  }
  return 0;
}

static int repeat_all(struct ut_workload *workload, unsigned repeat, struct ut_error *e) {
  const uint32_t tasks = workload->tasks, requirements = workload->requirements;
  if (ut_workload_expect(workload, (uint64_t)tasks * (repeat - 1), e))
    return -1;
  uint32_t *waits = malloc((tasks + workload->terminals + (size_t)1) * sizeof *waits);
  bool *needed = calloc(tasks + (size_t)1, sizeof *needed);
  int status = waits && needed ? 0 : out_of_memory(workload, e);
  if (!status)
    memcpy(waits, workload->waits, tasks * sizeof *waits);
  for (uint32_t i = 0; !status && i < requirements; i++)
    needed[workload->requirement[i].needs] |= !workload->requirement[i].begun;
  for (unsigned round = 1; !status && round < repeat; round++)
    status = add_round(workload, tasks, requirements, waits, needed, waits + tasks, e);
  free(waits);
  free(needed);
  return status ? -1 : sort(workload, e);
}

int ut_workload_finish(struct ut_workload *workload, unsigned repeat, struct ut_error *e) {
  if (join(workload, e) || sort(workload, e) || check_circles(workload, e) ||
      (repeat > 1 && repeat_all(workload, repeat, e)))
    return -1;
  for (uint32_t i = 0; i < workload->tasks; i++)
    if (workload->task[i].kind == UT_TASK_RECEIVE) {
      workload->messages++;
      workload->packets += ut_message_packets(&workload->packing, workload->task[i].amount);
    }
  return 0;
}

int ut_workload_of(struct ut_workload *workload, const struct ut_scenario *scenario, const struct ut_topology *topo,
                   struct ut_error *e) {
  ut_workload_init(workload, scenario, topo->terminals);
  int status = scenario->traffic.pattern->tasks(workload, scenario, topo, e);
  if (!status && workload->path && !workload->tasks)
    status = ut_fail(e, UT_BAD_INPUT, "%s: nothing is sent or computed in it", workload->path);
  if (!status && !ut_workload_finish(workload, scenario->traffic.repeat, e))
    return 0;
  ut_workload_free(workload);
  return -1;
}
