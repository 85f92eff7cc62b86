/* SPDX-License-Identifier: Apache-2.0 */
/* test_workload.c - csim/traffic/workload, workload_run, collective, dependencies, goal, task_labels */
#define _DEFAULT_SOURCE /* MAP_NORESERVE */
#include "workload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "input_limits.h"
#include "network.h"
#include "pattern.h"
#include "registers.h"
#include "scenario.h"
#include "scenario_read.h"
#include "scenarios.h"
#include "topologies.h"

/* 16-byte flits, packets of up to 4: 56 bytes behind a header. */
static struct ut_scenario scenario(const struct ut_pattern *pattern, uint64_t bytes) {
  return (struct ut_scenario){
      .sw = {.packet_flits = 4, .flit_bits = 128, .shortest_packet_flits = 1},
      .traffic = {.pattern = pattern, .message_bytes = bytes, .repeat = 1, .cycles_per_calc = 1},
  };
}

static void must_make(struct ut_workload *w, const struct ut_scenario *s, const struct ut_topology *t) {
  struct ut_error e;
  if (ut_workload_of(w, s, t, &e))
    fail_msg("%s", e.text);
  for (uint32_t i = 0; i < w->tasks; i++) /* they stand in no file */
    assert_int_equal(w->task[i].line, 0);
  for (uint32_t i = 0; i < w->requirements; i++)
    assert_int_equal(w->requirement[i].line, 0);
}

/* ---- packets */

static void packs(void **state) {
  (void)state;
  const struct ut_scenario s = scenario(&ut_pattern_all_to_all, 0);
  struct ut_packing p = ut_packing_of(&s);
  assert_int_equal(p.payload_bytes, 56);
  static const struct {
    uint64_t bytes;
    unsigned packets, last;
  } cases[] = {{0, 1, 1}, {1, 1, 1}, {8, 1, 1}, {9, 1, 2}, {56, 1, 4}, {57, 2, 1}, {112, 2, 4}, {121, 3, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(ut_message_packets(&p, cases[i].bytes), cases[i].packets);
    for (unsigned k = 0; k + 1 < cases[i].packets; k++)
      assert_int_equal(ut_message_flits(&p, cases[i].bytes, k), 4);
    assert_int_equal(ut_message_flits(&p, cases[i].bytes, cases[i].packets - 1), cases[i].last);
  }
  assert_int_equal(ut_message_packets(&p, ut_message_most_bytes(&p)), UT_LIMIT_MESSAGE_PACKETS);
  assert_int_equal(ut_message_packets(&p, ut_message_most_bytes(&p) + 1), UT_LIMIT_MESSAGE_PACKETS + 1);
  assert_int_equal(p.shortest_flits, 1);
  const struct ut_scenario any = {.sw = {.packet_flits = 4, .flit_bits = 128}};
  assert_int_equal(ut_packing_of(&any).shortest_flits, 1);
  p.shortest_flits = 3; /* the bubble rule's */
  assert_int_equal(ut_message_flits(&p, 57, 1), 3);
}

/* ---- collectives: how many messages, from whom to whom */

struct tally {
  unsigned messages, out[64], in[64];
  uint64_t bytes;
};

static struct tally tally_of(const struct ut_workload *w) {
  struct tally c = {0};
  for (uint32_t i = 0; i < w->tasks; i++) {
    const struct ut_task *t = &w->task[i];
    if (t->kind != UT_TASK_SEND)
      continue;
    const struct ut_task *to = &w->task[t->other];
    assert_int_equal(to->kind, UT_TASK_RECEIVE);
    assert_int_equal(to->other, i);
    assert_int_equal(to->terminal, t->peer);
    assert_int_equal(to->peer, t->terminal);
    assert_int_equal(to->amount, t->amount);
    c.messages++;
    c.out[t->terminal]++;
    c.in[t->peer]++;
    c.bytes += t->amount;
  }
  assert_int_equal(c.messages, w->messages);
  for (uint32_t i = 0; i < w->requirements; i++)
    assert_int_equal(w->task[w->requirement[i].task].terminal, w->task[w->requirement[i].needs].terminal);
  return c;
}

static void counts_messages(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_workload w;
  struct ut_error e;
  assert_int_equal(test_fat_tree(&t, 3, 3, 0, false, &e), 0); /* 27 terminals: no power of two */
  const unsigned n = 27;
  struct ut_scenario s = scenario(&ut_pattern_all_to_all, 100);
  must_make(&w, &s, &t);
  struct tally c = tally_of(&w);
  assert_int_equal(c.messages, n * (n - 1));
  assert_int_equal(w.packets, 2 * n * (n - 1));
  for (unsigned i = 0; i < n; i++)
    assert_true(c.out[i] == n - 1 && c.in[i] == n - 1);
  ut_workload_free(&w);

  s = scenario(&ut_pattern_all_reduce_ring, 1000);
  s.traffic.compute_cycles = 3;
  must_make(&w, &s, &t);
  c = tally_of(&w);
  assert_int_equal(c.messages, 2 * n * (n - 1));
  assert_int_equal(c.bytes, 2 * (n - 1) * 1000); /* in each step every chunk is sent once */
  ut_workload_free(&w);

  s = scenario(&ut_pattern_broadcast, 100);
  for (s.traffic.root = 0; s.traffic.root < n; s.traffic.root += 13) {
    must_make(&w, &s, &t);
    c = tally_of(&w);
    assert_int_equal(c.messages, n - 1);
    for (unsigned i = 0; i < n; i++)
      assert_int_equal(c.in[i], i != s.traffic.root);
    assert_int_equal(c.out[s.traffic.root], 5); /* the next power of two is 2^5 */
    ut_workload_free(&w);
  }

  s = scenario(&ut_pattern_all_reduce_tree, 100);
  s.traffic.root = 7;
  s.traffic.compute_cycles = 3;
  must_make(&w, &s, &t);
  c = tally_of(&w);
  assert_int_equal(c.messages, 2 * (n - 1));
  for (unsigned i = 0; i < n; i++)
    assert_int_equal(c.in[i], c.out[i]); /* down goes what came up */
  ut_workload_free(&w);

  s = scenario(&ut_pattern_nearest_neighbour, 100);
  s.traffic.repeat = 5;
  s.traffic.compute_cycles = 3;
  must_make(&w, &s, &t);
  c = tally_of(&w);
  assert_int_equal(c.messages, 5 * 4 * n); /* in a grid of 3 rows and 9 columns */
  ut_workload_free(&w);
  ut_topology_free(&t);
}

static void finds_neighbours(void **state) {
  (void)state;
  struct ut_topology t;
  struct ut_workload w;
  struct ut_error e;
  const struct ut_scenario s = scenario(&ut_pattern_nearest_neighbour, 8);
  const unsigned size[] = {4, 2};
  assert_int_equal(test_grid(&t, size, 2, 2, true, &e), 0);
  must_make(&w, &s, &t);
  struct tally c = tally_of(&w);
  assert_int_equal(c.messages, 16 * 3); /* of two nodes beside each other each is the other's only one in y */
  for (uint32_t i = 0; i < w.tasks; i++)
    assert_int_equal(w.task[i].terminal % 2, w.task[i].peer % 2);
  ut_workload_free(&w);
  ut_topology_free(&t);
  assert_int_equal(test_grid(&t, size, 2, 1, false, &e), 0);
  must_make(&w, &s, &t);
  c = tally_of(&w);
  assert_int_equal(c.messages, 2 * (3 * 2 + 4 * 1));
  ut_workload_free(&w);
  ut_topology_free(&t);
  assert_int_equal(test_cube(&t, 4, &e), 0);
  must_make(&w, &s, &t);
  c = tally_of(&w);
  assert_int_equal(c.messages, 16 * 4);
  ut_workload_free(&w);
  ut_topology_free(&t);
}

/* ---- files */

static char *write_file(const char *text) {
  static char path[] = "/tmp/test_workload.XXXXXX";
  strcpy(path, "/tmp/test_workload.XXXXXX");
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  return path;
}

/* Reads a file for a network of 4 terminals; returns 0, or -1 and the message without the path. */
static int read_text(const struct ut_pattern *pattern, const char *text, struct ut_workload *w, struct ut_error *e) {
  struct ut_topology t;
  struct ut_scenario s = scenario(pattern, 0);
  assert_int_equal(test_cube(&t, 2, e), 0);
  s.traffic.file = write_file(text);
  const int status = ut_workload_of(w, &s, &t, e);
  unlink(s.traffic.file);
  ut_topology_free(&t);
  if (status) {
    assert_int_equal(e->code, UT_BAD_INPUT);
    assert_memory_equal(e->text, s.traffic.file, strlen(s.traffic.file));
    memmove(e->text, e->text + strlen(s.traffic.file), strlen(e->text) - strlen(s.traffic.file) + 1);
  }
  return status;
}

static void must_refuse(const struct ut_pattern *pattern, const char *text, const char *message) {
  struct ut_workload w;
  struct ut_error e;
  assert_int_equal(read_text(pattern, text, &w, &e), -1);
  if (strncmp(e.text, message, strlen(message)))
    fail_msg("of '%s': '%s', expected '%s'", text, e.text, message);
}

static void reads_dependencies(void **state) {
  (void)state;
  struct ut_workload w;
  struct ut_error e;
  static const char text[] = "# name from to bytes\n\n"
                             "late 1 2 10 after early, other delay 7 # forward\n"
                             "early 0 1 20\n"
                             "other 1 3 30\n";
  if (read_text(&ut_pattern_dependencies, text, &w, &e))
    fail_msg("%s", e.text);
  const struct tally c = tally_of(&w);
  assert_int_equal(c.messages, 3);
  assert_int_equal(c.bytes, 60);
  assert_int_equal(w.tasks, 7);
  assert_int_equal(w.requirements, 3);
  assert_int_equal(w.waits[0], 1); /* the send waits for the delay, */
  assert_int_equal(w.task[2].kind, UT_TASK_COMPUTE);
  assert_int_equal(w.task[2].amount, 7);
  assert_int_equal(w.waits[2], 2); /* and the delay for what comes in and what goes out */
  assert_int_equal(w.requirement[0].needs, 2);
  assert_int_equal(w.requirement[1].needs, 4);
  assert_int_equal(w.task[4].kind, UT_TASK_RECEIVE);
  assert_int_equal(w.requirement[2].needs, 5);
  assert_int_equal(w.task[5].kind, UT_TASK_SEND);
  ut_workload_free(&w);
}

static void refuses_dependencies(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"a 0 1 8 after b\nb 1 0 8 after a\n", ":1: tasks wait for each other in a circle, none of them can begin:\n"
                                             "  line 1: terminal 0 sends 8 bytes to 1, after\n"
                                             "  line 2: terminal 0 receives 8 bytes from 1, after\n"
                                             "  line 2: terminal 1 sends 8 bytes to 0, after\n"
                                             "  line 1: terminal 1 receives 8 bytes from 0, after the first of these"},
      {"a 0 1 8\nb 1 2 8 after c\nc 2 1 8 after d\nd 2 2 8 after b\n", ":2: tasks wait for each other in a circle"},
      {"a 0 1 8 after a\n", ":1:15: 'a' waits for itself"},
      {"aaa 0 1 8\nb 1 0 8 after aab\n", ":2:15: there is no 'aab' in this file; did you mean 'aaa'?"},
      {"a 0 1 8\na 1 0 8\n", ":2:1: 'a' stands in line 1 already"},
      {"a 0 1 8\nb 2 3 8 after a\n", ":2:15: terminal 2 sends 'b', and knows nothing of 'a', which goes from 0 to 1"},
      {"a 0 4 8\n", ":1:5: terminal 4 does not exist, this network has 0..3"},
      {"a 0 1\n", ":1:6: expected the bytes of the message"},
      {"a 0 1 8x\n", ":1:7: expected the bytes of the message"},
      {"a 0 1 5600000001\n", ":1:7: expected the bytes of the message: 0..5600000000"},
      {"a 0 1 8 9\n", ":1:9: expected the end of the line"},
      {"a 0 1 8 after\n", ":1:14: expected the name of a message"},
      {"a 0 1 8 at\n", ":1:11: expected the cycle from which it may be sent"},
      {"a 0 1 8 at 5 delay 5\n", ":1:14: expected the end of the line"},
      {"a 0 1 8 delay 99999999999\n", ":1:15: expected the cycles of the delay: 0..1000000000"},
      {"\xef\xbb\xbf"
       "a 0 1 8\nb 0 1 8 after aa\n",
       ":2:15: there is no 'aa' in this file; did you mean 'a'?"},
      {"# nothing\n", ": nothing is sent or computed in it"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    must_refuse(&ut_pattern_dependencies, cases[i].text, cases[i].message);
}

static void reads_goal(void **state) {
  (void)state;
  struct ut_workload w;
  struct ut_error e;
  static const char text[] = "// by hand\nnum_ranks 3\n\nrank 2 {\nrecv 50b from 1\n"
                             "s: send 100b to 0 tag 6 nic 1\n}\n"
                             "rank 0 {\nl1: send 100b to 1 tag 5\nl2: recv 1b from 2 tag 6 cpu 2\n"
                             "l3: calc 1000\nl3 requires l2\nl1 irequires l3\n}\n"
                             "/* in one\n line */ rank 1 { a: recv 100b from 0 tag 5; b: send 50b to 2; b requires a }";
  if (read_text(&ut_pattern_goal, text, &w, &e))
    fail_msg("%s", e.text);
  const struct tally c = tally_of(&w);
  assert_int_equal(c.messages, 3);
  assert_int_equal(c.bytes, 250); /* the send counts */
  assert_int_equal(w.tasks, 7);
  assert_int_equal(w.requirements, 3);
  for (uint32_t i = 0; i < w.requirements; i++)
    assert_int_equal(w.requirement[i].begun,
                     w.task[w.requirement[i].task].kind == UT_TASK_SEND && w.task[w.requirement[i].task].terminal == 0);
  ut_workload_free(&w);
}

/* Of a long circle not all is shown, and it says so. */
static void shows_a_part_of_a_circle(void **state) {
  (void)state;
  char text[512];
  size_t used = 0;
  struct ut_workload w;
  struct ut_error e;
  for (unsigned i = 0; i < 12; i++) /* from terminal to terminal, three times round */
    used += (size_t)snprintf(text + used, sizeof text - used, "m%u %u %u 8 after m%u\n", i, i % 4, (i + 1) % 4,
                             (i + 11) % 12);
  assert_int_equal(read_text(&ut_pattern_dependencies, text, &w, &e), -1);
  assert_non_null(strstr(e.text, "wait for each other in a circle"));
  assert_non_null(strstr(e.text, ", after ..."));
  assert_null(strstr(e.text, "the first of these"));
}

static unsigned lines_of(const char *text) {
  unsigned lines = 0;
  for (; (text = strchr(text, '\n')); text++)
    lines++;
  return lines;
}

/* Short ones are shown whole, each task once. */
static void shows_circles(void **state) {
  (void)state;
  char text[512];
  struct ut_workload w;
  struct ut_error e;
  for (unsigned n = 1; n <= 9; n++)
    for (unsigned goal = 0; goal < 2; goal++) { /* messages once round some terminals; computing in one */
      size_t used = goal ? (size_t)snprintf(text, sizeof text, "num_ranks 1\nrank 0 {\n") : 0;
      for (unsigned i = 0; i < n && goal; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "c%u: calc 5\n", i);
      if (goal) /* one of the circle waits for something else, too, which will be there */
        used += (size_t)snprintf(text + used, sizeof text - used, "free: calc 5\nc0 requires free\n");
      for (unsigned i = 0; i < n; i++)
        used += (size_t)(goal ? snprintf(text + used, sizeof text - used, "c%u requires c%u\n", i, (i + 1) % n)
                              : snprintf(text + used, sizeof text - used, "m%u %u %u 8 after m%u\n", i, i, (i + 1) % n,
                                         (i + n - 1) % n));
      if (goal)
        snprintf(text + used, sizeof text - used, "}\n");
      if ((goal && n == 1) || (!goal && (n == 1 || n > 4)))
        continue;
      assert_int_equal(read_text(goal ? &ut_pattern_goal : &ut_pattern_dependencies, text, &w, &e), -1);
      const unsigned tasks = goal ? n : 2 * n;
      if (lines_of(e.text) != (tasks < 8 ? tasks : 8))
        fail_msg("%u: %s", n, e.text);
      assert_int_equal(strstr(e.text, ", after the first of these") != NULL, goal ? n < 8 : 1);
    }
}

/* Of a collective operation that is larger than the limit each number of tasks that may come before the last one; one
 * with as many requirements. */
static void refuses_too_many(void **state) {
  (void)state;
  const size_t bytes = (size_t)UT_MAX_TASKS * sizeof(struct ut_task);
  struct ut_task *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  struct ut_topology t;
  struct ut_error e;
  assert_true(all != MAP_FAILED);
  assert_int_equal(test_cube(&t, 2, &e), 0);
  for (unsigned number = UT_PATTERN_all_to_all; number <= UT_PATTERN_nearest_neighbour; number++) {
    const struct ut_pattern *pattern = ut_patterns[number];
    struct ut_scenario s = scenario(pattern, 100);
    struct ut_workload w;
    uint32_t needed = 0;
    s.traffic.compute_cycles = 10;
    for (uint32_t left = UT_MAX_TASKS; left <= UT_MAX_TASKS; left = left == UT_MAX_TASKS ? needed : left - 1) {
      ut_workload_init(&w, &s, t.terminals);
      w.task = all;
      w.task_room = UT_MAX_TASKS;
      w.tasks = UT_MAX_TASKS - left;
      const bool fits = left == UT_MAX_TASKS || left == needed;
      assert_int_equal(pattern->tasks(&w, &s, &t, &e), fits ? 0 : -1);
      if (left == UT_MAX_TASKS)
        needed = w.tasks;
      assert_true(fits || strstr(e.text, "a workload has at most 16777216 tasks"));
      w.task = NULL;
      ut_workload_free(&w);
    }
    assert_in_range(needed, 6, 100);
    ut_workload_init(&w, &s, t.terminals);
    w.requirements = UINT32_MAX;
    assert_int_equal(pattern->tasks(&w, &s, &t, &e), pattern == &ut_pattern_all_to_all ? 0 : -1);
    ut_workload_free(&w);
  }
  struct ut_workload w = {.tasks = 5};
  assert_int_equal(ut_workload_expect(&w, UT_MAX_TASKS - 5, &e), 0);
  assert_int_equal(ut_workload_expect(&w, UT_MAX_TASKS - 4, &e), -1);
  w.tasks = UT_MAX_TASKS;
  assert_true(ut_workload_add(&w, all, &e) == UT_NO_TASK);
  assert_int_equal(ut_workload_require(&w, 1, UT_NO_TASK, false, 0, &e), 0);
  w.requirements = UINT32_MAX;
  assert_int_equal(ut_workload_require(&w, 1, 0, false, 0, &e), -1);
  assert_non_null(strstr(e.text, "a workload has at most 16777216 tasks"));
  ut_topology_free(&t);
  munmap(all, bytes);
}

/* The n-th send belongs to the n-th receive, whatever stands between them. */
static void joins_in_order(void **state) {
  (void)state;
  struct ut_workload w;
  struct ut_error e;
  static const char text[] = "num_ranks 2\nrank 0 {\nsend 1b to 1\nsend 2b to 1 tag 1\nsend 3b to 1\n}\n"
                             "rank 1 {\nrecv 1b from 0 tag 1\nrecv 1b from 0\nrecv 1b from 0\n}\n";
  if (read_text(&ut_pattern_goal, text, &w, &e))
    fail_msg("%s", e.text);
  assert_int_equal(w.task[0].other, 4);
  assert_int_equal(w.task[1].other, 3);
  assert_int_equal(w.task[2].other, 5);
  ut_workload_free(&w);
}

/* Both directions of two pairs whose numbers have the same bits: each end has its own other one. */
static void joins_pairs(void **state) {
  (void)state;
  struct ut_workload w;
  struct ut_error e;
  static const char text[] = "num_ranks 4\nrank 0 {\nsend 8b to 3\nrecv 8b from 3\n}\n"
                             "rank 1 {\nsend 8b to 2\nrecv 8b from 2\n}\n"
                             "rank 2 {\nrecv 8b from 1\nsend 8b to 1\n}\n"
                             "rank 3 {\nrecv 8b from 0\nsend 8b to 0\n}\n";
  if (read_text(&ut_pattern_goal, text, &w, &e))
    fail_msg("%s", e.text);
  assert_int_equal(w.tasks, 8);
  for (uint32_t i = 0; i < w.tasks; i++) {
    const struct ut_task *other = &w.task[w.task[i].other];
    assert_int_equal(other->other, i);
    assert_int_equal(other->peer, w.task[i].terminal);
    assert_int_equal(other->terminal, w.task[i].peer);
  }
  ut_workload_free(&w);
}

static void refuses_goal(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\nrank 1 {\na: recv 8b from 0\n"
       "b: send 8b to 0\nb requires a\n}\n",
       ":3: tasks wait for each other in a circle, none of them can begin:\n"
       "  line 3: terminal 0 receives 8 bytes from 1, after\n"
       "  line 9: terminal 1 sends 8 bytes to 0, after\n"
       "  line 8: terminal 1 receives 8 bytes from 0, after\n"
       "  line 4: terminal 0 sends 8 bytes to 1, after the first of these"},
      /* each is named once, wherever the circle is entered */
      {"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\nb requires a\n}\n",
       ":3: tasks wait for each other in a circle, none of them can begin:\n"
       "  line 3: terminal 0 computes 1 cycles, after\n"
       "  line 4: terminal 0 computes 2 cycles, after the first of these"},
      {"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na irequires b\nb irequires a\n}\n",
       ":3: tasks wait for each other in a circle, none of them can begin:\n"
       "  line 3: terminal 0 computes 1 cycles, after\n"
       "  line 4: terminal 0 computes 2 cycles, after the first of these"},
      {"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nc: calc 3\na requires b\nb requires c\nc requires b\n}\n",
       ":4: tasks wait for each other in a circle, none of them can begin:\n"
       "  line 4: terminal 0 computes 2 cycles, after\n"
       "  line 5: terminal 0 computes 3 cycles, after the first of these"},
      {"num_ranks 2\nrank 0 {\na: send 8b to 1 tag 3\n}\nrank 1 {\na: recv 8b from 0 tag 4\n}\n",
       ":3: terminal 0 sends 8 bytes to 1, and there is no receive"},
      {"num_ranks 2\nrank 0 {\na: send 8b to 1 tag 4\n}\nrank 1 {\na: recv 8b from 0 tag 3\n}\n",
       ":6: terminal 1 receives 8 bytes from 0, and there is no send for it\n"
       "add one in rank 0: send 8b to 1 tag 3"},
      {"num_ranks 2\nrank 0 {\nsend 8b to 1\nsend 7b to 1\nsend 6b to 1\n}\nrank 1 {\nrecv 8b from 0\nrecv 7b from "
       "0\n}\n",
       ":5: terminal 0 sends 6 bytes to 1, and there is no receive for it\n"
       "add one in rank 1: recv 6b from 0 tag 0"},
      {"num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\nrecv 8b from 0\nrecv 8b from 0\n}\n",
       ":7: terminal 1 receives 8 bytes from 0, and there is no send"},
      {"num_ranks 4\nrank 0 {\nsend 8b to 1\n}\nrank 2 {\nrecv 8b from 3\n}\n",
       ":3: terminal 0 sends 8 bytes to 1, and there is no receive"},
      {"num_ranks 4\nrank 1 {\nrecv 8b from 0\n}\nrank 2 {\nsend 8b to 3\n}\n",
       ":3: terminal 1 receives 8 bytes from 0, and there is no "
       "send"},
      {"num_ranks 2\nrank 0 {\na: recv 8b from 1 tag 3\n}\n", ":3: terminal 0 receives 8 bytes from 1, and there is no "
                                                              "send for it\nadd one in rank 1: send 8b to 0 tag 3"},
      {"num_ranks 2\nrank 0 {\na: send 8b to 1 tag 3\n}\n",
       ":3: terminal 0 sends 8 bytes to 1, and there is no receive"},
      {"num_ranks 1\nrank 0 {\na: calc 3\na requires a\n}\n", ":4:12: 'a' waits for itself"},
      {"num_ranks 1\nrank 0 {\nl1: calc 3\nl1 requires l2\n}\n",
       ":4:13: there is no 'l2' in rank 0; did you mean 'l1'?"},
      {"num_ranks 2\nrank 0 {\nl1: recv 4b from -1\n}\n", ":3:18: a receive from any source"},
      {"num_ranks 2\nrank 0 {\nl1: recv 4b from 1 tag -1\n}\n", ":3:24: a receive with any tag"},
      /* the same in 32 bits */
      {"num_ranks 2\nrank 0 {\nl1: recv 4b from 4294967295\n}\n", ":3:18: a receive from any source"},
      {"num_ranks 2\nrank 0 {\nl1: recv 4b from 1 tag 4294967295\n}\n", ":3:24: a receive with any tag"},
      {"num_ranks 2\nrank 0 {\nl1: recv 4b from 4294967294\n}\n", ":3:18: rank 4294967294 does not exist"},
      {"num_ranks 2\nrank 0 {\nl1: recv 4b from 1", ":3: the file ends here, expected a label"},
      {"num_ranks 2\nrank 0 {\n/* open", ":3: this comment does not end"},
      {"num_ranks 5\n", ":1:1: 5 ranks: rank r is terminal r, and this network has 4 terminals"},
      {"num_ranks 2\nrank 0 {\nl1: receive 4b from 1\n}\n", ":3:5: expected 'send', 'recv' or 'calc', not 'receive'"},
      {"num_ranks 2\nrank 0 {\nl1: send 4b from 1\n}\n", ":3:13: expected 'to', not 'from'"},
      {"num_ranks 2\nrank 0 {\nl1: send 4b to 2\n}\n", ":3:16: rank 2 does not exist, num_ranks is 2"},
      {"num_ranks 2\nrank 0 {\nl1: send 5600000001b to 1\n}\n",
       ":3:10: expected the bytes of the message, as in 100b: 0..5600000000"},
      /* any source and any tag are of receives alone */
      {"num_ranks 2\nrank 0 {\nsend 4b to 4294967295\n}\n", ":3:12: rank 4294967295 does not exist"},
      {"num_ranks 2\nrank 0 {\nsend 4b to -1\n}\n", ":3:12: expected the rank that receives, not '-'"},
      {"num_ranks 2\nrank 0 {\nsend 4b to 1 tag 4294967295\n}\n", ":3:18: expected a tag: 0..2147483647"},
      {"num_ranks 2\nrank 0 {\ncalc 5 cpu 4294967295\n}\n", ":3:12: expected a processor: 0..254"},
      {"num_ranks 2\nrank 0 {\nrecv 4b from 1 nic -1\n}\n", ":3:20: expected a network interface, not '-'"},
      {"\xef\xbb\xbfnum_ranks 5\n", ":1:1: 5 ranks"},
      {"num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n", ":4:1: rank 0 stands in line 2 already"},
      {"num_ranks 1\nrank 0 {\nl1: calc 1000000000001\n}\n",
       ":3:10: that are 1000000000001 cycles, more than 1000000000000"},
      {"num_ranks 2\nrank 0 {\nl1: calc 1 2\n}\n", ":3:12: expected the end of the line, not '2'"},
      {"rank 0 {\n", ":1:1: expected 'num_ranks', not 'rank'"},
      {"", ":1: the file ends here, expected 'num_ranks'"},
      {"num_ranks 2\n", ": nothing is sent or computed in it"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    must_refuse(&ut_pattern_goal, cases[i].text, cases[i].message);
}

static void words_tasks(void **state) {
  (void)state;
  struct ut_task list[] = {{.kind = UT_TASK_SEND, .amount = 70, .terminal = 3, .peer = 5, .line = 8},
                           {.kind = UT_TASK_RECEIVE, .amount = 70, .terminal = 5, .peer = 3, .line = 1},
                           {.kind = UT_TASK_COMPUTE, .amount = UINT64_C(1) << 60, .terminal = 7},
                           {.kind = UT_TASK_SEND, .terminal = 9, .peer = 2}};
  static const char *const want[] = {"line 8: terminal 3 sends 70 bytes to 5",
                                     "line 1: terminal 5 receives 70 bytes from 3",
                                     "terminal 7 computes 1152921504606846976 cycles", "terminal 9 sends 0 bytes to 2"};
  const struct ut_workload w = {.task = list, .tasks = 4};
  char text[UT_TASK_TEXT_SIZE];
  for (uint32_t i = 0; i < 4; i++)
    assert_string_equal(ut_task_text(&w, i, text), want[i]);
}

/* Two that first begin to receive, and then send: no circle, a send need not wait for the end of a receive. */
static void begun_is_no_circle(void **state) {
  (void)state;
  struct ut_workload w;
  struct ut_error e;
  static const char text[] = "num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb irequires a\n}\n"
                             "rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb irequires a\n}\n";
  if (read_text(&ut_pattern_goal, text, &w, &e))
    fail_msg("%s", e.text);
  ut_workload_free(&w);
}

/* ---- runs */

/* Runs a scenario to its end; every packet and every message is accounted for. */
static uint64_t run_text(const char *text, struct ut_network *n, struct ut_scenario **s) {
  struct ut_error e;
  *s = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
  if (!*s || ut_network_init(n, *s, NULL, &e))
    fail_msg("%s", e.text);
  while (!ut_network_done(n)) {
    ut_network_step(n);
    assert_false(n->failure);
  }
  const struct ut_workload_run *r = n->workload;
  assert_int_equal(n->terminals.accounts.corrupt, 0);
  assert_int_equal(ut_network_outstanding(n), 0);
  assert_int_equal(n->terminals.accounts.injected,
                   n->terminals.accounts.delivered + ut_accounts_discarded(&n->terminals.accounts));
  assert_int_equal(n->terminals.accounts.generated, r->workload.packets + r->resent);
  if (!ut_workload_run_complete(r))
    return UINT64_MAX;
  assert_int_equal(n->terminals.accounts.delivered, r->workload.packets);
  assert_int_equal(r->delivered, r->workload.messages);
  assert_int_equal(r->lost, 0);
  assert_int_equal(r->start + r->completion, n->cycle);
  return r->completion;
}

static uint64_t completion_of(const char *text) {
  struct ut_network n;
  struct ut_scenario *s;
  const uint64_t cycles = run_text(text, &n, &s);
  ut_network_fini(&n);
  ut_scenario_free(s);
  return cycles;
}

#define TREE                                                                                                           \
  "topology: {kind: fat_tree, k: 4, n: 2}\nrouting: {algorithm: reroute_adaptive_link}\n"                              \
  "switch: {vcs: 2, depth_flits: 8, packet_flits: 8}\n"

static void bounds_completion(void **state) {
  (void)state;
  /* 15 messages of 112 bytes: 2 packets of 8 flits each, one after the other through the one link of a terminal */
  const uint64_t all = completion_of(TREE "traffic: {pattern: all_to_all, message_bytes: 112}\n");
  assert_in_range(all, 15 * 16, 3 * 15 * 16);
  /* 30 steps in a row, of chunks of 7 bytes: each 2 flits, a head behind the other */
  const uint64_t ring = completion_of(TREE "traffic: {pattern: all_reduce_ring, message_bytes: 112}\n");
  assert_true(ring >= 30 * 6);
  /* four hops of the binomial tree down; up and down; and with 3 computations of 100 cycles behind each other, or more,
   * since a terminal computes one after the other */
  const uint64_t down = completion_of(TREE "traffic: {pattern: broadcast, message_bytes: 56}\n");
  const uint64_t both = completion_of(TREE "traffic: {pattern: all_reduce_tree, message_bytes: 56}\n");
  const uint64_t slow =
      completion_of(TREE "traffic: {pattern: all_reduce_tree, message_bytes: 56, compute_cycles: 100}\n");
  assert_true(down >= 4 * 9);
  assert_true(both > down && both <= 4 * down);
  assert_in_range(slow, both + 300, both + 4 * 100 + 50);
  /* rounds follow each other */
  const uint64_t five = completion_of(TREE "traffic: {pattern: all_reduce_tree, message_bytes: 56, repeat: 5}\n");
  assert_in_range(five, 4 * both, 5 * both);
}

/* ---- when it begins */

/* Every output VC of a switch or terminal that leads somewhere has all its credits. */
static bool has_all_credits(const struct ut_network *n) {
  bool all = true;
  for (uint32_t i = 0; i < n->topology->switches; i++)
    for (unsigned op = 0; op < ut_network_group(n, i)->shape.po; op++)
      for (unsigned v = 0; v < n->v && n->topology->peer[(size_t)i * n->topology->po + op].kind != UT_PEER_NONE; v++)
        all &= ut_reg_credits(ut_network_group(n, i), ut_network_switch(n, i), op, v) == n->shape->depth;
  for (uint32_t i = 0; i < n->topology->terminals * n->topology->injections; i++)
    for (unsigned v = 0; v < n->v; v++)
      all &= n->terminals.credits[n->terminals.injection[i].lane + v] == n->shape->depth;
  return all;
}

static void begins_when_links_have_their_credits(void **state) {
  (void)state;
  static const char *const networks[] = {
      "topology: {kind: fat_tree, k: 4, n: 2}\nswitch: {depth_flits: 8, packet_flits: 8}\nrouting: {algorithm: fta}\n",
      "topology: {kind: torus, sizes: [3, 3], link_cycles: 5}\nswitch: {vcs: 2, depth_flits: 200, packet_flits: 4}\n"
      "routing: {algorithm: duato}\n",
      "topology: {kind: ft_ruft_212, k: 2, n: 3, link_cycles: 3, injection_cycles: 7, ejection_cycles: 9}\n"
      "switch: {depth_flits: 6, packet_flits: 2}\nrouting: {algorithm: ruft}\n",
      "topology: {kind: graph, file: scenarios/long_links.anynet}\n"
      "switch: {vcs: 2, depth_flits: 3, packet_flits: 2}\nrouting: {algorithm: forwarding}\n",
      "topology: {kind: mesh, sizes: [3, 3], injection_cycles: 4}\n"
      "switch: {vcs: 2, depth_flits: 3, switching: wormhole, packet_flits: 20}\nrouting: {algorithm: duato}\n"};
  for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
    struct ut_scenario *s = test_scenario("%straffic: {pattern: all_to_all, message_bytes: 8}\n", networks[i]);
    struct ut_network n;
    test_network(&n, s);
    const uint64_t ready = ut_network_ready_cycle(&n);
    assert_int_equal(n.workload->start, ready);
    assert_int_equal(n.terminals.window_start, ready);
    for (; n.cycle < ready; ut_network_step(&n)) {
      assert_int_equal(n.terminals.accounts.generated, 0);
      if (has_all_credits(&n))
        fail_msg("%s\nall credits are there in cycle %llu, but the workload begins in %llu", networks[i],
                 (unsigned long long)n.cycle, (unsigned long long)ready);
    }
    if (!has_all_credits(&n))
      fail_msg("%s\nnot all credits are there in cycle %llu", networks[i], (unsigned long long)ready);
    ut_network_step(&n);
    assert_int_equal(n.terminals.accounts.generated, n.workload->workload.packets);
    ut_network_fini(&n);
    ut_scenario_free(s);
  }
}

/* A byte down a binomial tree of 64 terminals: six packets of two flits, one behind the other, each of which takes 1 +
 * 2 S + F - 1 cycles through S switches, and the next terminal begins in the cycle behind.  S is 5, 5, 3, 3, 1, 1. */
static void completion_does_not_depend_on_buffers(void **state) {
  (void)state;
  enum { BY_HAND = 6 * (1 + 2 - 1 + 1) + 2 * (5 + 5 + 3 + 3 + 1 + 1) };
  static const unsigned flits[] = {2, 8, 32, 128};
  for (size_t i = 0; i < sizeof flits / sizeof *flits; i++)
    for (unsigned more = 0; more <= 100; more += 100) {
      char text[400];
      snprintf(text, sizeof text,
               "topology: {kind: fat_tree, k: 4, n: 3}\n"
               "switch: {depth_flits: %u, packet_flits: %u, shortest_packet_flits: 1, route_cycles: 0}\n"
               "routing: {algorithm: reroute_adaptive_link}\ntraffic: {pattern: broadcast, message_bytes: 1}\n",
               flits[i] + more, flits[i]);
      const uint64_t cycles = completion_of(text);
      if (cycles != BY_HAND)
        fail_msg("packets of up to %u flits, buffers of %u: complete after %llu cycles, by hand %d", flits[i],
                 flits[i] + more, (unsigned long long)cycles, BY_HAND);
    }
}

/* A task computes for its cycles, on one processor one after the other; a send is finished when it has left. */
/* The workload in that file, of a pattern and its key, takes so many cycles. */
static void takes(const char *key, const char *text, uint64_t least, uint64_t most) {
  char yaml[512], *path = write_file(text);
  snprintf(yaml, sizeof yaml, TREE "traffic: {pattern: %s: %s}\n", key, path);
  const uint64_t cycles = completion_of(yaml);
  unlink(path);
  if (cycles < least || cycles > most)
    fail_msg("%s: %llu cycles, expected %llu..%llu", text, (unsigned long long)cycles, (unsigned long long)least,
             (unsigned long long)most);
}

static void times_tasks(void **state) {
  (void)state;
  static const struct {
    const char *goal;
    uint64_t least, most;
  } cases[] = {
      {"rank 0 {\na: calc 100\n}\n", 100, 100},
      {"rank 0 {\na: calc 100\nb: calc 50\n}\n", 150, 150},
      {"rank 0 {\na: calc 100\nb: calc 50 cpu 1\n}\n", 100, 100},
      {"rank 0 {\na: calc 100\nb: calc 50\nb requires a\n}\n", 150, 150},
      {"rank 0 {\na: calc 100 cpu 1\nb: calc 50\nb irequires a\n}\n", 100, 100},
      {"rank 0 {\na: calc 100 cpu 1\nb: calc 70\nc: calc 50 cpu 1\nb irequires c\n}\n", 170, 170},
      /* 80 packets of 8 flits take 640 cycles on the wire; then the computing begins */
      {"rank 0 {\na: send 4480b to 1\nb: calc 1000\nb requires a\n}\nrank 1 {\nrecv 0b from 0\n}\n", 1640, 1660},
      {"rank 0 {\na: send 4480b to 1\nb: calc 1000\nb irequires a\n}\nrank 1 {\nrecv 0b from 0\n}\n", 1000, 1000},
      /* the message is there before anybody wants it: what waits for it does not begin */
      {"rank 0 {\nsend 8b to 1\n}\nrank 1 {\na: calc 500\nb: recv 8b from 0\nb requires a\nc: calc 300 cpu 1\n"
       "c requires b\n}\n",
       800, 800},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char goal[512];
    snprintf(goal, sizeof goal, "num_ranks 2\n%s", cases[i].goal);
    takes("goal, goal_file", goal, cases[i].least, cases[i].most);
  }
}

/* A message that waits for another one, for cycles behind it and for a cycle goes when the last of these is there. */
static void waits_for_a_cycle(void **state) {
  (void)state;
  enum { ALONE = 40 };
  static const struct {
    const char *options;
    uint64_t least; /* from the start until the last message may be sent */
  } cases[] = {{"", 0},
               {"at 300", 300},
               {"after a at 500", 500},
               {"after a delay 200", 200},
               {"after a delay 200 at 100", 200},
               {"after a delay 200 at 700", 700}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text, "a 0 5 8\nb 5 0 8 %s\n", cases[i].options);
    takes("dependencies, dependency_file", text, cases[i].least, cases[i].least + ALONE);
  }
}

/* Chains of sends, each one as soon as the last one has left: more than the list of those that somebody waits for has
 * room for at a time. */
static void chains_of_sends(void **state) {
  (void)state;
  enum { CHAINS = 5, SENDS = 12 };
  char goal[4096], yaml[512];
  size_t used = (size_t)snprintf(goal, sizeof goal, "num_ranks 2\nrank 0 {\n");
  for (unsigned i = 0; i < CHAINS * SENDS; i++)
    used += (size_t)snprintf(goal + used, sizeof goal - used, "s%u: send 8b to 1 tag %u\n", i, i);
  for (unsigned i = CHAINS; i < CHAINS * SENDS; i++)
    used += (size_t)snprintf(goal + used, sizeof goal - used, "s%u requires s%u\n", i, i - CHAINS);
  used += (size_t)snprintf(goal + used, sizeof goal - used, "}\nrank 1 {\n");
  for (unsigned i = 0; i < CHAINS * SENDS; i++)
    used += (size_t)snprintf(goal + used, sizeof goal - used, "recv 8b from 0 tag %u\n", i);
  snprintf(goal + used, sizeof goal - used, "}\n");
  char *path = write_file(goal);
  snprintf(yaml, sizeof yaml, TREE "traffic: {pattern: goal, goal_file: %s}\n", path);
  struct ut_network n;
  struct ut_scenario *s;
  assert_in_range(run_text(yaml, &n, &s), CHAINS * SENDS, 4 * CHAINS * SENDS); /* a VC has space for one packet */
  assert_int_equal(n.workload->delivered, CHAINS * SENDS);
  assert_int_equal(n.workload->open, 0);
  const struct ut_sendings *sent = &n.workload->sending[0];
  assert_int_equal(sent->first, sent->end);
  assert_true(sent->end < CHAINS * SENDS - CHAINS && sent->room < CHAINS * SENDS - CHAINS);
  ut_network_fini(&n);
  ut_scenario_free(s);
  unlink(path);
}

/* A network whose workload cannot be read is none. */
static void with_a_bad_file(void **state) {
  (void)state;
  struct ut_network n;
  struct ut_error e;
  char text[512], *path = write_file("num_ranks 2\nnonsense\n");
  snprintf(text, sizeof text, TREE "traffic: {pattern: goal, goal_file: %s}\n", path);
  struct ut_scenario *s = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
  assert_non_null(s);
  assert_int_equal(ut_network_init(&n, s, NULL, &e), -1);
  assert_non_null(strstr(e.text, ":2:"));
  unlink(path);
  ut_scenario_free(s);
}

/* What a fault discards is sent again, or else the workload stays incomplete, and the run ends nevertheless. */
static void survives_faults(void **state) {
  (void)state;
  static const char traffic[] = "traffic: {pattern: all_to_all, message_bytes: 560%s}\n"
                                "faults:\n  - {at: 300, until: 400, every: 200, times: 4, random_links: 3}\n";
  struct ut_network n;
  struct ut_scenario *s;
  char text[1024], more[512];
  snprintf(more, sizeof more, traffic, ", resend_after_cycles: 100");
  snprintf(text, sizeof text, TREE "%s", more);
  assert_true(run_text(text, &n, &s) != UINT64_MAX);
  assert_true(n.workload->resent > 0);
  assert_int_equal(n.workload->resent, ut_accounts_discarded(&n.terminals.accounts));
  ut_network_fini(&n);
  ut_scenario_free(s);

  snprintf(more, sizeof more, traffic, "");
  snprintf(text, sizeof text, TREE "%s", more);
  assert_true(run_text(text, &n, &s) == UINT64_MAX);
  assert_true(n.workload->lost > 0);
  assert_int_equal(n.workload->lost + n.workload->delivered, n.workload->workload.messages);
  assert_int_equal(n.workload->open, n.workload->lost);
  assert_true(n.cycle < 100000);
  assert_true(ut_network_incomplete(&n));
  s->run.drain = false; /* it need not come to its end */
  assert_false(ut_network_incomplete(&n));
  ut_network_fini(&n);
  ut_scenario_free(s);

  /* a terminal that nobody reaches: packets are sent again a few times, then the run ends */
  snprintf(text, sizeof text,
           TREE "traffic: {pattern: broadcast, message_bytes: 8, resend_after_cycles: 50}\n"
                "faults:\n  - {at: 0, ejection: {terminal: 3}}\n");
  assert_true(run_text(text, &n, &s) == UINT64_MAX);
  assert_int_equal(n.workload->resent, UT_RESEND_LIMIT);
  assert_int_equal(n.workload->lost, 1);
  const uint32_t waiting = ut_workload_run_waiting(n.workload);
  assert_int_equal(n.workload->workload.task[waiting].terminal, 3);
  ut_network_fini(&n);
  ut_scenario_free(s);

  /* a terminal that cannot send, for ever: it is over when all the rest has been done */
  snprintf(text, sizeof text,
           TREE "traffic: {pattern: all_to_all, message_bytes: 8}\n"
                "faults:\n  - {at: 0, injection: {terminal: 3}}\n");
  struct ut_error e;
  s = ut_scenario_parse(text, strlen(text), "test.yaml", &e);
  assert_int_equal(ut_network_init(&n, s, NULL, &e), 0);
  while (!ut_network_done(&n))
    ut_network_step(&n);
  assert_int_equal(n.workload->delivered, 15 * 15);
  assert_int_equal(n.workload->open, 15);
  assert_true(n.cycle < 10000);
  ut_network_fini(&n);
  ut_scenario_free(s);
}

/* Packets of one message that are lost in the same cycle are sent again in their order; a task that waits for the end
 * of the message has begun when all of them left the first time. */
static void sends_packets_again_in_order(void **state) {
  (void)state;
  unsigned together = 0;
  char *path = write_file("num_ranks 16\nrank 0 {\na: send 1120b to 15\nb: calc 10\nb requires a\n}\n"
                          "rank 15 {\nrecv 1120b from 0\n}\n");
  for (unsigned at = 20; at < 120; at += 5)
    for (unsigned sw = 0; sw < 4; sw++) {
      char text[1024];
      struct ut_network n;
      struct ut_scenario *s;
      snprintf(text, sizeof text,
               "topology: {kind: fat_tree, k: 4, n: 2, link_cycles: 4}\nrouting: {algorithm: reroute_adaptive_link}\n"
               "switch: {vcs: 4, depth_flits: 8, packet_flits: 8}\n"
               "traffic: {pattern: goal, goal_file: %s, resend_after_cycles: 200}\n"
               "faults: [{at: %u, until: %u, switch: {level: 0, switch: 3}}, {at: %u, until: %u, switch: {level: 1, "
               "switch: %u}}]\n",
               path, at, at + 20, at, at + 20, sw);
      assert_true(run_text(text, &n, &s) != UINT64_MAX);
      const struct ut_workload_run *r = n.workload;
      const struct ut_release_list *l = &r->releases.list[0];
      assert_int_equal(r->resent, ut_accounts_discarded(&n.terminals.accounts));
      assert_int_equal(l->count, 1 + r->resent);
      for (size_t i = 2; i < l->count; i++) {
        const struct ut_release *a = &l->release[i - 1], *b = &l->release[i];
        assert_true(a->cycle < b->cycle || (a->cycle == b->cycle && a->first < b->first));
        together += a->cycle == b->cycle;
      }
      const uint64_t completion = r->completion;
      for (unsigned i = 0; i < 50; i++) /* nothing more happens */
        ut_network_step(&n);
      assert_int_equal(r->completion, completion);
      assert_int_equal(r->open, 0);
      ut_network_fini(&n);
      ut_scenario_free(s);
    }
  unlink(path);
  assert_true(together > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(packs),
      cmocka_unit_test(counts_messages),
      cmocka_unit_test(finds_neighbours),
      cmocka_unit_test(reads_dependencies),
      cmocka_unit_test(refuses_dependencies),
      cmocka_unit_test(reads_goal),
      cmocka_unit_test(joins_in_order),
      cmocka_unit_test(joins_pairs),
      cmocka_unit_test(shows_a_part_of_a_circle),
      cmocka_unit_test(shows_circles),
      cmocka_unit_test(refuses_too_many),
      cmocka_unit_test(refuses_goal),
      cmocka_unit_test(words_tasks),
      cmocka_unit_test(begun_is_no_circle),
      cmocka_unit_test(bounds_completion),
      cmocka_unit_test(begins_when_links_have_their_credits),
      cmocka_unit_test(completion_does_not_depend_on_buffers),
      cmocka_unit_test(times_tasks),
      cmocka_unit_test(waits_for_a_cycle),
      cmocka_unit_test(chains_of_sends),
      cmocka_unit_test(with_a_bad_file),
      cmocka_unit_test(survives_faults),
      cmocka_unit_test(sends_packets_again_in_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
