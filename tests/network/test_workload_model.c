/* SPDX-License-Identifier: Apache-2.0 */
/* test_workload_model.c - csim/traffic/workload and workload_run against a second program, which runs the same tasks in
 * the plainest way: it looks at all of them in every cycle, and keeps no lists.  The test draws schedules, and is the
 * network: packets leave through two links, arrive in any order, and are lost. */
#define _GNU_SOURCE /* strchrnul */
#include "workload_run.h"

#include <string.h>

#include "scenario.h"
#include "scenarios.h"

enum { RANKS = 5, CPUS = 3, LINKS = 2, RANGES = 2, MOST_TASKS = 400, MOST_NEEDS = 2000, MOST_PACKETS = 4000 };
enum { PAYLOAD = 56, FLIT = 16, HEADER = 8, PACKET_FLITS = 4, MESSAGE_PACKETS = 4, NEVER = 1 << 30 };

static uint64_t draws;
static unsigned draw(unsigned n) {
  draws = draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)((draws >> 33) % n);
}

struct task {
  enum ut_task_kind kind;
  unsigned rank, peer, amount, cpu, tag, other, packets;
  unsigned waits, begins, ends; /* cycles to come, of computing */
  unsigned again_at[MESSAGE_PACKETS], arrived;
  uint8_t again[MESSAGE_PACKETS];
  bool begun, finished, lost;
};

struct need {
  unsigned task, needs;
  bool begun;
};

/* One that may be sent, or has been; due: it leaves the network then. */
struct packet {
  unsigned task, number, again, flits, due;
};

struct rank {
  unsigned id, packets, injected, releases;
  unsigned busy_until[CPUS], sending[LINKS], flits_left[LINKS];
  struct packet packet[MOST_PACKETS];
};

struct release {
  unsigned task, first, packets, again;
};

struct model {
  unsigned tasks, needs, now, events, outs, open, delivered, messages, lost, resent, completion, resend_after, loss;
  struct task task[MOST_TASKS];
  struct need need[MOST_NEEDS];
  struct {
    unsigned task;
    bool begun;
  } event[2 * MOST_TASKS];
  struct release out[MOST_TASKS];
  struct rank rank[RANKS];
};

/* ---- schedules */

static unsigned add_task(struct model *m, struct task what) {
  assert_true(m->tasks < MOST_TASKS);
  what.begins = what.ends = NEVER;
  what.packets = what.amount ? (what.amount + PAYLOAD - 1) / PAYLOAD : 1;
  for (unsigned i = 0; i < MESSAGE_PACKETS; i++)
    what.again_at[i] = NEVER;
  m->task[m->tasks] = what;
  return m->tasks++;
}

static void add_need(struct model *m, unsigned task, unsigned needs, bool begun) {
  assert_true(m->needs < MOST_NEEDS);
  m->need[m->needs++] = (struct need){task, needs, begun};
  m->task[task].waits++;
}

/* Tasks of all ranks, none of which waits for what is drawn later; then they get their places in the file: rank by
 * rank, and in a rank anywhere, if tags tell which ends belong together. */
static void draw_tasks(struct model *m, unsigned tasks, bool tags) {
  struct model *d = calloc(1, sizeof *d);
  unsigned order[MOST_TASKS], place[MOST_TASKS];
  assert_non_null(d);
  while (d->tasks < tasks) {
    const unsigned a = draw(RANKS), b = draw(RANKS), tag = tags ? d->tasks : draw(2), i = d->tasks;
    if (a != b && draw(3)) {
      const unsigned bytes = draw(MESSAGE_PACKETS * PAYLOAD + 1);
      add_task(d, (struct task){UT_TASK_SEND, .rank = a, .peer = b, .amount = bytes, .tag = tag, .other = i + 1});
      add_task(d, (struct task){UT_TASK_RECEIVE, .rank = b, .peer = a, .amount = bytes, .tag = tag, .other = i});
    } else {
      add_task(d, (struct task){UT_TASK_COMPUTE, .rank = a, .amount = draw(4) * draw(9), .cpu = draw(CPUS)});
    }
  }
  for (unsigned i = 0; i < d->tasks; i++) {
    unsigned at = i;
    for (; at; at--) {
      const unsigned before = d->task[order[at - 1]].rank, rank = d->task[i].rank;
      if (before < rank || (before == rank && !(tags && draw(2))))
        break;
      order[at] = order[at - 1];
    }
    order[at] = i;
  }
  for (unsigned i = 0; i < d->tasks; i++)
    place[order[i]] = i;
  for (unsigned i = 0; i < d->tasks; i++) {
    struct task t = d->task[order[i]];
    t.other = place[t.other];
    add_task(m, t);
  }
  for (unsigned i = 0; i < m->tasks; i++)
    for (unsigned tries = 4 * draw(4); tries-- > 0;) {
      const unsigned j = draw(m->tasks);
      if (order[j] < order[i] && m->task[j].rank == m->task[i].rank)
        add_need(m, i, j, draw(3) == 0);
    }
  free(d);
}

static void write_tasks(const struct model *m, unsigned terminals, char *goal, size_t size) {
  size_t used = (size_t)snprintf(goal, size, "num_ranks %u\n", terminals);
  for (unsigned i = 0, need = 0; i < m->tasks; i++) {
    const struct task *t = &m->task[i];
    if (!i || t->rank != t[-1].rank)
      used += (size_t)snprintf(goal + used, size - used, "rank %u {\n", m->rank[t->rank].id);
    if (t->kind == UT_TASK_COMPUTE)
      used += (size_t)snprintf(goal + used, size - used, "t%u: calc %u cpu %u\n", i, t->amount, t->cpu);
    else
      used += (size_t)snprintf(goal + used, size - used, "t%u: %s %ub %s %u tag %u\n", i,
                               t->kind == UT_TASK_SEND ? "send" : "recv", t->amount,
                               t->kind == UT_TASK_SEND ? "to" : "from", m->rank[t->peer].id, t->tag);
    if (i + 1 < m->tasks && t[1].rank == t->rank)
      continue;
    for (; need < m->needs && m->need[need].task <= i; need++)
      used += (size_t)snprintf(goal + used, size - used, "t%u %s t%u\n", m->need[need].task,
                               m->need[need].begun ? "irequires" : "requires", m->need[need].needs);
    used += (size_t)snprintf(goal + used, size - used, "}\n");
  }
  assert_true(used < size);
}

/* Each time all tasks again.  Between two rounds of a rank stands one that computes nothing: after all whose end nobody
 * waits for, before all that wait for nothing. */
static void repeat_tasks(struct model *m, unsigned rounds) {
  const unsigned tasks = m->tasks, needs = m->needs;
  bool waits[MOST_TASKS] = {false}, needed[MOST_TASKS] = {false};
  for (unsigned i = 0; i < needs; i++) {
    waits[m->need[i].task] = true;
    needed[m->need[i].needs] |= !m->need[i].begun;
  }
  for (unsigned round = 1, last = 0; round < rounds; round++) {
    unsigned between[RANKS];
    memset(between, 0xff, sizeof between);
    for (unsigned i = 0; i < tasks; i++) {
      const unsigned rank = m->task[i].rank;
      if (between[rank] == UINT32_MAX)
        between[rank] = add_task(m, (struct task){UT_TASK_COMPUTE, .rank = rank, .cpu = UT_ANY_CPU});
      if (!needed[i])
        add_need(m, between[rank], last + i, false);
    }
    last = m->tasks;
    for (unsigned i = 0; i < tasks; i++) {
      struct task copy = m->task[i];
      copy.other += last;
      copy.waits = 0;
      add_task(m, copy);
      if (!waits[i])
        add_need(m, last + i, between[copy.rank], false);
    }
    for (unsigned i = 0; i < needs; i++)
      add_need(m, last + m->need[i].task, last + m->need[i].needs, m->need[i].begun);
  }
}

/* ---- the model */

static void happens(struct model *m, unsigned task, bool begun) {
  struct task *t = &m->task[task];
  assert_false(begun ? t->begun : t->finished);
  if (begun)
    t->begun = true;
  else
    t->finished = true;
  m->open -= !begun && t->kind != UT_TASK_SEND;
  m->event[m->events].task = task;
  m->event[m->events++].begun = begun;
}

static void put_out(struct model *m, struct release what) {
  unsigned at = m->outs++;
  for (; at &&
         (m->out[at - 1].task > what.task || (m->out[at - 1].task == what.task && m->out[at - 1].first > what.first));
       at--)
    m->out[at] = m->out[at - 1];
  m->out[at] = what;
}

static void begin(struct model *m, unsigned task) {
  struct task *t = &m->task[task];
  if (t->kind == UT_TASK_COMPUTE) {
    unsigned *busy = t->cpu < CPUS ? &m->rank[t->rank].busy_until[t->cpu] : NULL;
    t->begins = busy && *busy > m->now ? *busy : m->now;
    t->ends = t->begins + t->amount;
    if (busy)
      *busy = t->ends;
    if (t->begins == m->now)
      happens(m, task, true);
    if (t->ends == m->now)
      happens(m, task, false);
    return;
  }
  happens(m, task, true);
  if (t->kind == UT_TASK_SEND)
    put_out(m, (struct release){task, 0, t->packets, 0});
  else if (t->arrived == t->packets)
    happens(m, task, false);
}

/* What follows from the events so far, in the cycle `now`. */
static void follow(struct model *m) {
  for (unsigned i = 0; i < m->events; i++)
    for (unsigned k = 0; k < m->needs; k++)
      if (m->need[k].needs == m->event[i].task && m->need[k].begun == m->event[i].begun &&
          --m->task[m->need[k].task].waits == 0)
        begin(m, m->need[k].task);
  m->events = 0;
  if (!m->open && m->completion == NEVER)
    m->completion = m->now;
}

/* Packets arrive, or are lost; those of a message that is the first of all never arrive. */
static void leave(struct model *m, const struct packet *p, bool arrives) {
  struct task *send = &m->task[p->task], *receive = &m->task[send->other];
  if (arrives) {
    m->delivered += ++receive->arrived == receive->packets;
  } else if (m->resend_after && p->again < UT_RESEND_LIMIT) {
    send->again_at[p->number] = m->now + m->resend_after;
    send->again[p->number] = (uint8_t)(p->again + 1);
  } else {
    m->lost += !receive->lost;
    receive->lost = true;
  }
}

/* The cycle `now` is over, packets have left; on to the next one. */
static void step_model(struct model *m) {
  m->now++;
  for (unsigned i = 0; i < m->tasks; i++) {
    const struct task *t = &m->task[i];
    if (t->kind == UT_TASK_RECEIVE && t->begun && !t->finished && t->arrived == t->packets)
      happens(m, i, false);
  }
  for (struct rank *r = m->rank; r < m->rank + RANKS; r++)
    for (unsigned i = 0; i < r->injected; i++) {
      const struct task *t = &m->task[r->packet[i].task];
      bool left = r->packet[i].number + 1 == t->packets && !r->packet[i].again && !t->finished;
      for (unsigned j = 0; j < LINKS && left; j++)
        left = !r->flits_left[j] || r->sending[j] > i || r->sending[j] + t->packets <= i;
      if (left)
        happens(m, r->packet[i].task, false);
    }
  for (unsigned i = 0; i < m->tasks; i++)
    if (m->task[i].begins == m->now)
      happens(m, i, true);
  for (unsigned i = 0; i < m->tasks; i++)
    if (m->task[i].ends == m->now)
      happens(m, i, false);
  for (unsigned i = 0; i < m->tasks; i++)
    for (unsigned k = 0; k < MESSAGE_PACKETS; k++)
      if (m->task[i].again_at[k] == m->now) {
        put_out(m, (struct release){i, k, 1, m->task[i].again[k]});
        m->resent++;
      }
  follow(m);
}

/* ---- both */

struct pair {
  struct model m;
  struct ut_workload_run r;
  struct ut_terminals t;
  struct ut_terminal_range range[RANGES];
};

/* What is released for this cycle is the same; it goes to the ranks. */
static void compare_releases(struct pair *p, unsigned terminals) {
  struct model *m = &p->m;
  uint64_t now[(5000 + 63) / 64] = {0};
  for (unsigned i = 0; i < m->outs; i++) {
    const struct release *x = &m->out[i];
    const struct task *t = &m->task[x->task];
    struct rank *r = &m->rank[t->rank];
    const struct ut_release_list *l = &p->r.releases.list[r->id];
    assert_true(r->releases < l->count);
    const struct ut_release *y = &l->release[r->releases++];
    assert_true(y->cycle == m->now && y->sequence == r->packets && y->task == x->task);
    assert_true(y->first == x->first && y->packets == x->packets && y->again == x->again);
    assert_true(y->dst == m->rank[t->peer].id && y->flits == PACKET_FLITS);
    for (unsigned k = x->first; k < x->first + x->packets; k++) {
      const unsigned bytes = t->amount - k * PAYLOAD < PAYLOAD ? t->amount - k * PAYLOAD : PAYLOAD;
      const unsigned flits = (bytes + HEADER + FLIT - 1) / FLIT;
      assert_true(r->packets < MOST_PACKETS);
      assert_int_equal(flits, k + 1 < x->first + x->packets ? y->flits : y->last_flits);
      r->packet[r->packets++] = (struct packet){x->task, k, x->again, flits, NEVER};
    }
    now[r->id / 64] |= UINT64_C(1) << r->id % 64;
  }
  assert_memory_equal(p->r.releases.now[m->now % 2], now, (terminals + 63) / 64 * sizeof now[0]);
  for (const struct rank *r = m->rank; r < m->rank + RANKS; r++)
    assert_int_equal(r->releases, p->r.releases.list[r->id].count);
}

/* One that waits for what is lost, or else the first one. */
static unsigned waiting(const struct model *m) {
  unsigned first = UINT32_MAX;
  for (unsigned i = m->tasks; i-- > 0;)
    if (m->task[i].kind != UT_TASK_SEND && !m->task[i].finished)
      first = i;
  for (unsigned i = m->tasks; i-- > 0;)
    if (m->task[i].lost)
      first = i;
  return first;
}

/* Nothing is to come by itself. */
static bool quiet(const struct model *m) {
  for (unsigned i = 0; i < m->tasks; i++) {
    const struct task *t = &m->task[i];
    const bool computes = (t->begins != NEVER && t->begins > m->now) || (t->ends != NEVER && t->ends > m->now);
    if (computes)
      return false;
    for (unsigned k = 0; k < MESSAGE_PACKETS; k++)
      if (t->again_at[k] != NEVER && t->again_at[k] > m->now)
        return false;
  }
  return !m->outs;
}

static void compare(struct pair *p, unsigned terminals) {
  struct model *m = &p->m;
  assert_false(p->r.failure);
  assert_int_equal(p->r.open, m->open);
  assert_int_equal(p->r.delivered, m->delivered);
  assert_int_equal(p->r.lost, m->lost);
  assert_int_equal(p->r.resent, m->resent);
  assert_true(p->r.completion == (m->completion == NEVER ? UINT64_MAX : m->completion));
  assert_int_equal(ut_workload_run_waiting(&p->r), waiting(m));
  assert_int_equal(ut_workload_run_quiet(&p->r), quiet(m));
  compare_releases(p, terminals);
  m->outs = 0;
}

/* A cycle of the network.  Returns how many packets are on their way. */
static unsigned move_packets(struct pair *p) {
  struct model *m = &p->m;
  unsigned on_their_way = 0;
  for (struct rank *r = m->rank; r < m->rank + RANKS; r++) {
    struct ut_injection *in = &p->t.injection[(size_t)r->id * LINKS];
    for (unsigned j = 0; j < LINKS; j++) {
      if (r->flits_left[j] && --r->flits_left[j] == 0)
        r->packet[r->sending[j]].due = m->now + draw(9);
      if (!r->flits_left[j] && r->injected < r->packets && draw(3)) {
        r->sending[j] = r->injected++;
        r->flits_left[j] = r->packet[r->sending[j]].flits;
        in[j].header = ut_header_make(0, (uint16_t)r->id, (uint8_t)r->sending[j], 0);
      }
      in[j].sending = r->flits_left[j] != 0;
    }
    p->t.terminal[r->id].injected = r->injected;
    for (unsigned i = r->packets; i-- > 0;) {
      struct packet *x = &r->packet[i];
      on_their_way += x->due >= m->now && (x->due != NEVER || i < r->injected);
      if (x->due != m->now)
        continue;
      const bool arrives = draw(16) >= m->loss;
      const struct ut_departure what = {
          .src = (uint16_t)r->id, .sequence = i, .reason = arrives ? UT_DELIVERED : (uint8_t)draw(UT_DISCARD_REASONS)};
      assert_true(ut_departures_add(&p->range[draw(RANGES)].departures, &what));
      leave(m, x, arrives);
    }
    on_their_way += r->packets - r->injected;
  }
  return on_their_way;
}

/* losses: of 16 packets. */
static void run_both(unsigned seed, unsigned terminals, const unsigned id[RANKS], unsigned tasks, unsigned rounds,
                     unsigned resend_after, unsigned losses) {
  static char goal[1 << 15];
  char path[UT_TEST_TRACE_PATH];
  struct ut_error e;
  const struct ut_topology topology = {.terminals = terminals};
  struct pair *p = aligned_alloc(64, sizeof *p);
  assert_non_null(p);
  memset(p, 0, sizeof *p);
  draws = seed;
  struct model *m = &p->m;
  m->completion = NEVER;
  m->resend_after = resend_after, m->loss = losses;
  for (unsigned i = 0; i < RANKS; i++)
    m->rank[i].id = id[i];
  draw_tasks(m, tasks, seed % 2);
  write_tasks(m, terminals, goal, sizeof goal);
  repeat_tasks(m, rounds);
  for (unsigned i = 0; i < m->tasks; i++)
    m->open += m->task[i].kind != UT_TASK_SEND, m->messages += m->task[i].kind == UT_TASK_RECEIVE;
  test_write_trace(path, goal);
  const struct ut_scenario s = {
      .sw = {.packet_flits = PACKET_FLITS, .flit_bits = 8 * FLIT, .shortest_packet_flits = 1},
      .traffic = {.pattern = &ut_pattern_goal,
                  .file = path,
                  .repeat = rounds,
                  .cycles_per_calc = 1,
                  .resend_after_cycles = resend_after,
                  .resend_limit = UT_RESEND_LIMIT},
  };
  if (ut_workload_run_init(&p->r, &s, &topology, 0, &e))
    fail_msg("%s%s", goal, e.text);
  p->r.workload.path = NULL;
  unlink(path);
  assert_int_equal(p->r.workload.tasks, m->tasks);
  assert_int_equal(p->r.workload.requirements, m->needs);
  assert_int_equal(p->r.workload.messages, m->messages);
  p->t.terminal = calloc(terminals, sizeof *p->t.terminal);
  p->t.injection = calloc((size_t)terminals * LINKS, sizeof *p->t.injection);
  p->t.injections = LINKS;
  p->t.range = p->range;
  p->t.ranges = RANGES;
  p->t.shared = seed % 3 == 0;
  assert_true(p->t.terminal && p->t.injection);

  for (unsigned i = 0; i < m->tasks; i++)
    if (!m->task[i].waits)
      begin(m, i);
  follow(m);
  compare(p, terminals);
  while (move_packets(p) || !ut_workload_run_quiet(&p->r)) {
    size_t departures[RANGES];
    for (unsigned i = 0; i < RANGES; i++)
      departures[i] = p->range[i].departures.count;
    ut_workload_run_step(&p->r, &p->t, m->now);
    step_model(m);
    compare(p, terminals);
    for (unsigned i = 0; i < RANGES; i++) {
      assert_int_equal(p->range[i].departures.count, p->t.shared ? departures[i] : 0);
      p->range[i].departures.count = 0;
    }
    assert_true(m->now < 20000);
  }
  assert_true(m->open == 0 || m->lost);
  for (unsigned i = 0; i < RANGES; i++)
    free(p->range[i].departures.list);
  free(p->t.terminal);
  free(p->t.injection);
  ut_workload_run_fini(&p->r);
  free(p);
}

static void is_the_same(void **state) {
  (void)state;
  static const unsigned few[RANKS] = {3, 0, 4, 1, 2}, set[RANKS] = {63, 0, 17, 62, 5},
                        sets[RANKS] = {64, 129, 0, 63, 128}, many[RANKS] = {4095, 4096, 64, 4031, 4032};
  for (unsigned seed = 1; seed <= 150; seed++) {
    const unsigned rounds = 1 + seed % 4 % 3, resend_after = seed % 8 < 2 ? 0 : seed % 8 == 2 ? 1 : seed % 30;
    run_both(seed, 5, few, 10 + seed % 60, rounds, resend_after, seed % 3 * 3);
  }
  run_both(151, 64, set, 60, 2, 9, 3);
  run_both(152, 130, sets, 60, 2, 9, 3);
  run_both(153, 4097, many, 60, 1, 9, 3);
  for (unsigned seed = 154; seed <= 160; seed++)
    run_both(seed, 5, few, 20, 1, 2, 15); /* nearly nothing arrives: packets are given up */
}

/* ---- circles */

/* Tasks that wait for anything, or each of one terminal for the next one, all around; each has a line of its own, which
 * names it. */
static void draw_any_tasks(struct ut_workload *w, unsigned tasks, bool around) {
  struct ut_error e;
  while (w->tasks < tasks) {
    const uint16_t a = (uint16_t)draw(2), b = (uint16_t)draw(2);
    const unsigned kinds = draw(3) ? 2 : 1, i = w->tasks;
    for (unsigned j = 0; j < kinds; j++) {
      const struct ut_task t = {.kind = kinds == 1 ? UT_TASK_COMPUTE
                                        : j        ? UT_TASK_RECEIVE
                                                   : UT_TASK_SEND,
                                .other = UT_NO_TASK,
                                .tag = i,
                                .line = w->tasks + 1,
                                .terminal = j ? b : a,
                                .peer = j ? a : b};
      assert_true(ut_workload_add(w, &t, &e) != UT_NO_TASK);
    }
  }
  for (unsigned i = 0, last = UINT32_MAX, first = 0; around && i < w->tasks; i++) {
    if (w->task[i].terminal)
      continue;
    if (last == UINT32_MAX)
      first = i;
    else
      assert_int_equal(ut_workload_require(w, last, i, draw(2), 0, &e), 0);
    last = i;
    if (i + 3 > w->tasks && i != first)
      assert_int_equal(ut_workload_require(w, i, first, draw(2), 0, &e), 0);
  }
  for (unsigned left = draw(around ? 3 : 2 * tasks); left-- > 0;) {
    const unsigned i = draw(w->tasks), j = draw(w->tasks);
    if (i != j && w->task[i].terminal == w->task[j].terminal)
      assert_int_equal(ut_workload_require(w, i, j, draw(2), 0, &e), 0);
  }
}

/* What can happen, of all: begun[i], finished[i]. */
static bool all_happen(const struct ut_workload *w, bool *begun, bool *finished) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < w->tasks; i++) {
      bool may = !begun[i];
      for (uint32_t k = 0; k < w->requirements; k++) {
        const struct ut_requirement *r = &w->requirement[k];
        may = may && (r->task != i || (r->begun ? begun[r->needs] : finished[r->needs]));
      }
      const bool ends = !finished[i] && begun[i] && (w->task[i].kind != UT_TASK_RECEIVE || begun[w->task[i].other]);
      begun[i] |= may;
      finished[i] |= ends;
      more |= may || ends;
    }
  }
  for (uint32_t i = 0; i < w->tasks; i++)
    if (!finished[i])
      return false;
  return true;
}

/* Task a waits for b, which does not come. */
static bool waits_for(const struct ut_workload *w, const bool *begun, const bool *finished, unsigned a, unsigned b) {
  if (w->task[a].kind == UT_TASK_RECEIVE && w->task[a].other == b && !begun[b])
    return true;
  for (uint32_t k = 0; k < w->requirements; k++) {
    const struct ut_requirement *r = &w->requirement[k];
    if (r->task == a && r->needs == b && !(r->begun ? begun[b] : finished[b]))
      return true;
  }
  return false;
}

/* Tasks that wait for each other in a circle are found whenever there are some, and what is shown is such a circle. */
static void finds_circles(void **state) {
  (void)state;
  enum { MOST = 40, SHOWN = 8 };
  unsigned circles = 0, long_ones = 0;
  for (unsigned seed = 0; seed < 3000; seed++) {
    const struct ut_scenario s = {.sw = {.packet_flits = PACKET_FLITS, .flit_bits = 8 * FLIT}};
    struct ut_workload w;
    struct ut_error e;
    bool begun[MOST + 2] = {false}, finished[MOST + 2] = {false};
    unsigned shown[SHOWN + 1], count = 0, line, end = 0;
    draws = seed;
    ut_workload_init(&w, &s, 2);
    draw_any_tasks(&w, 2 + draw(seed % 4 ? 8 : MOST - 2), seed % 4 == 0);
    if (!ut_workload_finish(&w, 1, &e)) {
      assert_true(all_happen(&w, begun, finished));
      ut_workload_free(&w);
      continue;
    }
    assert_false(all_happen(&w, begun, finished));
    circles++;
    assert_int_equal(sscanf(e.text, "workload:%u: tasks wait for each other in a circle, none of them can begin:%n",
                            &line, (int *)&end),
                     1);
    for (const char *c = e.text + end; *c == '\n'; c = strchrnul(c + 1, '\n')) {
      assert_true(count < SHOWN);
      assert_int_equal(sscanf(c, "\n  line %u: ", &shown[count]), 1);
      assert_true(shown[count] >= 1 && shown[count] <= w.tasks);
      shown[count++]--;
    }
    assert_true(count > 0 && line == shown[0] + 1);
    const bool whole = strstr(e.text, ", after the first of these");
    assert_true(whole || (count == SHOWN && strstr(e.text, ", after ...")));
    long_ones += !whole;
    for (unsigned i = 0; i < count; i++)
      for (unsigned j = 0; j < i; j++)
        if (shown[i] == shown[j] && w.task[shown[i]].kind != UT_TASK_RECEIVE) /* whose end and beginning wait */
          fail_msg("%s", e.text);
    shown[count] = shown[0];
    for (unsigned i = 0; i + !whole < count; i++)
      assert_true(waits_for(&w, begun, finished, shown[i], shown[i + 1]));
    ut_workload_free(&w);
  }
  assert_true(circles > 500 && circles < 2500 && long_ones > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_the_same),
      cmocka_unit_test(finds_circles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
