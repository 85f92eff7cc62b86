/* SPDX-License-Identifier: Apache-2.0 */
/* test_workload_order.c - csim/network/workload_run by itself: what happens in the same cycle has an order.  The test
 * tells it what has left the network, in place of terminals. */
#include "workload_run.h"

#include <string.h>

#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"

enum { TERMINALS = 4 };

struct driven {
  struct ut_workload_run r;
  struct ut_terminals t;
  struct ut_terminal terminal[TERMINALS];
  struct ut_injection injection[TERMINALS][2];
  struct ut_terminal_range range;
  uint64_t cycle;
};

/* Reads a schedule, and begins it: every packet has one flit of 8 bytes behind its header. */
static struct driven *begin(const char *goal) {
  char path[UT_TEST_TRACE_PATH];
  struct ut_error e;
  const struct ut_topology topology = {.terminals = TERMINALS};
  struct driven *d = aligned_alloc(64, sizeof *d);
  assert_non_null(d);
  memset(d, 0, sizeof *d);
  test_write_trace(path, goal);
  const struct ut_scenario s = {
      .sw = {.packet_flits = 1, .flit_bits = 128, .shortest_packet_flits = 1},
      .traffic = {.pattern = &ut_pattern_goal, .file = path, .repeat = 1, .cycles_per_calc = 1},
  };
  if (ut_workload_run_init(&d->r, &s, &topology, 0, &e))
    fail_msg("%s", e.text);
  d->r.workload.path = NULL;
  unlink(path);
  d->t.terminal = d->terminal;
  d->t.injection = d->injection[0];
  d->t.injections = 2;
  d->t.range = &d->range;
  d->t.ranges = 1;
  return d;
}

static void step(struct driven *d) {
  ut_workload_run_step(&d->r, &d->t, d->cycle++);
  assert_false(d->r.failure);
  assert_int_equal(d->range.departures.count, 0);
}
static void step_until(struct driven *d, uint64_t cycle) {
  while (d->cycle < cycle)
    step(d);
}

static uint64_t completion_of(struct driven *d) {
  while (!ut_workload_run_complete(&d->r) && d->cycle < 2000)
    step(d);
  return d->r.completion;
}

/* That packet of a terminal is delivered in this cycle. */
static void deliver(struct driven *d, uint16_t src, uint64_t sequence) {
  const struct ut_departure what = {.src = src, .sequence = sequence, .reason = UT_DELIVERED};
  assert_true(ut_departures_add(&d->range.departures, &what));
}

static void end(struct driven *d) {
  free(d->range.departures.list);
  ut_workload_run_fini(&d->r);
  free(d);
}

/* Each of many tasks ends in its cycle, in whatever order they have begun. */
static void computing_ends_in_time(void **state) {
  (void)state;
  enum { TASKS = 60 };
  unsigned first[TASKS], second[TASKS];
  char goal[8192];
  size_t used = (size_t)snprintf(goal, sizeof goal, "num_ranks 1\nrank 0 {\n");
  for (unsigned i = 0; i < TASKS; i++) {
    first[i] = 1 + i * 37 % 101;
    second[i] = 1 + i * 53 % 89;
    used += (size_t)snprintf(goal + used, sizeof goal - used,
                             "a%u: calc %u cpu %u\nb%u: calc %u cpu %u\nb%u requires a%u\n", i, first[i], i, i,
                             second[i], i, i, i);
  }
  assert_in_range(used + snprintf(goal + used, sizeof goal - used, "}\n"), 1, sizeof goal - 1);
  struct driven *d = begin(goal);
  for (unsigned cycle = 1; cycle < 200; cycle++) {
    unsigned open = 0;
    step(d);
    for (unsigned i = 0; i < TASKS; i++)
      open += (first[i] > cycle) + (first[i] + second[i] > cycle);
    assert_int_equal(d->r.open, open);
  }
  assert_int_equal(d->r.open, 0);
  end(d);
}

/* Of what happens in one cycle, computing begins before other computing ends; then lower tasks are first.  Who is first
 * computes first; what waits for the second one tells who that was. */
static void order_of_computing(void **state) {
  (void)state;
  /* a and b end together, b has begun before a */
  struct driven *d = begin("num_ranks 1\nrank 0 {\na: calc 5 cpu 1\nb: calc 10 cpu 2\ne: calc 5 cpu 3\na requires e\n"
                           "d: calc 30\nd requires a\nc: calc 50\nc requires b\nf: calc 100 cpu 4\nf requires c\n}\n");
  assert_int_equal(completion_of(d), 10 + 30 + 50 + 100);
  end(d);
  /* y ends where x begins, which has waited for its processor */
  d = begin("num_ranks 1\nrank 0 {\ny: calc 10 cpu 1\nx: calc 20 cpu 1\np: calc 30\np irequires x\n"
            "q: calc 50\nq requires y\nf: calc 100 cpu 2\nf requires q\n}\n");
  assert_int_equal(completion_of(d), 10 + 30 + 50 + 100);
  end(d);
}

static void order_of_releases(void **state) {
  (void)state;
  struct driven *d =
      begin("num_ranks 2\nrank 0 {\ns: send 8b to 1 tag 0\nt: send 8b to 1 tag 1\nu: send 8b to 1 tag 2\n"
            "y: calc 10 cpu 1\nz: calc 10 cpu 2\nw: calc 10 cpu 3\nu requires y\nt requires z\ns requires w\n}\n"
            "rank 1 {\nrecv 8b from 0 tag 0\nrecv 8b from 0 tag 1\nrecv 8b from 0 tag 2\n}\n");
  step_until(d, 10);
  const struct ut_release_list *l = &d->r.releases.list[0];
  assert_int_equal(l->count, 3);
  for (unsigned i = 0; i < 3; i++)
    assert_true(l->release[i].task == i && l->release[i].sequence == i && l->release[i].cycle == 10);
  end(d);
}

/* Two messages arrive in one cycle: the task that stands first in the file goes on first. */
static void order_of_arrivals(void **state) {
  (void)state;
  for (unsigned swap = 0; swap < 2; swap++) {
    struct driven *d = begin("num_ranks 3\nrank 0 {\na: recv 8b from 1\nb: recv 8b from 2\np: calc 30\nq: calc 50\n"
                             "f: calc 100 cpu 1\np requires a\nq requires b\nf requires q\n}\n"
                             "rank 1 {\nsend 8b to 0\n}\nrank 2 {\nsend 8b to 0\n}\n");
    step_until(d, 7);
    deliver(d, swap ? 2 : 1, 0);
    deliver(d, swap ? 1 : 2, 0);
    assert_int_equal(completion_of(d), 8 + 30 + 50 + 100);
    end(d);
  }
}

/* Through two links a later message may have left while an earlier one is still being sent. */
static void sends_that_overtake(void **state) {
  (void)state;
  struct driven *d =
      begin("num_ranks 2\nrank 0 {\ns: send 8b to 1\nt: send 8b to 1\ng: calc 10 cpu 1\nh: calc 10 cpu 2\n"
            "g requires s\nh requires t\n}\nrank 1 {\nrecv 8b from 0\nrecv 8b from 0\n}\n");
  d->terminal[0].injected = 2;
  d->injection[0][0].sending = true;
  d->injection[0][0].header = ut_header_make(1, 0, 0, 0);
  step_until(d, 3);
  deliver(d, 0, 0), deliver(d, 0, 1);
  step_until(d, 10);
  assert_int_equal(d->r.open, 2);
  step_until(d, 11);
  assert_int_equal(d->r.open, 1); /* `t` has left in cycle 0, and `h` computed in cycles 1..10 */
  step_until(d, 20);
  assert_int_equal(d->r.open, 1);
  d->injection[0][0].sending = false;
  assert_int_equal(completion_of(d), 31);
  end(d);
}

/* The last packet of a message has left through one link, while an earlier one, which is longer, is still being sent
 * through another one. */
static void packets_that_overtake(void **state) {
  (void)state;
  for (unsigned sent = 0; sent < 700;
       sent += sent < 3 ? 1 : 173) { /* packets of the message that does so, but for two */
    char goal[512];
    snprintf(goal, sizeof goal,
             "num_ranks 2\nrank 0 {\nq: send 8b to 1\ns: send %ub to 1\nt: send 8b to 1\ng: calc 10 cpu 1\n"
             "h: calc 10 cpu 2\ni: calc 10 cpu 3\ng requires s\nh requires t\ni requires q\n}\n"
             "rank 1 {\nrecv 8b from 0\nrecv 8b from 0\nrecv 8b from 0\n}\n",
             8 * (sent + 2));
    struct driven *d = begin(goal);
    const uint64_t packets = sent + 4;
    assert_int_equal(d->r.open, 6);
    d->terminal[0].injected = packets;
    d->injection[0][1].sending = true;
    for (unsigned i = 0; i < 2;
         i++) { /* the first packet of `s` that can be told from the newest one, and the last one */
      const uint64_t sequence = i ? packets - 2 : packets > 256 ? packets - 256 : 1;
      d->injection[0][1].header = ut_header_make(1, 0, (uint8_t)sequence, 0);
      step_until(d, 20 + i);
      assert_int_equal(d->r.open, 4); /* the others have left, and their computing has ended */
    }
    d->injection[0][1].header = ut_header_make(1, 0, (uint8_t)(packets - 1), 0); /* of `t`, as if it were still there */
    step_until(d, 40);
    assert_int_equal(d->r.open, 3);
    end(d);
  }
}

/* Each end of a message belongs to the terminals that it names. */
static void ends_of_messages(void **state) {
  (void)state;
  struct driven *d = begin("num_ranks 4\nrank 0 {\nsend 8b to 2\nsend 16b to 1\nsend 24b to 3\n}\n"
                           "rank 1 {\nrecv 8b from 0\nsend 32b to 3\n}\nrank 2 {\nrecv 8b from 0\n}\n"
                           "rank 3 {\nrecv 8b from 1\nrecv 8b from 0\n}\n");
  const struct ut_task *task = d->r.workload.task;
  static const uint64_t amounts[] = {8, 16, 24, 16, 32, 8, 32, 24};
  assert_int_equal(d->r.workload.tasks, 8);
  for (unsigned i = 0; i < 8; i++) {
    assert_int_equal(task[i].amount, amounts[i]);
    assert_int_equal(task[task[i].other].other, i);
    assert_int_equal(task[task[i].other].terminal, task[i].peer);
  }
  end(d);
}

/* Processors that are named count up to the highest of them, wherever it stands. */
static void processors(void **state) {
  (void)state;
  struct driven *d = begin("num_ranks 1\nrank 0 {\ncalc 5 cpu 1\ncalc 5 cpu 3\ncalc 5\ncalc 5 cpu 2\n}\n");
  assert_int_equal(d->r.workload.cpus, 4);
  end(d);
}

/* A packet of 2 flits leaves beside one of 8: the send is finished when both have left, as late as without it. */
static void sends_through_two_links(void **state) {
  (void)state;
  uint64_t cycles[2];
  for (unsigned i = 0; i < 2; i++) {
    char goal[128], path[UT_TEST_TRACE_PATH];
    struct ut_network n;
    snprintf(goal, sizeof goal,
             "num_ranks 2\nrank 0 {\na: send %ub to 1\nb: calc 1000\nb requires a\n}\nrank 1 {\nrecv 57b from 0\n}\n",
             56 + i);
    test_write_trace(path, goal);
    struct ut_scenario *s = test_scenario("topology: {kind: mesh, sizes: [2], terminal_links: 2}\n"
                                          "switch: {vcs: 1, depth_flits: 8, packet_flits: 8}\n"
                                          "routing: {algorithm: dor}\ntraffic: {pattern: goal, goal_file: %s}\n",
                                          path);
    test_network(&n, s);
    while (!ut_network_done(&n))
      ut_network_step(&n);
    cycles[i] = n.workload->completion;
    ut_network_fini(&n);
    ut_scenario_free(s);
    unlink(path);
  }
  assert_int_equal(cycles[1], cycles[0]);
  assert_in_range(cycles[0], 1008, 1020);
}

/* One terminal has exactly as many packets on their way as its records have room for: none is taken for another. */
static void records_that_are_full(void **state) {
  (void)state;
  enum { RECORDS = 4 * UT_AHEAD };
  char path[UT_TEST_TRACE_PATH];
  struct ut_network n;
  test_write_trace(path, "num_ranks 16\nrank 0 {\nsend 128b to 15\nsend 128b to 14\n}\nrank 14 {\nrecv 128b from 0\n}\n"
                         "rank 15 {\nrecv 128b from 0\n}\n");
  struct ut_scenario *s = test_scenario("topology: {kind: fat_tree, k: 4, n: 2, link_cycles: 16}\n"
                                        "switch: {flit_bits: 128, vcs: 1, depth_flits: 64, packet_flits: 1}\n"
                                        "routing: {algorithm: fta}\ntraffic: {pattern: goal, goal_file: %s}\n",
                                        path);
  test_network(&n, s);
  const struct ut_terminal *t = &n.terminals.terminal[0];
  bool full = false;
  while (!ut_network_done(&n)) {
    ut_network_step(&n);
    full |= t->injected == RECORDS && t->base == 0;
  }
  assert_true(full && t->mask == RECORDS - 1 && t->base == RECORDS);
  assert_false(ut_network_incomplete(&n));
  assert_int_equal(n.workload->delivered, 2);
  ut_network_fini(&n);
  ut_scenario_free(s);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(computing_ends_in_time),  cmocka_unit_test(order_of_computing),
      cmocka_unit_test(order_of_releases),       cmocka_unit_test(order_of_arrivals),
      cmocka_unit_test(sends_that_overtake),     cmocka_unit_test(packets_that_overtake),
      cmocka_unit_test(ends_of_messages),        cmocka_unit_test(processors),
      cmocka_unit_test(sends_through_two_links), cmocka_unit_test(records_that_are_full),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
