/* SPDX-License-Identifier: Apache-2.0 */
/* test_collective.c - csim/traffic/collective: what terminals know in the end when every message is sent as soon as it
 * may be; exchanges with neighbours, against rows and columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pattern.h"
#include "scenario.h"
#include "topologies.h"
#include "workload.h"

/* Each sends one message to each other one beside it, whatever grid of processes they are: they may be so few that the
 * same one is beside another on both sides. */
static void neighbours_once(void **state) {
  (void)state;
  struct ut_error e;
  const struct ut_scenario s = {
      .sw = {.packet_flits = 4, .flit_bits = 128, .shortest_packet_flits = 1},
      .traffic = {.pattern = &ut_pattern_nearest_neighbour, .message_bytes = 8, .repeat = 1, .cycles_per_calc = 1},
  };
  static const unsigned sizes[][2] = {{2, 2}, {2, 3}, {3, 2}, {2, 5}, {3, 3}, {5, 4}};
  static const unsigned trees[][4] = {/* k, n, columns, rows */
                                      {2, 1, 2, 1}, {2, 2, 2, 2}, {2, 3, 4, 2}, {3, 1, 3, 1}, {3, 2, 3, 3},
                                      {2, 4, 4, 4}, {5, 1, 5, 1}, {6, 1, 3, 2}, {12, 1, 4, 3}};
  for (unsigned i = 0; i < 12 + sizeof trees / sizeof *trees; i++) {
    struct ut_topology t;
    struct ut_workload w;
    const bool grid = i < 12, wrap = !grid || i < 6;
    const unsigned *size = grid ? sizes[i % 6] : &trees[i - 12][2];
    unsigned sent[32][32] = {{0}};
    assert_int_equal(grid ? test_grid(&t, size, 2, 1, wrap, &e)
                          : test_fat_tree(&t, trees[i - 12][0], trees[i - 12][1], 0, false, &e),
                     0);
    if (ut_workload_of(&w, &s, &t, &e))
      fail_msg("%s", e.text);
    for (uint32_t j = 0; j < w.tasks; j++)
      sent[w.task[j].terminal][w.task[j].peer] += w.task[j].kind == UT_TASK_SEND;
    for (unsigned a = 0; a < t.terminals; a++)
      for (unsigned b = 0; b < t.terminals; b++) {
        const unsigned x = (b % size[0] + size[0] - a % size[0]) % size[0];
        const unsigned y = (b / size[0] + size[1] - a / size[0]) % size[1];
        const bool row = (x == 1 || x + 1 == size[0]) && (wrap || abs((int)(a % size[0]) - (int)(b % size[0])) == 1);
        const bool column = (y == 1 || y + 1 == size[1]) && (wrap || abs((int)(a / size[0]) - (int)(b / size[0])) == 1);
        assert_int_equal(sent[a][b], a != b && ((row && !y) || (column && !x)));
      }
    ut_workload_free(&w);
    ut_topology_free(&t);
  }
}

/* ---- who knows what */

enum { MOST = 32 };

/* Of each chunk whose contributions a terminal has, as a set; a workload of tasks that have been done. */
struct run {
  const struct ut_workload *w;
  unsigned ranks, chunks;
  uint64_t known[MOST][MOST], carried[8 * MOST * MOST];
  bool done[8 * MOST * MOST];
  uint32_t chunk[8 * MOST * MOST]; /* of a message, at both its ends */
};

static bool is_ready(const struct run *r, uint32_t task) {
  const struct ut_task *t = &r->w->task[task];
  bool ready = !r->done[task] && (t->kind != UT_TASK_RECEIVE || r->done[t->other]);
  for (uint32_t i = 0; i < r->w->requirements; i++)
    ready &= r->w->requirement[i].task != task || r->done[r->w->requirement[i].needs];
  return ready;
}

/* What has come counts when it has been computed with, where somebody does. */
static bool is_computed_with(const struct run *r, uint32_t receive, uint32_t compute) {
  for (uint32_t i = 0; i < r->w->requirements; i++) {
    const uint32_t task = r->w->requirement[i].task;
    if (r->w->requirement[i].needs == receive && r->w->task[task].kind == UT_TASK_COMPUTE &&
        r->w->task[task].cpu != UT_ANY_CPU && (compute == UT_NO_TASK || task == compute))
      return true;
  }
  return false;
}

static void learn(struct run *r, uint32_t receive) {
  r->known[r->w->task[receive].terminal][r->chunk[receive]] |= r->carried[r->w->task[receive].other];
}

static void do_task(struct run *r, uint32_t task) {
  const struct ut_task *t = &r->w->task[task];
  r->done[task] = true;
  if (t->kind == UT_TASK_SEND)
    r->carried[task] = r->known[t->terminal][r->chunk[task]];
  else if (t->kind == UT_TASK_RECEIVE && !is_computed_with(r, task, UT_NO_TASK))
    learn(r, task);
  for (uint32_t i = 0; i < r->w->tasks && t->kind == UT_TASK_COMPUTE; i++)
    if (r->w->task[i].kind == UT_TASK_RECEIVE && is_computed_with(r, i, task))
      learn(r, i);
}

/* Sends before all else, the last ones first: who does not wait for what it needs sends without it. */
static void run_all(struct run *r) {
  for (unsigned left = r->w->tasks; left; left--) {
    uint32_t next = UT_NO_TASK;
    for (uint32_t i = r->w->tasks; i-- > 0;)
      if ((next == UT_NO_TASK || (r->w->task[i].kind == UT_TASK_SEND && r->w->task[next].kind != UT_TASK_SEND)) &&
          is_ready(r, i))
        next = i;
    assert_true(next != UT_NO_TASK);
    do_task(r, next);
  }
}

/* Sends of a ring: in each step chunk r - step from r to r + 1, each as long as the others, or a byte longer. */
static void name_chunks(struct run *r, uint64_t bytes) {
  unsigned message = 0;
  for (uint32_t i = 0; i < r->w->tasks; i++) {
    const struct ut_task *t = &r->w->task[i];
    if (t->kind != UT_TASK_SEND)
      continue;
    const unsigned step = message / r->ranks, rank = message % r->ranks;
    const unsigned chunk = (rank + 2 * r->ranks - step) % r->ranks;
    assert_true(t->terminal == rank && t->peer == (rank + 1) % r->ranks);
    assert_int_equal(t->amount, (bytes + r->ranks - 1 - chunk) / r->ranks);
    r->chunk[i] = r->chunk[t->other] = chunk;
    message++;
  }
  assert_int_equal(message, 2 * (r->ranks - 1) * r->ranks);
}

static void everybody_knows(void **state) {
  (void)state;
  static const unsigned ranks[] = {2, 3, 4, 5, 7, 8, 9, 16};
  for (unsigned i = 0; i < 3 * 2 * sizeof ranks / sizeof *ranks; i++) {
    static struct run r;
    static const struct ut_pattern *const patterns[] = {&ut_pattern_all_reduce_ring, &ut_pattern_all_reduce_tree,
                                                        &ut_pattern_broadcast};
    const struct ut_pattern *pattern = patterns[i % 3];
    const unsigned n = ranks[i / 6], cycles = i / 3 % 2 ? 11 : 0;
    if (pattern == &ut_pattern_all_reduce_ring && n > 5)
      continue; /* many messages */
    struct ut_topology t;
    struct ut_workload w;
    struct ut_error e;
    struct ut_scenario s = {
        .sw = {.packet_flits = 4, .flit_bits = 128, .shortest_packet_flits = 1},
        .traffic = {.pattern = pattern, .message_bytes = 101, .compute_cycles = cycles, .repeat = 1},
    };
    assert_int_equal(test_fat_tree(&t, n, 1, 0, false, &e), 0);
    s.traffic.cycles_per_calc = 1;
    for (s.traffic.root = 0; s.traffic.root < n;
         s.traffic.root += pattern == &ut_pattern_all_reduce_ring ? n : 1 + n / 4) {
      unsigned computes = 0;
      if (ut_workload_of(&w, &s, &t, &e))
        fail_msg("%s", e.text);
      memset(&r, 0, sizeof r);
      r.w = &w, r.ranks = n, r.chunks = pattern == &ut_pattern_all_reduce_ring ? n : 1;
      assert_in_range(w.tasks, 1, sizeof r.done / sizeof *r.done);
      if (pattern == &ut_pattern_all_reduce_ring)
        name_chunks(&r, 101);
      for (unsigned rank = 0; rank < n; rank++)
        for (unsigned chunk = 0; chunk < r.chunks; chunk++)
          r.known[rank][chunk] = pattern == &ut_pattern_broadcast ? rank == s.traffic.root : UINT64_C(1) << rank;
      run_all(&r);
      for (unsigned rank = 0; rank < n; rank++)
        for (unsigned chunk = 0; chunk < r.chunks; chunk++)
          assert_true(r.known[rank][chunk] == (pattern == &ut_pattern_broadcast ? 1 : (UINT64_C(1) << n) - 1));
      for (uint32_t j = 0; j < w.tasks; j++) {
        computes += w.task[j].kind == UT_TASK_COMPUTE && w.task[j].cpu != UT_ANY_CPU;
        assert_true(w.task[j].kind != UT_TASK_COMPUTE ||
                    w.task[j].amount == (w.task[j].cpu == UT_ANY_CPU ? 0 : cycles));
        assert_true(w.task[j].kind == UT_TASK_COMPUTE || r.chunks > 1 || w.task[j].amount == 101);
      }
      assert_int_equal(computes, !cycles || pattern == &ut_pattern_broadcast ? 0 : (n - 1) * r.chunks);
      ut_workload_free(&w);
    }
    ut_topology_free(&t);
  }
}

/* Each to the next one first, and nobody waits. */
static void everybody_to_everybody(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_workload w;
  struct ut_error e;
  const struct ut_scenario s = {
      .sw = {.packet_flits = 4, .flit_bits = 128, .shortest_packet_flits = 1},
      .traffic = {.pattern = &ut_pattern_all_to_all,
                  .message_bytes = 9,
                  .compute_cycles = 5,
                  .repeat = 1,
                  .cycles_per_calc = 1},
  };
  for (unsigned n = 2; n <= 9; n++) {
    unsigned sent[MOST] = {0};
    assert_int_equal(test_fat_tree(&t, n, 1, 0, false, &e), 0);
    if (ut_workload_of(&w, &s, &t, &e))
      fail_msg("%s", e.text);
    assert_int_equal(w.tasks, 2 * n * (n - 1));
    assert_int_equal(w.requirements, 0);
    for (uint32_t i = 0; i < w.tasks; i++)
      if (w.task[i].kind == UT_TASK_SEND) {
        assert_int_equal(w.task[i].peer, (w.task[i].terminal + ++sent[w.task[i].terminal]) % n);
        assert_int_equal(w.task[i].amount, 9);
      }
    ut_workload_free(&w);
    ut_topology_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_once),
      cmocka_unit_test(everybody_knows),
      cmocka_unit_test(everybody_to_everybody),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
